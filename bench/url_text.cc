#include "url_text.h"

#include <array>
#include <charconv>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "random.h"

namespace aduana::bench {
namespace {

constexpr int kWordBits = 9;
constexpr uint64_t kWords = uint64_t{1} << kWordBits;
constexpr uint64_t kHostNames = kWords * kWords;

// Made-up words of two or three syllables. Fixed slots, so that appending one is a copy of constant size.
struct Word {
  std::array<char, 15> text;
  uint8_t size;
};

std::vector<Word> make_words() {
  constexpr std::string_view starts[] = {"b", "br", "c", "d",  "f", "g", "gr", "h", "k", "l", "m",
                                         "n", "p",  "r", "sp", "s", "t", "tr", "v", "z", "st"};
  constexpr std::string_view vowels[] = {"a", "e", "i", "o", "u", "ai", "ea"};
  constexpr std::string_view ends[] = {"", "", "n", "r", "s", "l", "t", "m"};
  Random random(2015);
  auto pick = [&](const auto& list) { return list[random.below(std::size(list))]; };
  std::set<std::string> seen;
  std::vector<Word> words;
  while (words.size() < kWords) {
    std::string text;
    for (uint64_t syllables = 2 + random.below(3) / 2; syllables > 0; --syllables) {
      text += pick(starts);
      text += pick(vowels);
    }
    text += pick(ends);
    if (!seen.insert(text).second) continue;
    Word word{};
    word.size = static_cast<uint8_t>(text.size());
    std::memcpy(word.text.data(), text.data(), text.size());
    words.push_back(word);
  }
  return words;
}

char* put(char* out, std::string_view text) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

char* put_word(char* out, uint64_t bits) {
  static const std::vector<Word> words = make_words();
  const Word& word = words[bits & (kWords - 1)];
  std::memcpy(out, word.text.data(), word.text.size());
  return out + word.size;
}

char* put_number(char* out, uint64_t number) { return std::to_chars(out, out + 20, number).ptr; }

// Distinct hosts have distinct pairs of words: the multiplier is odd, so the product is a bijection.
char* put_host(char* out, uint64_t host, uint64_t traits) {
  constexpr std::string_view tlds[] = {"com", "com", "com", "com", "org", "net", "de", "fr",
                                       "es",  "pl",  "it",  "nl",  "ru",  "io",  "jp", "info"};
  const uint64_t name = (host * 0x9e375u) & (kHostNames - 1);
  out = put(out, traits % 8 == 0 ? "http://" : "https://");
  if (traits / 8 % 4 != 0) out = put(out, "www.");
  out = put_word(out, name);
  *out++ = '-';
  out = put_word(out, name >> kWordBits);
  if (host >= kHostNames) out = put_number(out, host / kHostNames);
  *out++ = '.';
  return put(out, tlds[traits / 32 % std::size(tlds)]);
}

char* put_title(char* out, uint64_t bits) {
  for (uint64_t words = 2 + bits % 4; words > 0; --words) {
    bits >>= kWordBits;
    out = put_word(out, bits);
    *out++ = '-';
  }
  return out;
}

}  // namespace

char* write_url(UrlId id, char* out) {
  const uint64_t traits = mix(id.host());
  out = put_host(out, id.host(), traits);
  *out++ = '/';
  if (id.number() == 0) return out;

  const uint64_t bits = mix(id.value());
  const uint64_t section = bits % (3 + traits / 512 % 14);
  const uint64_t article = traits / 8192 % 900'000 + id.number() * 7 + bits / 16 % 7;  // grows; one of a kind
  const uint64_t shape = (bits >> 8) % 100;
  const uint64_t title = bits >> 15;
  out = put_word(out, mix(traits + section));
  *out++ = '/';
  if (shape < 70) {
    out = put_title(out, title);
    return put(put_number(out, article), ".html");
  }
  if (shape < 80) {  // 2009/07/…
    out = put_number(out, 2004 + title % 12);
    *out++ = '/';
    *out++ = '0';
    *out++ = static_cast<char>('1' + title / 16 % 9);
    *out++ = '/';
    out = put_title(out, title);
    return put_number(out, article);
  }
  if (shape < 90) {
    out = put(put_word(put(put_word(out, title), "/"), title >> kWordBits), ".php?id=");
    return put(put_number(out, article), "&lang=en");
  }
  out = put(put_word(put(out, "list?cat="), title), "&page=");
  return put_number(out, article);
}

char* write_disguised_url(UrlId id, uint64_t choice, char* out) {
  char plain[kLongestUrlText];
  const std::string_view url(plain, static_cast<size_t>(write_url(id, plain) - plain));
  const size_t path = url.find('/', url.find("://") + 3);
  const std::string_view before = url.substr(0, path);
  const std::string_view after = url.substr(path);
  switch (choice % 4) {
    case 0:
      for (char c : before) *out++ = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      return put(out, after);
    case 1:
      return put_word(put(put(out, url), "#"), choice >> 8);
    case 2:
      return put(put(put(out, before), before.starts_with("https") ? ":443" : ":80"), after);
    default:
      return put(put(put_word(put(put(out, before), "/./"), choice >> 8), "/.."), after);
  }
}

}  // namespace aduana::bench
