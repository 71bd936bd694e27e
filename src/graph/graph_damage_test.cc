// Graph files that are damaged, cut short, made by somebody else or made up.
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "base/checksum.h"
#include "graph/built_graph.h"
#include "graph/graph_header.h"
#include "graph/rank/page_rank.h"

namespace aduana {
namespace {

// A graph, with what must come out of it or an error.
struct Original {
  Original(Shape made_of, bool with_urls) : shape(std::move(made_of)) {
    if (with_urls) urls = random_urls(1, shape.nodes);
    GraphBuildOptions options;
    options.order_by_url = false;
    bytes = graph_bytes(shape, with_urls ? &urls : nullptr, options);
    out = row_lists(shape.nodes, shape.links);
    in = row_lists(shape.nodes, shape.links, true);
  }

  Shape shape;
  std::vector<std::string> urls;
  std::string bytes;
  RowLists out, in;
};

// Reads all rows one by one: how many can't be had. Those that can must be right.
size_t missing_rows(const CompressedRows& rows, const RowLists& expected) {
  CompressedRows::Reader reader(rows);
  size_t missing = 0;
  for (Node node = 0; node < expected.size(); ++node) {
    const auto row = reader.row(node);
    if (row) {
      EXPECT_TRUE(std::ranges::equal(*row, expected[node])) << "page " << node;
    } else {
      EXPECT_EQ(row.error().code(), Code::corrupt) << row.error().message();
      ++missing;
    }
  }
  const Status walked = rows.for_each_row(0, rows.nodes(), [&](Node node, std::span<const Node> links) {
    EXPECT_TRUE(std::ranges::equal(links, expected[node])) << "page " << node;
  });
  EXPECT_EQ(bool(walked), missing == 0);
  return missing;
}

// Whether the damage shows: in open(), or in check() and in whatever is read of the damaged part.
testing::AssertionResult detected(const Original& original, const std::string& bytes) {
  const auto graph = open_bytes(bytes);
  if (!graph) {
    if (graph.error().message().starts_with(kGraphPath)) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "the error does not name the file: " << graph.error().message();
  }
  size_t missing = missing_rows((*graph)->out(), original.out) + missing_rows((*graph)->in(), original.in);
  for (Node node = 0; node < original.urls.size(); ++node) {
    const auto url = (*graph)->urls()->url(node);
    const auto found = (*graph)->urls()->find(original.urls[node]);
    if (url && *url != original.urls[node]) return testing::AssertionFailure() << "another URL of page " << node;
    if (found && (!*found || original.urls[**found] != original.urls[node])) {
      return testing::AssertionFailure() << "another page of " << original.urls[node];
    }
    missing += !url || !found;
  }
  if (problems_of(**graph).empty()) return testing::AssertionFailure() << "check() finds nothing";
  if (missing == 0) return testing::AssertionSuccess() << "in bytes that nobody reads";
  return testing::AssertionSuccess();
}

std::string flipped(std::string bytes, uint64_t bit) {
  bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
  return bytes;
}

TEST(GraphDamage, AnyBitOfASmallFileIsNoticed) {
  for (const bool with_urls : {false, true}) {
    const Original original(web_shape(100, 1), with_urls);
    EXPECT_FALSE(detected(original, original.bytes));
    for (uint64_t bit = 0; bit < original.bytes.size() * 8; ++bit) {
      ASSERT_TRUE(detected(original, flipped(original.bytes, bit))) << "bit " << bit;
    }
  }
}

// Opening a large file looks at a part of it.
TEST(GraphDamage, AnyBitOfALargeFileIsNoticedWhereItIsRead) {
  const Original original(web_shape(40'000, 2), true);
  ASSERT_GT(original.bytes.size(), 8 * kCheckedChunk);
  const GraphHeader header = must(GraphHeader::decode(original.bytes));
  std::mt19937_64 random(3);
  size_t opened = 0;
  for (const ByteRange& range : {header.out.model, header.out.offsets, header.out.rows, header.in.rows,
                                 header.urls.names, header.urls.positions, header.urls.nodes}) {
    const uint64_t at = GraphHeader::kBytes + range.begin + random() % range.size();
    const std::string bytes = flipped(original.bytes, at * 8 + random() % 8);
    EXPECT_TRUE(detected(original, bytes)) << "byte " << at;
    opened += open_bytes(bytes).has_value();
  }
  EXPECT_GE(opened, 2u);  // else there was nothing to notice later
}

TEST(GraphDamage, RowsBesideTheDamageAreStillRead) {
  const Original original(web_shape(40'000, 4), false);
  const GraphHeader header = must(GraphHeader::decode(original.bytes));
  const ByteRange& rows = header.out.rows;
  ASSERT_GT(rows.size(), 2 * kCheckedChunk);
  const auto graph = must(open_bytes(flipped(original.bytes, (GraphHeader::kBytes + rows.begin + 100) * 8)));
  const size_t missing = missing_rows(graph->out(), original.out);
  EXPECT_GT(missing, 100u);
  EXPECT_LT(missing, original.out.size() * 3 / 4);
  EXPECT_EQ(missing_rows(graph->in(), original.in), 0u);
  EXPECT_EQ(problems_of(*graph).size(), 1u);
}

TEST(GraphDamage, AnyOtherLengthIsAnErrorOfOpen) {
  const Original original(web_shape(100, 5), true);
  for (size_t n = 0; n < original.bytes.size(); ++n) {
    const auto graph = open_bytes(original.bytes.substr(0, n));
    ASSERT_FALSE(graph) << n;
    const bool begins_like_one = n >= 8;
    ASSERT_EQ(graph.error().code(), begins_like_one ? Code::corrupt : Code::invalid) << graph.error().message();
  }
  for (const size_t more : {1, 4, 8, 1000, 100'000}) {
    const auto graph = open_bytes(original.bytes + std::string(more, '\0'));
    ASSERT_FALSE(graph) << more;
    ASSERT_EQ(graph.error().code(), Code::corrupt);
  }
}

void expect_refused(const std::string& bytes, Code code, const std::string& says) {
  const auto graph = open_bytes(bytes);
  ASSERT_FALSE(graph);
  EXPECT_EQ(graph.error().code(), code);
  EXPECT_TRUE(graph.error().message().starts_with(kGraphPath)) << graph.error().message();
  EXPECT_NE(graph.error().message().find(says), std::string::npos) << graph.error().message();
}

// Makes the checksums of a file right again.
std::string sealed(const GraphHeader& changed, const std::string& bytes) {
  GraphHeader header = changed;
  const std::string body = bytes.substr(GraphHeader::kBytes, header.body_bytes);
  ChunkChecksums sums;
  sums.add(body);
  const std::string table = sums.finish();
  header.table_checksum = checksum64(table);
  return header.encode() + body + table;
}

TEST(GraphDamage, WhatIsNoGraphIsSaidToBeNone) {
  const std::string bytes = graph_bytes(web_shape(100, 6));
  expect_refused("", Code::invalid, "not a graph");
  expect_refused("from to\n1 2\n", Code::invalid, "not a graph");
  expect_refused(std::string(1000, '\0'), Code::invalid, "not a graph");
  expect_refused(bytes.substr(0, 100), Code::corrupt, "cut short");
  SimulatedDisk disk;
  EXPECT_EQ(Graph::open(disk, "/nowhere").error().code(), Code::not_found);

  std::string newer = bytes.substr(0, GraphHeader::kBytes - 8);
  newer[11] = 7;
  append_be(newer, checksum64(newer));
  expect_refused(newer + bytes.substr(GraphHeader::kBytes), Code::unsupported, "version 7");
}

TEST(GraphDamage, OtherNumbersOfPagesAndSectionsThatAreNotThereAreRefused) {
  const std::string bytes = graph_bytes(shape_of("", 40, {{1, 2}, {20, 39}}));
  const GraphHeader right = must(GraphHeader::decode(bytes));
  EXPECT_TRUE(sealed(right, bytes) == bytes);
  for (const uint64_t nodes : {uint64_t{0}, uint64_t{32}, uint64_t{49}, uint64_t{1} << 40, ~uint64_t{0}}) {
    GraphHeader header = right;
    header.nodes = nodes;
    expect_refused(sealed(header, bytes), Code::corrupt, "pages");
  }
  GraphHeader header = right;
  header.in.rows.end = header.body_bytes + 1;
  expect_refused(sealed(header, bytes), Code::corrupt, "sections");
  header = right;
  std::swap(header.out.offsets.begin, header.out.offsets.end);
  expect_refused(sealed(header, bytes), Code::corrupt, "sections");
  header = right;
  header.out.model.end -= 1;
  expect_refused(sealed(header, bytes), Code::corrupt, "model");
  header = right;
  header.out.rows.end -= 1;
  expect_refused(sealed(header, bytes), Code::corrupt, "offsets");
}

// Rounded up to whole groups of rows these are none at all.
TEST(GraphDamage, SoManyPagesThatTheirGroupsOverflowAreRefused) {
  const std::string bytes = graph_bytes(shape_of("", 0, {}));
  GraphHeader header = must(GraphHeader::decode(bytes));
  for (const uint64_t less : {0, 7, 14}) {
    header.nodes = ~uint64_t{0} - less;
    expect_refused(sealed(header, bytes), Code::corrupt, "pages");
  }
}

TEST(GraphDamage, CheckComparesTheDirections) {
  const std::string bytes = graph_bytes(web_shape(1000, 7));
  GraphHeader header = must(GraphHeader::decode(bytes));
  header.in = header.out;
  const auto graph = must(open_bytes(sealed(header, bytes)));
  EXPECT_EQ(problems_of(*graph).size(), 1u);
}

TEST(GraphDamage, CheckCountsTheLinks) {
  const std::string bytes = graph_bytes(web_shape(1000, 8));
  GraphHeader header = must(GraphHeader::decode(bytes));
  ++header.links;
  EXPECT_EQ(problems_of(*must(open_bytes(sealed(header, bytes)))).size(), 2u);
}

// Whatever can be read of the graph: pages that there are, or Code::corrupt.
void read_all(const Graph& graph, std::mt19937_64& random) {
  const uint64_t n = graph.nodes();
  bool whole = true;
  for (const CompressedRows* rows : {&graph.out(), &graph.in()}) {
    const Status walked = rows->for_each_row(0, n, [&](Node, std::span<const Node> links) {
      for (const Node link : links) ASSERT_LT(link, n);
    });
    ASSERT_TRUE(walked || walked.error().code() == Code::corrupt);
    whole = whole && walked;
    CompressedRows::Reader reader(*rows);
    for (int i = 0; i < 50 && n; ++i) {
      const auto row = reader.row(random() % n);
      ASSERT_TRUE(row || row.error().code() == Code::corrupt);
      if (!row) continue;
      for (const Node link : *row) ASSERT_LT(link, n);
    }
  }
  for (int i = 0; i < 50 && n && graph.urls(); ++i) {
    const auto url = graph.urls()->url(random() % n);
    ASSERT_TRUE(url || url.error().code() == Code::corrupt);
  }
  PageRank page_rank = must(PageRank::open(n));
  PageRankOptions options;
  options.loops.max_loops = 3;
  const auto ranked = page_rank.compute(graph.in(), {}, options);
  ASSERT_TRUE(ranked || ranked.error().code() == Code::corrupt);
  ASSERT_TRUE(ranked || !whole);
}

TEST(GraphDamage, ContentsThatAreMadeUpAreSafeToRead) {
  const std::vector<std::string> urls = random_urls(9, 700);
  GraphBuildOptions options;
  options.order_by_url = false;
  const std::string whole = graph_bytes(web_shape(700, 10), &urls, options);
  std::mt19937_64 random(11);
  size_t opened = 0, told = 0;
  for (int round = 0; round < 1000; ++round) {
    std::string bytes = whole;
    GraphHeader header = must(GraphHeader::decode(bytes));
    ByteRange* const sections[] = {&header.out.rows,       &header.out.offsets, &header.out.model,
                                   &header.in.rows,        &header.urls.names,  &header.urls.offsets,
                                   &header.urls.positions, &header.urls.nodes};
    for (size_t n = 1 + random() % 3; n > 0; --n) {
      const ByteRange& section = *sections[random() % std::size(sections)];
      const uint64_t some = random() % 4 ? 1 + random() % 3 : section.size();  // a few bytes of it, or all
      const uint64_t begin = random() % (section.size() - some + 1);
      for (uint64_t i = 0; i < some; ++i) {
        bytes[GraphHeader::kBytes + section.begin + begin + i] = static_cast<char>(random());
      }
    }
    if (random() % 8 == 0) header.links = random() >> random() % 64;
    if (random() % 16 == 0) header.nodes += random() % 40 - 20;
    if (random() % 16 == 0) {
      ByteRange& section = *sections[random() % std::size(sections)];
      section.end = section.begin + random() % (section.size() + 1);
    }
    const auto graph = open_bytes(sealed(header, bytes));
    if (!graph) {
      ASSERT_EQ(graph.error().code(), Code::corrupt) << graph.error().message();
      continue;
    }
    ++opened;
    read_all(**graph, random);
    if (HasFatalFailure()) return;
    told += !problems_of(**graph).empty();
  }
  EXPECT_GT(opened, 300u);
  EXPECT_GT(told, opened / 2);
}

}  // namespace
}  // namespace aduana
