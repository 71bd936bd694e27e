// check, rebuild and compact: damage in any file is found and named, and what is derived can be derived again.

#include <cstdio>
#include <map>

#include "cli_runner.h"

namespace aduana {
namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// A crawl that needs every kind of file: thousands of URLs for index runs and URL blocks, long content hashes and
// metadata for blobs.
std::string crawl(int first, int end) {
  std::string lines;
  for (int i = first; i < end; ++i) {
    const std::string n = std::to_string(i);
    lines += "{\"url\":\"http://host" + std::to_string(i % 40) + ".example/page/" + n + "\",\"time\":" + n +
             ",\"content_hash\":\"a hash that is longer than a record holds " + n + "\",\"metadata\":\"m" + n +
             "\",\"links\":[";
    for (int k = 0; k < 10; ++k) {
      const int to = (i * 7 + k * 131) % 5000;
      lines += "[\"http://host" + std::to_string(to % 40) + ".example/page/" + std::to_string(to) + "\",0.5],";
    }
    lines.back() = ']';
    lines += "}\n";
  }
  return lines;
}

class DamageTest : public CliTest {
 protected:
  DamageTest() {
    load(crawl(0, 1000), {"--memtable", "512", "--keep-journal", "--checkpoint-bytes", "64K"});
    output_of({"db", "compact", db()});  // so that no index run is left that the store does without
  }

  std::string dump(const std::string& store) {
    return output_of({"db", "dump", "info", "--json", store}) + output_of({"db", "dump", "links", store});
  }

  // One file of each kind, relative to the store, with all that the store has in it.
  std::map<std::string, std::string> one_of_each_kind() {
    std::map<std::string, std::string> kinds;
    for (const auto& entry : fs::recursive_directory_iterator(db())) {
      const std::string name = fs::relative(entry.path(), db()).string();
      if (!entry.is_regular_file() || entry.file_size() == 0) continue;
      const std::string kind = name.substr(0, name.find_first_of("-/"));
      kinds.emplace(kind, name);
    }
    for (const char* kind :
         {"MANIFEST", "pages.rec", "details.rec", "urls.dir", "urls", "hosts", "links", "blobs", "index", "journal"}) {
      EXPECT_TRUE(kinds.contains(kind)) << kind;
    }
    return kinds;
  }

  std::string copy_of_store() {
    const std::string copy = path("copy");
    fs::remove_all(copy);
    fs::copy(db(), copy, fs::copy_options::recursive);
    return copy;
  }
};

void flip_byte(const std::string& file, uint64_t offset) {
  std::string bytes = read_whole(file);
  ASSERT_LT(offset, bytes.size());
  bytes[offset] = static_cast<char>(bytes[offset] ^ 0x40);
  write_whole(file, bytes);
}

TEST_F(DamageTest, StoreIsFine) {
  EXPECT_EQ(output_of({"db", "check", db()}).substr(0, 13), "no problems: ");
  EXPECT_TRUE(output_of({"db", "check", db(), "--json"}).starts_with("{\"problems\":[],\"pages\":"));
}

TEST_F(DamageTest, FlippedByteInAnyFileIsFoundAndNamed) {
  for (const auto& [kind, name] : one_of_each_kind()) {
    const uint64_t size = fs::file_size(db() + "/" + name);
    for (const uint64_t offset : {uint64_t{0}, size / 2, size - 1}) {
      SCOPED_TRACE(name + " at " + std::to_string(offset));
      const std::string copy = copy_of_store();
      flip_byte(copy + "/" + name, offset);
      const RunResult result = run({"db", "check", copy});
      EXPECT_EQ(result.code, 1) << result.out << result.err;
      EXPECT_TRUE(contains(result.out, copy + "/" + name)) << result.out.substr(0, 1000);
      EXPECT_TRUE(result.out.ends_with(" problem\n") || result.out.ends_with(" problems\n")) << result.out;
      const RunResult json = run({"db", "check", copy, "--json"});
      EXPECT_EQ(json.code, 1);
      EXPECT_TRUE(json.out.starts_with("{\"problems\":[\"")) << json.out.substr(0, 1000);
    }
  }
}

TEST_F(DamageTest, MissingFileIsFound) {
  for (const auto& [kind, name] : one_of_each_kind()) {
    SCOPED_TRACE(name);
    const std::string copy = copy_of_store();
    fs::remove(copy + "/" + name);
    const RunResult result = run({"db", "check", copy});
    EXPECT_EQ(result.code, 1) << result.out << result.err;
    EXPECT_TRUE(contains(result.out, kind)) << result.out.substr(0, 1000);
  }
}

TEST_F(DamageTest, CutFileIsFound) {
  for (const auto& [kind, name] : one_of_each_kind()) {
    SCOPED_TRACE(name);
    const std::string copy = copy_of_store();
    fs::resize_file(copy + "/" + name, fs::file_size(copy + "/" + name) / 2);
    const RunResult result = run({"db", "check", copy});
    EXPECT_EQ(result.code, 1) << result.out << result.err;
  }
}

TEST_F(DamageTest, RebuildRestoresWhatIsDerived) {
  const std::string before = dump(db());
  for (const auto& [kind, name] : one_of_each_kind()) {
    if (kind == "journal") continue;
    for (const bool remove : {true, false}) {
      SCOPED_TRACE((remove ? "without " : "with damaged ") + name);
      const std::string copy = copy_of_store();
      if (remove) {
        fs::remove(copy + "/" + name);
      } else {
        flip_byte(copy + "/" + name, fs::file_size(copy + "/" + name) / 2);
      }
      const RunResult result = run({"db", "rebuild", copy});
      EXPECT_EQ(result.code, 0) << result.err;
      EXPECT_TRUE(contains(result.out, "everything derived from the journal")) << result.out;
      EXPECT_EQ(contains(result.err, "settings"), kind == "MANIFEST") << result.err;
      EXPECT_TRUE(dump(copy) == before);
      EXPECT_EQ(run({"db", "check", copy}).code, 0);
    }
  }
}

TEST_F(DamageTest, RebuildWithoutItsJournalChangesNothing) {
  const std::string copy = copy_of_store();
  for (const auto& entry : fs::directory_iterator(copy + "/journal")) {
    flip_byte(entry.path().string(), fs::file_size(entry.path()) / 2);
    break;
  }
  const std::string before = read_whole(copy + "/MANIFEST");
  const RunResult result = run({"db", "rebuild", copy});
  EXPECT_EQ(result.code, 1) << result.out << result.err;
  EXPECT_TRUE(contains(result.err, "journal")) << result.err;
  EXPECT_TRUE(read_whole(copy + "/MANIFEST") == before);
}

TEST_F(DamageTest, RebuildTwiceAndThenGoOn) {
  const std::string before = dump(db());
  EXPECT_TRUE(
      output_of({"db", "rebuild", db(), "--json"}).ends_with(",\"from_journal\":true,\"settings_lost\":false}\n"));
  output_of({"db", "rebuild", db()});
  EXPECT_TRUE(dump(db()) == before);
  load(crawl(1000, 1100));
  EXPECT_EQ(run({"db", "check", db()}).code, 0);
}

TEST_F(DamageTest, CompactKeepsEverythingAndGivesSpaceBack) {
  for (int i = 0; i < 3; ++i)
    load(crawl(0, 1000), {"--checkpoint-bytes", "64K"});  // the same pages: old lists are dead
  const std::string before = dump(db());
  const std::string json = output_of({"db", "compact", db(), "--json"});
  EXPECT_TRUE(json.starts_with("{\"bytes_before\":")) << json;
  EXPECT_TRUE(dump(db()) == before);
  EXPECT_EQ(output_of({"db", "check", db()}).substr(0, 13), "no problems: ");
  EXPECT_TRUE(contains(output_of({"db", "compact", db()}), " bytes, "));
  EXPECT_TRUE(dump(db()) == before);
}

}  // namespace
}  // namespace aduana
