#include "base/file.h"

namespace aduana {

Result<std::string> read_file(FileSystem& fs, const std::string& path) {
  ADUANA_ASSIGN(const auto file, fs.open(path, OpenMode::read));
  ADUANA_ASSIGN(const uint64_t size, file->size());
  std::string bytes(size, '\0');
  ADUANA_ASSIGN(const size_t n, file->read_at(0, bytes.data(), bytes.size()));
  bytes.resize(n);  // somebody cut it short meanwhile: what is there is the answer
  return bytes;
}

namespace {

Status write_durably(FileSystem& fs, const std::string& path, std::string_view bytes) {
  ADUANA_ASSIGN(const auto file, fs.open(path, OpenMode::create_empty));
  ADUANA_TRY(file->write_at(0, bytes));
  return file->sync();
}

}  // namespace

Status write_file_atomically(FileSystem& fs, const std::string& path, std::string_view bytes) {
  // A fixed name: what a crash leaves behind is emptied and used by the next attempt instead of piling up.
  const std::string temporary = path + ".tmp";
  Status written = write_durably(fs, temporary, bytes);
  if (written) written = fs.rename(temporary, path);
  if (!written) {
    (void)fs.remove(temporary);  // best effort: the first error is the one to tell
    return written;
  }
  return fs.sync_dir(parent_of(path));
}

std::string join_path(std::string_view dir, std::string_view name) {
  std::string path(dir);
  if (!path.empty() && path.back() != '/') path += '/';
  return path.append(name);
}

std::string parent_of(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  path = path.substr(0, slash);
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  return path.empty() ? "/" : std::string(path);
}

}  // namespace aduana
