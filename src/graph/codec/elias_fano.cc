#include "graph/codec/elias_fano.h"

#include <bit>
#include <vector>

#include "base/bytes.h"
#include "graph/codec/bit_stream.h"

namespace aduana {
namespace {

constexpr uint64_t kOnesToAPlace = 64;
constexpr int kMaxLowWidth = 48;
constexpr size_t kHeaderBytes = 8 + 1 + 8;

uint64_t low_bytes(uint64_t numbers, int width) { return (numbers * static_cast<uint64_t>(width) + 7) / 8; }
uint64_t n_places(uint64_t numbers) { return (numbers + kOnesToAPlace - 1) / kOnesToAPlace; }

}  // namespace

void append_elias_fano(std::string& out, std::span<const uint64_t> numbers) {
  const uint64_t n = numbers.size();
  const uint64_t most = n ? numbers.back() : 0;
  const int width = n && most / n ? std::min<int>(std::bit_width(most / n) - 1, kMaxLowWidth) : 0;
  std::vector<uint64_t> high((n + (most >> width)) / 64 + 1);
  std::vector<uint64_t> places;
  BitWriter low;
  for (uint64_t i = 0; i < n; ++i) {
    low.put(low_bits(numbers[i], width), width);
    const uint64_t at = (numbers[i] >> width) + i;
    high[at / 64] |= uint64_t{1} << (at % 64);
    if (i % kOnesToAPlace == 0) places.push_back(at);
  }
  low.pad();
  append_be(out, n);
  out.push_back(static_cast<char>(width));
  append_be(out, static_cast<uint64_t>(high.size()));
  out += low.take_full_bytes();
  for (const uint64_t word : high) append_le64(out, word);
  for (const uint64_t place : places) append_le64(out, place);
  out.append(kBitPadding, 0);
}

Result<EliasFano> EliasFano::open(std::string_view bytes) {
  const Error bad(Code::corrupt, "not a sequence of offsets");
  ByteReader in(bytes);
  EliasFano sequence;
  sequence.size_ = in.be<uint64_t>();
  sequence.low_width_ = in.be<uint8_t>();
  sequence.high_words_ = in.be<uint64_t>();
  // So many that their sizes can be added up without overflow.
  if (!in.ok() || sequence.low_width_ > kMaxLowWidth || sequence.size_ > bytes.size() * 8 ||
      sequence.high_words_ > bytes.size() || sequence.high_words_ == 0) {
    return bad;
  }
  const uint64_t low = low_bytes(sequence.size_, sequence.low_width_);
  const uint64_t high = sequence.high_words_ * 8;
  const uint64_t places = n_places(sequence.size_) * 8;
  if (bytes.size() != kHeaderBytes + low + high + places + kBitPadding) return bad;
  sequence.low_ = bytes.data() + kHeaderBytes;
  sequence.high_ = sequence.low_ + low;
  sequence.places_ = sequence.high_ + high;
  return sequence;
}

uint64_t EliasFano::low(uint64_t i) const {
  return low_bits(peek_bits(low_, i * static_cast<uint64_t>(low_width_)), low_width_);
}

// The place of the first one in `word`, which is what is left of the word at `at`, or after it.
uint64_t EliasFano::next_one(uint64_t word, uint64_t at) const {
  while (!word) {
    if (++at >= high_words_) return high_words_ * 64;  // damaged: there is no such number
    word = load_le64(high_ + at * 8);
  }
  return at * 64 + static_cast<uint64_t>(std::countr_zero(word));
}

std::pair<uint64_t, uint64_t> EliasFano::pair(uint64_t i) const {
  const uint64_t place = std::min(load_le64(places_ + i / kOnesToAPlace * 8), high_words_ * 64 - 1);
  uint64_t at = place / 64;
  uint64_t word = load_le64(high_ + at * 8) & (~uint64_t{0} << (place % 64));
  uint64_t left = i % kOnesToAPlace;  // ones to pass over
  for (uint64_t ones; left >= (ones = static_cast<uint64_t>(std::popcount(word))); left -= ones) {
    if (++at >= high_words_) return {0, 0};
    word = load_le64(high_ + at * 8);
  }
  for (; left; --left) word &= word - 1;
  const uint64_t here = next_one(word, at);
  const uint64_t first = ((here - i) << low_width_) | low(i);
  if (i + 1 >= size_ || here >= high_words_ * 64) return {first, first};
  at = here / 64;
  word = load_le64(high_ + at * 8) & (~uint64_t{0} << (here % 64));
  const uint64_t next = next_one(word & (word - 1), at);
  return {first, ((next - i - 1) << low_width_) | low(i + 1)};
}

}  // namespace aduana
