#include "graph/codec/elias_fano.h"

#include <bit>
#include <vector>

#include "base/bytes.h"

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

EliasFano::Cursor::Cursor(const EliasFano& numbers, uint64_t i) : numbers_(&numbers), i_(i) {
  const uint64_t last = numbers.high_words_ * 64 - 1;
  const uint64_t place = std::min(load_le64(numbers.places_ + i / kOnesToAPlace * 8), last);
  word_ = place / 64;
  ones_ = numbers.high(word_) & (~uint64_t{0} << (place % 64));
  uint64_t left = i % kOnesToAPlace;  // ones to pass over
  for (uint64_t ones; left >= (ones = static_cast<uint64_t>(std::popcount(ones_))); left -= ones) {
    if (++word_ >= numbers.high_words_) {
      ones_ = 0;
      return;
    }
    ones_ = numbers.high(word_);
  }
  for (; left; --left) ones_ &= ones_ - 1;
}

}  // namespace aduana
