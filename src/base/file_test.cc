// The contract of file.h, asked of both disks.
#include "base/file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/simulated_disk.h"

namespace aduana {
namespace {

using Names = std::vector<std::string>;

class FileContract : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (std::string(GetParam()) == "simulated") {
      simulated_ = std::make_unique<SimulatedDisk>();
      fs_ = simulated_.get();
      root_ = "/test";
      ASSERT_TRUE(fs_->create_dirs(root_));
    } else {
      std::string folder = (std::filesystem::temp_directory_path() / "aduana-file-test-XXXXXX").string();
      ASSERT_NE(::mkdtemp(folder.data()), nullptr);
      fs_ = &real_files();
      root_ = folder;
    }
  }

  void TearDown() override {
    if (!simulated_) std::filesystem::remove_all(root_);
  }

  std::string path(std::string_view name) const { return join_path(root_, name); }

  std::unique_ptr<File> open(std::string_view name, OpenMode mode) {
    auto file = fs_->open(path(name), mode);
    EXPECT_TRUE(file) << file.error().message();
    return file ? *std::move(file) : nullptr;
  }

  void put(std::string_view name, std::string_view bytes) {
    ASSERT_TRUE(open(name, OpenMode::create_empty)->write_at(0, bytes));
  }

  std::string get(std::string_view name) {
    const auto bytes = read_file(*fs_, path(name));
    return bytes ? *bytes : std::string("<") + name_of(bytes.error().code()) + ">";
  }

  template <class T>
  static std::string code_of(const Result<T>& result) {
    return result ? "ok" : name_of(result.error().code());
  }

  FileSystem* fs_ = nullptr;
  std::string root_;
  std::unique_ptr<SimulatedDisk> simulated_;
};

INSTANTIATE_TEST_SUITE_P(Disks, FileContract, testing::Values("real", "simulated"),
                         [](const auto& disk) { return std::string(disk.param); });

TEST_P(FileContract, WritesAreSeenAtOnceByEveryReader) {
  const auto writer = open("a", OpenMode::create);
  const auto reader = open("a", OpenMode::read);
  ASSERT_TRUE(writer->write_at(0, "hello world"));
  ASSERT_TRUE(writer->write_at(6, "there"));
  char buffer[32];
  EXPECT_EQ(*reader->read_at(0, buffer, sizeof buffer), 11u);
  EXPECT_EQ(std::string(buffer, 11), "hello there");
  EXPECT_EQ(*reader->size(), 11u);
}

TEST_P(FileContract, ReadsLessOnlyAtTheEnd) {
  put("a", "0123456789");
  const auto file = open("a", OpenMode::read);
  char buffer[8];
  EXPECT_EQ(*file->read_at(2, buffer, 8), 8u);
  EXPECT_EQ(*file->read_at(7, buffer, 8), 3u);
  EXPECT_EQ(*file->read_at(10, buffer, 8), 0u);
  EXPECT_EQ(*file->read_at(1000, buffer, 8), 0u);
  EXPECT_EQ(*file->read_at(0, buffer, 0), 0u);
}

TEST_P(FileContract, GapReadsAsZeros) {
  const auto file = open("a", OpenMode::create);
  ASSERT_TRUE(file->write_at(0, "x"));
  ASSERT_TRUE(file->write_at(10'000, "y"));
  EXPECT_EQ(get("a"), "x" + std::string(9'999, '\0') + "y");
}

TEST_P(FileContract, EmptyWriteDoesNotExtend) {
  const auto file = open("a", OpenMode::create);
  ASSERT_TRUE(file->write_at(100, ""));
  EXPECT_EQ(*file->size(), 0u);
}

TEST_P(FileContract, LargeWriteComesBackWhole) {
  std::string bytes(3'000'001, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 2654435761u >> 13);
  put("a", bytes);
  EXPECT_TRUE(get("a") == bytes);
}

TEST_P(FileContract, TruncateCutsAndExtendsWithZeros) {
  const auto file = open("a", OpenMode::create);
  ASSERT_TRUE(file->write_at(0, "0123456789"));
  ASSERT_TRUE(file->truncate(4));
  EXPECT_EQ(get("a"), "0123");
  ASSERT_TRUE(file->truncate(6));
  EXPECT_EQ(get("a"), std::string("0123\0\0", 6));
  ASSERT_TRUE(file->truncate(0));
  EXPECT_EQ(get("a"), "");
}

TEST_P(FileContract, OpenModes) {
  EXPECT_EQ(code_of(fs_->open(path("a"), OpenMode::read)), "not_found");
  EXPECT_EQ(code_of(fs_->open(path("a"), OpenMode::write)), "not_found");
  EXPECT_EQ(code_of(fs_->open(path("a"), OpenMode::read_direct)), "not_found");
  EXPECT_EQ(code_of(fs_->open(path("no/a"), OpenMode::create)), "not_found");
  put("a", "kept");
  ASSERT_TRUE(open("a", OpenMode::create));
  EXPECT_EQ(get("a"), "kept");
  ASSERT_TRUE(open("a", OpenMode::write)->write_at(0, "K"));
  EXPECT_EQ(get("a"), "Kept");
  ASSERT_TRUE(open("a", OpenMode::create_empty));
  EXPECT_EQ(get("a"), "");
}

TEST_P(FileContract, ReadOnlyFileRefusesChanges) {
  put("a", "kept");
  const auto file = open("a", OpenMode::read);
  EXPECT_EQ(code_of(file->write_at(0, "x")), "invalid");
  EXPECT_EQ(code_of(file->truncate(0)), "invalid");
  EXPECT_EQ(get("a"), "kept");
}

TEST_P(FileContract, DirectReadsWholeUnitsAndTheTail) {
  std::string bytes;
  for (size_t i = 0; i < 10'000; ++i) bytes += static_cast<char>('a' + i % 23);
  put("a", bytes);
  ASSERT_TRUE(open("a", OpenMode::write)->sync());
  const auto file = open("a", OpenMode::read_direct);
  const std::unique_ptr<char, decltype(&std::free)> buffer(static_cast<char*>(std::aligned_alloc(4096, 16384)),
                                                           &std::free);
  EXPECT_EQ(*file->read_at(0, buffer.get(), 8192), 8192u);
  EXPECT_EQ(std::string(buffer.get(), 8192), bytes.substr(0, 8192));
  EXPECT_EQ(*file->read_at(4096, buffer.get(), 16384), 10'000u - 4096u);
  EXPECT_EQ(std::string(buffer.get(), 10'000 - 4096), bytes.substr(4096));
  EXPECT_EQ(*file->read_at(12288, buffer.get(), 4096), 0u);
  EXPECT_EQ(code_of(file->read_at(100, buffer.get(), 4096)), "invalid");
  EXPECT_EQ(code_of(file->read_at(0, buffer.get() + 8, 4096)), "invalid");
  EXPECT_EQ(code_of(file->read_at(0, buffer.get(), 100)), "invalid");
}

TEST_P(FileContract, MappingOutlivesItsFile) {
  put("a", "mapped bytes");
  auto file = open("a", OpenMode::read);
  const auto mapping = file->map();
  ASSERT_TRUE(mapping);
  file.reset();
  ASSERT_TRUE(fs_->remove(path("a")));
  EXPECT_EQ((*mapping)->bytes(), "mapped bytes");
}

TEST_P(FileContract, EmptyFileMaps) {
  const auto mapping = open("a", OpenMode::create)->map();
  ASSERT_TRUE(mapping);
  EXPECT_EQ((*mapping)->bytes(), "");
}

TEST_P(FileContract, OpenFileOutlivesItsName) {
  const auto file = open("a", OpenMode::create);
  ASSERT_TRUE(fs_->remove(path("a")));
  put("a", "another");
  ASSERT_TRUE(file->write_at(0, "mine"));
  ASSERT_TRUE(file->sync());
  char buffer[8];
  EXPECT_EQ(*file->read_at(0, buffer, 8), 4u);
  EXPECT_EQ(get("a"), "another");

  const auto renamed = open("a", OpenMode::write);
  ASSERT_TRUE(fs_->rename(path("a"), path("b")));
  ASSERT_TRUE(renamed->write_at(0, "A"));
  EXPECT_EQ(get("b"), "Another");
}

TEST_P(FileContract, RenameReplaces) {
  put("a", "new");
  put("b", "old");
  const auto old = open("b", OpenMode::read);
  ASSERT_TRUE(fs_->rename(path("a"), path("b")));
  EXPECT_EQ(get("b"), "new");
  EXPECT_FALSE(*fs_->exists(path("a")));
  EXPECT_EQ(*old->size(), 3u);
  ASSERT_TRUE(fs_->rename(path("b"), path("b")));
  EXPECT_EQ(get("b"), "new");
  EXPECT_EQ(code_of(fs_->rename(path("a"), path("c"))), "not_found");
  EXPECT_EQ(code_of(fs_->rename(path("b"), path("no/c"))), "not_found");
}

TEST_P(FileContract, FoldersAreRenamedWithTheirContent) {
  ASSERT_TRUE(fs_->create_dirs(path("x/y")));
  put("x/y/a", "1");
  ASSERT_TRUE(fs_->rename(path("x/y"), path("z")));
  EXPECT_EQ(get("z/a"), "1");
  EXPECT_EQ(*fs_->list(path("x")), Names{});
  EXPECT_EQ(code_of(fs_->rename(path("x"), path("x/inside"))), "io");
  EXPECT_EQ(code_of(fs_->rename(path("x"), path("z"))), "io");
}

TEST_P(FileContract, FoldersAreMadeListedAndRemoved) {
  ASSERT_TRUE(fs_->create_dirs(path("x/y/z")));
  ASSERT_TRUE(fs_->create_dirs(path("x/y/z/")));
  put("x/b", "");
  put("x/a", "");
  EXPECT_EQ(*fs_->list(path("x")), (Names{"a", "b", "y"}));
  EXPECT_TRUE(*fs_->exists(path("x/y")));
  EXPECT_EQ(code_of(fs_->list(path("no"))), "not_found");
  EXPECT_EQ(code_of(fs_->remove_dir(path("x"))), "io");
  EXPECT_EQ(code_of(fs_->remove_dir(path("no"))), "not_found");
  ASSERT_TRUE(fs_->remove_dir(path("x/y/z")));
  EXPECT_EQ(*fs_->list(path("x/y")), Names{});
}

TEST_P(FileContract, FileAndFolderAreNotMixedUp) {
  put("a", "");
  ASSERT_TRUE(fs_->create_dirs(path("x")));
  EXPECT_EQ(code_of(fs_->create_dirs(path("a"))), "io");
  EXPECT_EQ(code_of(fs_->create_dirs(path("a/b"))), "io");
  EXPECT_EQ(code_of(fs_->open(path("x"), OpenMode::read)), "io");
  EXPECT_EQ(code_of(fs_->open(path("x"), OpenMode::create)), "io");
  EXPECT_EQ(code_of(fs_->open(path("a/b"), OpenMode::create)), "io");
  EXPECT_EQ(code_of(fs_->remove(path("x"))), "io");
  EXPECT_EQ(code_of(fs_->remove_dir(path("a"))), "io");
  EXPECT_EQ(code_of(fs_->list(path("a"))), "io");
  EXPECT_EQ(code_of(fs_->sync_dir(path("a"))), "io");
  EXPECT_FALSE(*fs_->exists(path("a/b")));
}

TEST_P(FileContract, RemoveOfNothingIsNotFound) {
  EXPECT_EQ(code_of(fs_->remove(path("a"))), "not_found");
  EXPECT_EQ(code_of(fs_->sync_dir(path("no"))), "not_found");
}

TEST_P(FileContract, LockIsHeldOnceAndLetGo) {
  EXPECT_EQ(code_of(fs_->lock(path("folder"))), "not_found");
  EXPECT_FALSE(*fs_->exists(path("folder")));
  ASSERT_TRUE(fs_->create_dirs(path("folder")));
  auto lock = fs_->lock(path("folder"));
  ASSERT_TRUE(lock);
  const auto second = fs_->lock(path("folder"));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), Code::busy);
  EXPECT_NE(second.error().message().find("another process has the store open"), std::string::npos);
  lock->reset();
  EXPECT_TRUE(fs_->lock(path("folder")));
}

TEST_P(FileContract, ErrorsNameThePath) {
  const auto file = fs_->open(path("missing"), OpenMode::read);
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().message().find(path("missing")), std::string::npos);
}

TEST_P(FileContract, AtomicWriteReplacesAndLeavesNothingBehind) {
  ASSERT_TRUE(write_file_atomically(*fs_, path("a"), "one"));
  ASSERT_TRUE(write_file_atomically(*fs_, path("a"), "two, longer"));
  EXPECT_EQ(get("a"), "two, longer");
  EXPECT_EQ(*fs_->list(root_), Names{"a"});
  EXPECT_EQ(code_of(write_file_atomically(*fs_, path("no/a"), "x")), "not_found");
}

TEST(Paths, Join) {
  EXPECT_EQ(join_path("a", "b"), "a/b");
  EXPECT_EQ(join_path("a/", "b"), "a/b");
  EXPECT_EQ(join_path("/", "b"), "/b");
  EXPECT_EQ(join_path("", "b"), "b");
}

TEST(Paths, Parent) {
  EXPECT_EQ(parent_of("a/b"), "a");
  EXPECT_EQ(parent_of("a/b/"), "a");
  EXPECT_EQ(parent_of("a//b"), "a");
  EXPECT_EQ(parent_of("/a"), "/");
  EXPECT_EQ(parent_of("/"), "/");
  EXPECT_EQ(parent_of("a"), ".");
  EXPECT_EQ(parent_of(""), ".");
}

#ifdef __linux__
TEST(RealFiles, FullDiskIsNoSpaceWithARemedy) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  auto file = real_files().open("/dev/full", OpenMode::write);
  ASSERT_TRUE(file) << file.error().message();
  const Status written = (*file)->write_at(0, "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), Code::no_space);
  EXPECT_NE(written.error().message().find("/dev/full"), std::string::npos);
  EXPECT_NE(written.error().message().find("free some space"), std::string::npos);
}
#endif

}  // namespace
}  // namespace aduana
