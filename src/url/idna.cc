#include "url/idna.h"

#include <unicode/uidna.h>

#include <algorithm>
#include <vector>

#include "base/utf8.h"
#include "url/byte_classes.h"

namespace aduana {
namespace {

// The standard asks for CheckBidi and CheckJoiners, and neither for CheckHyphens, VerifyDnsLength nor
// UseSTD3ASCIIRules. ICU reports hyphens and lengths always, so those are masked out of what it finds.
constexpr uint32_t kIdnaOptions = UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII;
constexpr uint32_t kIgnoredErrors = UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG |
                                    UIDNA_ERROR_DOMAIN_NAME_TOO_LONG | UIDNA_ERROR_LEADING_HYPHEN |
                                    UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;

const UIDNA* idna() {
  static const UIDNA* const instance = [] {
    UErrorCode status = U_ZERO_ERROR;
    UIDNA* opened = uidna_openUTS46(kIdnaOptions, &status);
    return U_SUCCESS(status) ? opened : nullptr;
  }();
  return instance;
}

bool is_ascii(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return static_cast<uint8_t>(c) >= 0x80; });
}

void append_utf16(std::vector<UChar>& out, std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    char32_t value = decode_utf8(at, end);
    // Since Unicode 15.1 the capital sharp s is mapped to the small one; older tables, as in ICU 72, map it to "ss".
    if (value == 0x1E9E) value = 0xDF;
    if (value >= 0x10000) {
      out.push_back(static_cast<UChar>(0xD7C0 + (value >> 10)));
      out.push_back(static_cast<UChar>(0xDC00 | (value & 0x3FF)));
    } else {
      out.push_back(static_cast<UChar>(value));
    }
  }
}

}  // namespace

bool append_domain_to_ascii(std::string& out, std::string_view domain) {
  if (is_ascii(domain)) {
    const size_t start = out.size();
    out += domain;
    std::transform(out.begin() + static_cast<ptrdiff_t>(start), out.end(), out.begin() + static_cast<ptrdiff_t>(start),
                   to_lower);
    return true;
  }
  if (!idna()) return false;
  std::vector<UChar> unicode;
  unicode.reserve(domain.size());
  append_utf16(unicode, domain);
  std::vector<UChar> ascii(unicode.size() * 2 + 64);
  for (;;) {
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    UErrorCode status = U_ZERO_ERROR;
    const int32_t length = uidna_nameToASCII(idna(), unicode.data(), static_cast<int32_t>(unicode.size()), ascii.data(),
                                             static_cast<int32_t>(ascii.size()), &info, &status);
    if (status == U_BUFFER_OVERFLOW_ERROR) {
      ascii.resize(static_cast<size_t>(length));
      continue;
    }
    if (U_FAILURE(status) || (info.errors & ~kIgnoredErrors) != 0) return false;
    for (int32_t i = 0; i < length; ++i) {
      if (ascii[i] >= 0x80) return false;
      out += static_cast<char>(ascii[i]);
    }
    return true;
  }
}

}  // namespace aduana
