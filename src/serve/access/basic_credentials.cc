#include "serve/access/basic_credentials.h"

#include <algorithm>

#include "serve/access/base64.h"

namespace aduana {
namespace {

constexpr std::string_view kScheme = "basic";

}  // namespace

std::unique_ptr<BasicCredentials> BasicCredentials::parse(std::string_view authorization) {
  const bool basic = authorization.size() > kScheme.size() && authorization[kScheme.size()] == ' ' &&
                     std::ranges::equal(authorization.substr(0, kScheme.size()), kScheme, {}, [](char c) {
                       return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
                     });
  if (!basic) return nullptr;
  authorization.remove_prefix(kScheme.size());
  authorization.remove_prefix(std::min(authorization.find_first_not_of(' '), authorization.size()));
  auto both = base64_decoded(authorization);
  if (!both) return nullptr;
  const size_t colon = both->find(':');
  if (colon == std::string::npos) return nullptr;
  return std::unique_ptr<BasicCredentials>(new BasicCredentials(std::move(*both), colon));
}

}  // namespace aduana
