// The codec of rows by itself: what is decoded is what was encoded, whatever the model was learned from.
#include <gtest/gtest.h>

#include <random>

#include "graph/codec/group_decoder.h"
#include "graph/codec/shapes.h"

namespace aduana {
namespace {

struct Encoded {
  std::string bytes;
  std::vector<uint64_t> offsets{0};
  std::unique_ptr<RowTables> tables;

  GroupDecoder decoder(uint64_t nodes, uint64_t links) const {
    return {*tables, bytes.data(), offsets.back(), nodes, links};
  }
};

Encoded encode(const RowBatch& rows, const RowModel& model, Node first = 0) {
  Encoded encoded;
  GroupEncoder encoder(model);
  BitWriter bits;
  for (size_t i = 0; i < rows.size(); i += kGroupRows) {
    encoder.encode(rows, i, std::min<size_t>(rows.size(), i + kGroupRows), first + i, bits);
    encoded.offsets.push_back(bits.bits());
  }
  bits.pad();
  encoded.bytes = bits.take_full_bytes() + std::string(kBitPadding, 0);
  encoded.tables = std::make_unique<RowTables>(model);
  return encoded;
}

RowModel model_of(const RowBatch& rows) {
  RowModel model;
  for (int round = 0; round < 2; ++round) {
    RowCounts counts{};
    GroupEncoder encoder(model);
    for (size_t i = 0; i < rows.size(); i += kGroupRows) {
      encoder.count(rows, i, std::min<size_t>(rows.size(), i + kGroupRows), i, counts);
    }
    model = RowModel(counts);
  }
  return model;
}

void expect_same(const RowBatch& rows, const RowModel& model, uint64_t nodes, Node first = 0) {
  const Encoded encoded = encode(rows, model, first);
  GroupDecoder decoder = encoded.decoder(nodes, rows.links.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    const size_t group = i / kGroupRows;
    const auto n = static_cast<unsigned>(i % kGroupRows + 1);
    // Once as the last of those that are decoded, once among all.
    for (const bool alone : {true, false}) {
      const auto upto =
          alone ? n : static_cast<unsigned>(std::min<size_t>(kGroupRows, rows.size() - group * kGroupRows));
      const Status decoded =
          decoder.decode(encoded.offsets[group], encoded.offsets[group + 1], first + group * kGroupRows, upto, alone);
      ASSERT_TRUE(decoded) << decoded.error().message();
      const auto row = decoder.row(n - 1);
      ASSERT_TRUE(std::ranges::equal(row, rows.row(i))) << "row " << i;
    }
  }
}

TEST(GroupCodec, GivesBackEveryShape) {
  for (const Shape& shape : all_shapes()) {
    SCOPED_TRACE(shape.name);
    const RowBatch rows = rows_of(shape);
    expect_same(rows, model_of(rows), shape.nodes);
  }
}

// A model is learned from a sample; what was not in it must be written all the same.
TEST(GroupCodec, WritesWhatItsModelHasNeverSeen) {
  const RowBatch chain = rows_of(all_shapes()[8]);
  const RowModel model = model_of(chain);
  for (const Shape& shape : all_shapes()) {
    SCOPED_TRACE(shape.name);
    expect_same(rows_of(shape), model, shape.nodes);
    expect_same(rows_of(shape), RowModel(), shape.nodes);
  }
}

// Every head is written and read as one symbol, some bits and what is told behind it.
TEST(RowHead, StandsForEveryForm) {
  for (uint64_t back = 0; back < kGroupRows; ++back) {
    for (uint64_t runs = 0; runs < (back ? 10 : 1); ++runs) {
      for (uint64_t rest = 0; rest < 100; ++rest) {
        const RowHead head{back, runs, rest};
        const Token token = token_of(head);
        ASSERT_LT(token.symbol, kHeadSymbols);
        ASSERT_LT(token.extra, uint64_t{1} << token.extra_bits);
        const PackedHead packed{PackedHead::of(token.symbol).bits + static_cast<uint32_t>(token.extra)};
        const RowHead told = packed.head();
        ASSERT_EQ(packed.more(), told.more_back() || told.more_runs() || told.more_rest());
        ASSERT_EQ(told.more_back() ? back >= told.back : back == told.back, true);
        ASSERT_EQ(told.more_runs() ? runs >= told.runs : runs == told.runs, true);
        ASSERT_EQ(told.more_rest() ? rest >= told.rest : rest == told.rest, true);
      }
    }
  }
}

// Of a row that is wanted alone only the rows that it is made of are built.
TEST(GroupCodec, RowsThatAreMadeOfManyOthers) {
  RowBatch rows;
  std::mt19937_64 random(8);
  std::vector<Node> links;
  for (int row = 0; row < 500; ++row) {
    // The links of the row before, some left out, some more; now and then many in a row.
    std::erase_if(links, [&](Node) { return random() % 8 == 0; });
    for (uint64_t i = random() % 30; i > 0; --i) links.push_back(random() % 5000);
    if (row % 7 == 0) {
      for (uint64_t i = random() % 40, from = random() % 4000; i > 0; --i) links.push_back(from++);
    }
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    rows.links.insert(rows.links.end(), links.begin(), links.end());
    rows.ends.push_back(rows.links.size());
  }
  expect_same(rows, model_of(rows), 5000);
  expect_same(rows, RowModel(), 5000);
}

// As many links as a group can have without being split, all in runs of one, and one more.
TEST(GroupCodec, GroupsThatAreAlmostSplit) {
  for (const uint64_t links : {kSplitLinks, kSplitLinks + 1}) {
    RowBatch rows;
    for (unsigned row = 0; row < kGroupRows; ++row) {
      const uint64_t n = row + 1 < kGroupRows ? links / kGroupRows : links - rows.links.size();
      for (Node i = 0; i < n; ++i) rows.links.push_back(2 * i + (row % 2 ? i % 2 : 0));
      rows.ends.push_back(rows.links.size());
    }
    expect_same(rows, model_of(rows), 100'000);
  }
}

TEST(GroupCodec, NumbersOfFortyBits) {
  const uint64_t nodes = uint64_t{1} << 40;
  RowBatch rows;
  std::mt19937_64 random(4);
  for (int row = 0; row < 100; ++row) {
    std::vector<Node> links;
    for (int i = 0; i < 30; ++i) links.push_back(random() % nodes);
    links.push_back(nodes - 1);
    links.push_back(0);
    std::sort(links.begin(), links.end());
    rows.links.insert(rows.links.end(), links.begin(), links.end());
    rows.ends.push_back(rows.links.size());
  }
  expect_same(rows, model_of(rows), nodes, nodes - 100);
}

TEST(GroupCodec, RowsThatAreAlikeCostLittle) {
  RowBatch rows;
  std::mt19937_64 random(5);
  std::vector<Node> links;
  for (int i = 0; i < 100; ++i) links.push_back(random() % 1'000'000);
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  for (int row = 0; row < 1600; ++row) {
    rows.links.insert(rows.links.end(), links.begin(), links.end());
    rows.ends.push_back(rows.links.size());
  }
  const Encoded encoded = encode(rows, model_of(rows));
  // One of twelve rows is told, with about 13 bits a link; the others are copied.
  EXPECT_LT(static_cast<double>(encoded.offsets.back()) / static_cast<double>(rows.links.size()), 1.2);
}

// The neighbours of a page with very many links are had without decoding these.
TEST(GroupCodec, LongRowsStandAlone) {
  RowBatch rows;
  for (int row = 0; row < 12; ++row) {
    if (row == 3) {
      for (Node i = 0; i < 100'000; ++i) rows.links.push_back(3 * i + i % 2);
    }
    rows.links.push_back(400'000);
    rows.ends.push_back(rows.links.size());
  }
  expect_same(rows, model_of(rows), 500'000);
}

TEST(GroupCodec, AnyBitsAreSafeToDecode) {
  const Shape shape = web_shape(3000, 6);
  const RowBatch rows = rows_of(shape);
  const Encoded whole = encode(rows, model_of(rows));
  std::mt19937_64 random(7);
  for (int round = 0; round < 3000; ++round) {
    Encoded damaged{whole.bytes, whole.offsets, std::make_unique<RowTables>(*whole.tables)};
    const size_t flips = 1 + random() % 20;
    for (size_t i = 0; i < flips; ++i) {
      const size_t bit = random() % (8 * (damaged.bytes.size() - kBitPadding));
      damaged.bytes[bit / 8] = static_cast<char>(damaged.bytes[bit / 8] ^ (1 << bit % 8));
    }
    GroupDecoder decoder = damaged.decoder(shape.nodes, shape.links.size());
    for (int i = 0; i < 20; ++i) {
      const size_t group = random() % (damaged.offsets.size() - 1);
      const auto n =
          static_cast<unsigned>(1 + random() % std::min<size_t>(kGroupRows, shape.nodes - group * kGroupRows));
      const auto decoded =
          decoder.decode(damaged.offsets[group], damaged.offsets[group + 1], group * kGroupRows, n, random() % 2 == 0);
      if (!decoded) continue;
      for (const Node link : decoder.row(n - 1)) ASSERT_LT(link, shape.nodes);
    }
  }
}

}  // namespace
}  // namespace aduana
