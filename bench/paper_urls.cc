#include "paper_urls.h"

namespace aduana::bench {
namespace {

constexpr std::string_view kTlds[] = {"pl", "com", "org", "net", "de", "uk", "fr", "it"};
constexpr uint64_t kShortestPath = 8;
constexpr uint64_t kLongestPath = 60;

// Each character as often as its weight: mostly lower case, a slash every dozen, now and then the others.
std::string weighted_characters() {
  std::string all;
  for (char c = 'a'; c <= 'z'; ++c) all.append(10, c);
  for (char c = 'A'; c <= 'Z'; ++c) all.append(2, c);
  all.append(25, '/');
  all.append(10, '-');
  all.append(5, '_');
  return all;
}

std::string random_domain(Random& random) {
  std::string domain;
  for (uint64_t labels = 1 + random.below(3); labels > 0; --labels) {
    for (uint64_t letters = 2 + random.below(8); letters > 0; --letters)
      domain += static_cast<char>('a' + random.below(26));
    domain += '.';
  }
  domain += kTlds[random.below(std::size(kTlds))];
  return domain;
}

}  // namespace

PaperUrls::PaperUrls(uint64_t domains, uint64_t seed) : random_(seed) {
  for (uint64_t d = 0; d < domains; ++d) domains_.push_back(random_domain(random_));
}

void PaperUrls::append_url() {
  static const std::string characters = weighted_characters();
  text_ += "http://";
  text_ += domains_[random_.below(domains_.size())];
  text_ += '/';
  for (uint64_t n = kShortestPath + random_.below(kLongestPath - kShortestPath); n > 0; --n)
    text_ += characters[random_.below(characters.size())];
}

const std::vector<std::string_view>& PaperUrls::next(uint64_t count) {
  text_.clear();
  ends_.clear();
  urls_.clear();
  for (uint64_t n = 0; n < count; ++n) {
    append_url();
    ends_.push_back(text_.size());
  }
  size_t begin = 0;
  for (size_t end : ends_) {
    urls_.push_back(std::string_view(text_).substr(begin, end - begin));
    begin = end;
  }
  return urls_;
}

}  // namespace aduana::bench
