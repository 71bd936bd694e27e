#include "graph/edges/edge_file.h"

#include <gtest/gtest.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <filesystem>

#include "base/simulated_disk.h"
#include "graph/edges/listed_links.h"

namespace aduana {
namespace {

constexpr const char* kPath = "/links";

std::string pair_bytes(const LinkVector& links) {
  std::string bytes;
  for (const auto& [from, to] : links)
    for (const Node node : {from, to})
      for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(node >> shift));
  return bytes;
}

std::string xz(const std::string& plain) {
  std::string out(lzma_stream_buffer_bound(plain.size()), '\0');
  size_t n = 0;
  EXPECT_EQ(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const uint8_t*>(plain.data()),
                                    plain.size(), reinterpret_cast<uint8_t*>(out.data()), &n, out.size()),
            LZMA_OK);
  out.resize(n);
  return out;
}

std::string gzip(const std::string& plain) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, plain.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd(const std::string& plain) {
  std::string out(ZSTD_compressBound(plain.size()), '\0');
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  out.resize(ZSTD_compress2(context, out.data(), out.size(), plain.data(), plain.size()));
  ZSTD_freeCCtx(context);
  return out;
}

struct Format {
  const char* name;
  std::string (*compress)(const std::string& plain);
};

void PrintTo(const Format& format, std::ostream* out) { *out << format.name; }

class EdgeFileTest : public testing::Test {
 protected:
  Result<LinkVector> read(const std::string& bytes) {
    must(must(disk_.open(kPath, OpenMode::create_empty))->write_at(0, bytes));
    ADUANA_ASSIGN(const auto source, open_edge_file(kPath, disk_));
    return read_links(*source);
  }
  // Expects a Code::corrupt that names the file and says this.
  void expect_corrupt(const std::string& bytes, const std::string& says) {
    const auto links = read(bytes);
    ASSERT_FALSE(links);
    EXPECT_EQ(links.error().code(), Code::corrupt);
    EXPECT_NE(links.error().message().find(kPath), std::string::npos) << links.error().message();
    EXPECT_NE(links.error().message().find(says), std::string::npos) << links.error().message();
  }

  SimulatedDisk disk_;
  const LinkVector links_ = random_links(1, 50'000, Node{1} << 32);
};

class CompressedEdgeFileTest : public EdgeFileTest, public testing::WithParamInterface<Format> {
 protected:
  static std::string compressed(const std::string& plain) { return GetParam().compress(plain); }
};

INSTANTIATE_TEST_SUITE_P(Formats, CompressedEdgeFileTest,
                         testing::Values(Format{"xz", xz}, Format{"gzip", gzip}, Format{"zstd", zstd}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_F(EdgeFileTest, PlainPairsAreRead) {
  EXPECT_EQ(must(read(pair_bytes(links_))), links_);
  EXPECT_EQ(must(read("")), LinkVector());
}

TEST_F(EdgeFileTest, NumbersAreLittleEndian) {
  EXPECT_EQ(must(read(std::string("\1\2\0\0\0\0\0\x80", 8))), (LinkVector{{0x201, 0x80000000}}));
}

TEST_F(EdgeFileTest, LengthThatIsNoMultipleOfEightIsAnError) {
  expect_corrupt(pair_bytes({{1, 2}, {3, 4}}) + "abc", "19 bytes");
  expect_corrupt("abc", "3 bytes");
}

TEST_F(EdgeFileTest, LinksThatBeginLikeGzipAreLinks) {
  const LinkVector links{{559903, 1}, {559903, 2}, {559904, 0}};
  ASSERT_EQ(pair_bytes(links).substr(0, 3), "\x1f\x8b\x08");
  EXPECT_EQ(must(read(pair_bytes(links))), links);
}

TEST_F(EdgeFileTest, LinksThatBeginLikeASkippedFrameAreLinks) {
  const LinkVector links{{0x184d2a50, 4}, {1, 2}};
  EXPECT_EQ(must(read(pair_bytes(links))), links);
}

TEST_F(EdgeFileTest, ZstandardMayBeginWithAFrameToSkip) {
  const std::string skipped("\x50\x2a\x4d\x18\4\0\0\0abcd", 12);
  EXPECT_EQ(must(read(skipped + zstd(pair_bytes(links_)) + skipped)), links_);
}

TEST_F(EdgeFileTest, XzMayBePadded) { EXPECT_EQ(must(read(xz(pair_bytes(links_)) + std::string(8, '\0'))), links_); }

TEST_F(EdgeFileTest, MissingFileAndFolderAreErrorsWithARemedy) {
  for (const std::string& path : {std::string("/nowhere/links"), std::filesystem::temp_directory_path().string()}) {
    const auto opened = open_edge_file(path);
    ASSERT_FALSE(opened);
    EXPECT_NE(opened.error().message().find(path), std::string::npos);
    EXPECT_NE(opened.error().message().find("name a file of links"), std::string::npos) << opened.error().message();
  }
  EXPECT_EQ(open_edge_file("/nowhere/links").error().code(), Code::not_found);
}

TEST_P(CompressedEdgeFileTest, IsReadAgainFromTheStart) {
  must(must(disk_.open(kPath, OpenMode::create_empty))->write_at(0, compressed(pair_bytes(links_))));
  const auto source = must(open_edge_file(kPath, disk_));
  EXPECT_EQ(must(read_links(*source, 7)), links_);
  must(source->reset());
  std::vector<NodeLink> some(100);
  EXPECT_EQ(must(source->next(some)), some.size());
  must(source->reset());
  EXPECT_EQ(must(read_links(*source, 100'000)), links_);
  EXPECT_EQ(must(source->next(some)), 0u);
}

TEST_P(CompressedEdgeFileTest, SeveralAfterEachOtherAreOne) {
  const std::string plain = pair_bytes(links_);
  // A member may end in the middle of a link, and one may be empty.
  const size_t cut = plain.size() / 2 + 3;
  EXPECT_EQ(must(read(compressed(plain.substr(0, cut)) + compressed("") + compressed(plain.substr(cut)))), links_);
  EXPECT_EQ(must(read(compressed(""))), LinkVector());
}

TEST_P(CompressedEdgeFileTest, CutOffAnywhereIsAnError) {
  const std::string bytes = compressed(pair_bytes(random_links(2, 40, 1000)));
  for (size_t n = 12; n < bytes.size(); ++n) expect_corrupt(bytes.substr(0, n), "ends early");
  const std::string large = compressed(pair_bytes(links_));
  expect_corrupt(large.substr(0, large.size() - 1), "after byte " + std::to_string(large.size() - 1));
}

TEST_P(CompressedEdgeFileTest, DamageIsAnError) {
  std::string bytes = compressed(pair_bytes(links_));
  bytes[bytes.size() / 2] ^= 0x55;
  expect_corrupt(bytes, "damaged");
}

TEST_P(CompressedEdgeFileTest, SomethingElseBehindItIsAnError) {
  expect_corrupt(compressed(pair_bytes(links_)) + "something else", "follow the compressed content");
}

TEST_P(CompressedEdgeFileTest, ContentThatIsNoMultipleOfEightIsAnError) {
  expect_corrupt(compressed(pair_bytes(links_) + "ab"), "400002 bytes");
}

}  // namespace
}  // namespace aduana
