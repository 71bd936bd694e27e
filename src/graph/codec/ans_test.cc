#include "graph/codec/ans.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "graph/codec/token.h"

namespace aduana {
namespace {

AnsCounts random_counts(std::mt19937_64& random) {
  AnsCounts counts{};
  const size_t used = random() % (kEscape + 1);
  for (size_t i = 0; i < used; ++i) counts[random() % kEscape] = uint64_t{1} << random() % 40;
  return counts;
}

TEST(Ans, SharesAddUpAndKeepRoomForTheEscape) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    const AnsShares shares = shares_for(random_counts(random));
    EXPECT_EQ(std::accumulate(shares.begin(), shares.end(), 0u), kAnsStates);
    EXPECT_GE(shares[kEscape], 1);
    std::string bytes;
    append_shares(bytes, shares);
    ByteReader in(bytes);
    AnsShares read;
    ASSERT_TRUE(read_shares(in, read));
    EXPECT_EQ(read, shares);
    EXPECT_TRUE(in.at_end());
  }
}

TEST(Ans, SharesThatDoNotAddUpAreRefused) {
  std::string bytes;
  append_varint(bytes, 2);
  append_varint(bytes, kAnsStates - 1);
  append_varint(bytes, 1);
  ByteReader in(bytes);
  AnsShares shares;
  EXPECT_FALSE(read_shares(in, shares));  // nothing left for the escape
  ByteReader none("");
  EXPECT_FALSE(read_shares(none, shares));
}

// Whatever state the decoder is to be in next, it is led there.
TEST(Ans, EveryStepIsFoundAgainByTheDecoder) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 50; ++round) {
    const AnsShares shares = shares_for(random_counts(random));
    const AnsEncodeTable encode(shares);
    const AnsDecodeTable decode = decode_table(shares);
    for (unsigned symbol = 0; symbol < kAnsSymbols; ++symbol) {
      if (!encode.has(symbol)) continue;
      for (unsigned next = 0; next < kAnsStates; ++next) {
        unsigned value;
        int bits;
        const unsigned state = encode.step(symbol, next, &value, &bits);
        const AnsStep& step = decode[state];
        ASSERT_EQ(step.bits, bits);
        ASSERT_EQ(step.state + value, next);
        ASSERT_EQ(step.symbol, symbol);
      }
    }
  }
}

TEST(Ans, ASymbolCostsWhatItsShareSays) {
  AnsCounts counts{};
  counts[3] = 900;
  counts[7] = 100;
  const AnsShares shares = shares_for(counts);
  const AnsEncodeTable table(shares);
  unsigned state = 0, value;
  int bits;
  uint64_t total = 0;
  for (int i = 0; i < 10'000; ++i) {
    state = table.step(i % 10 ? 3 : 7, state, &value, &bits);
    total += static_cast<uint64_t>(bits);
  }
  EXPECT_NEAR(static_cast<double>(total) / 10'000, 0.469, 0.02);  // the entropy of 0.9 and 0.1
}

TEST(Token, StandsForEveryNumber) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 100'000; ++round) {
    const uint64_t v = random() >> (64 - kTokenValueBits + random() % kTokenValueBits);
    const Token token = token_of(v);
    ASSERT_LT(token.symbol, kTokens);
    if (token.symbol >= kDirectTokens) {
      ASSERT_EQ(value_of(token.symbol, token.extra), v);
      ASSERT_EQ(extra_bits_of(token.symbol), token.extra_bits);
    } else {
      ASSERT_EQ(token.symbol, v);
    }
  }
}

}  // namespace
}  // namespace aduana
