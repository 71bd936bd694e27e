#include "serve/access/password_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <utility>

#include "base/os_error.h"
#include "serve/access/base64.h"
#include "serve/access/new_file.h"
#include "serve/access/openssl.h"

namespace aduana {
namespace {

constexpr size_t kSaltSize = 16;
constexpr size_t kMostSalt = 64;
constexpr size_t kMostFile = 16 << 20;
constexpr mode_t kMode = 0600;

// The part of `text` before the next `mark`, which goes with it; all that is left if there is none.
std::string_view take(std::string_view& text, char mark) {
  const size_t end = std::min(text.find(mark), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

bool has_control_bytes(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return static_cast<uint8_t>(c) < 0x20 || c == 0x7F; });
}

// Without the line's end, in either spelling.
std::string_view without_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Lines with their ends, so that together they are the text.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1);
    lines.emplace_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return lines;
}

Status parse_number(std::string_view& text, std::string_view name, uint32_t& value) {
  std::string_view part = take(text, ',');
  const bool named = part.starts_with(name) && part.substr(name.size()).starts_with('=');
  part.remove_prefix(named ? name.size() + 1 : part.size());
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
  if (error == std::errc() && !part.empty() && end == part.data() + part.size()) return {};
  return Error(Code::corrupt, fmt::format("the cost of the hash is not of the form ln=15,r=8,p=1"));
}

// A password file that is open, and locked if it is to be changed.
class OpenedFile {
 public:
  static Result<OpenedFile> open(const std::string& path, bool to_change) {
    while (true) {
      OpenedFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
      if (file.fd_ < 0) return os_error(path, "open", errno);
      struct stat info;
      if (::fstat(file.fd_, &info) < 0) return os_error(path, "open", errno);
      if (!S_ISREG(info.st_mode)) return Error(Code::invalid, path + ": this is no regular file");
      if (info.st_mode & 077) {
        return Error(Code::invalid, fmt::format("{}: others may read or change this password file (mode {:o}); "
                                                "run `chmod 600 {}`, and change the passwords if it was like this long",
                                                path, info.st_mode & 0777, path));
      }
      if (!to_change) return file;
      while (::flock(file.fd_, LOCK_EX) < 0) {
        if (errno != EINTR) return os_error(path, "lock", errno);
      }
      // Who had the lock before may have put another file in its place.
      struct stat there;
      if (::stat(path.c_str(), &there) == 0 && there.st_ino == info.st_ino && there.st_dev == info.st_dev) return file;
    }
  }
  ~OpenedFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OpenedFile(OpenedFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OpenedFile& operator=(OpenedFile&&) = delete;

  Result<std::string> content(const std::string& path) const {
    std::string text;
    char buffer[4096];
    while (true) {
      const ssize_t n = ::read(fd_, buffer, sizeof buffer);
      if (n == 0) return text;
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return os_error(path, "read", errno);
      text.append(buffer, static_cast<size_t>(n));
      if (text.size() > kMostFile) return Error(Code::too_large, path + ": too large to be a password file");
    }
  }

 private:
  explicit OpenedFile(int fd) : fd_(fd) {}

  int fd_;
};

Status write_lines(const std::string& path, const std::vector<std::string>& lines, NewFile::Over over) {
  std::string text;
  for (const std::string& line : lines) text += line;
  ADUANA_ASSIGN(NewFile file, NewFile::write(path, text, kMode));
  return file.put(over);
}

}  // namespace

Result<PasswordFile> PasswordFile::read(const std::string& path) {
  ADUANA_ASSIGN(const OpenedFile file, OpenedFile::open(path, false));
  ADUANA_ASSIGN(const std::string text, file.content(path));
  return parse(path, text);
}

Result<PasswordFile> PasswordFile::parse(const std::string& path, std::string_view text) {
  PasswordFile file;
  size_t number = 0;
  for (const std::string& whole : lines_of(text)) {
    const std::string_view line = without_end(whole);
    ++number;
    if (line.starts_with('#') || line.find_first_not_of(" \t") == std::string_view::npos) continue;
    auto user = parse_line(line);
    if (!user) return user.error().within(fmt::format("{}: line {}", path, number));
    user->line = number;
    file.users_.push_back(std::move(*user));
  }
  std::ranges::stable_sort(file.users_, {}, &User::name);
  const auto twice = std::ranges::adjacent_find(file.users_, {}, &User::name);
  if (twice != file.users_.end()) {
    return Error(Code::corrupt, fmt::format("{}: line {}: the user {} stands in line {} already; remove one", path,
                                            twice[1].line, twice->name, twice->line));
  }
  return file;
}

Result<PasswordFile::User> PasswordFile::parse_line(std::string_view line) {
  // Nothing that may be a hash, or a password that somebody wrote there, goes into a message.
  const auto bad = [](const char* what) { return Error(Code::corrupt, what); };
  if (std::ranges::count(line, ':') < 2) return bad("not of the form name:role:hash; make lines by `aduana passwd`");
  const std::string_view name = take(line, ':');
  if (const Status named = check_name(name); !named) return Error(Code::corrupt, named.error().message());
  const auto role = role_named(take(line, ':'));
  if (!role) return bad("the role is not spider, reader or admin");
  User user{std::string(name), *role, {}, {}, {}, 0};
  if (take(line, '$') != "scrypt") return bad("the hash is not of the form scrypt$COST$SALT$HASH");
  std::string_view cost = take(line, '$');
  ADUANA_TRY(parse_number(cost, "ln", user.cost.log2_n));
  ADUANA_TRY(parse_number(cost, "r", user.cost.r));
  ADUANA_TRY(parse_number(cost, "p", user.cost.p));
  if (!cost.empty()) return bad("the cost of the hash is not of the form ln=15,r=8,p=1");
  if (const Status possible = check_cost(user.cost); !possible) return Error(Code::corrupt, possible.error().message());
  const auto salt = base64_decoded(take(line, '$'));
  if (!salt || salt->empty() || salt->size() > kMostSalt) return bad("the salt is damaged");
  const auto hash = base64_decoded(line);
  if (!hash || hash->size() != kScryptHashSize) return bad("the hash is damaged");
  user.salt = *salt;
  user.hash = *hash;
  return user;
}

std::string PasswordFile::to_line(const User& user) {
  return fmt::format("{}:{}:scrypt$ln={},r={},p={}${}${}\n", user.name, name_of(user.role), user.cost.log2_n,
                     user.cost.r, user.cost.p, base64_encoded(user.salt), base64_encoded(user.hash));
}

const PasswordFile::User* PasswordFile::find(std::string_view name) const {
  const auto at = std::ranges::lower_bound(users_, name, {}, &User::name);
  return at != users_.end() && at->name == name ? &*at : nullptr;
}

std::optional<Role> PasswordFile::role_of(std::string_view user) const {
  const User* found = find(user);
  return found ? std::optional(found->role) : std::nullopt;
}

// Costs may differ from user to user. Each unknown name has that of some user, always the same.
const PasswordFile::User& PasswordFile::decoy_for(std::string_view name) const {
  static const User nobody{"", Role::spider, {}, std::string(kSaltSize, '\0'), std::string(kScryptHashSize, '\0'), 0};
  if (users_.empty()) return nobody;
  const std::string hash = (*decoys_)(name);
  uint64_t choice = 0;
  for (size_t i = 0; i < 8; ++i) choice = choice << 8 | static_cast<uint8_t>(hash[i]);
  return users_[choice % users_.size()];
}

std::optional<Role> PasswordFile::check(std::string_view user, std::string_view password) const {
  const User* known = find(user);
  const User& asked = known ? *known : decoy_for(user);
  const auto hash = scrypt(password, asked.salt, asked.cost);
  const bool right = hash && CRYPTO_memcmp(hash->data(), asked.hash.data(), kScryptHashSize) == 0;
  return right && known ? std::optional(known->role) : std::nullopt;
}

Result<PasswordFile::Change> PasswordFile::set_user(const std::string& path, std::string_view name,
                                                    std::string_view password, std::optional<Role> role,
                                                    const ScryptCost& cost) {
  ADUANA_TRY(check_name(name));
  ADUANA_TRY(check_password(password));
  User user{std::string(name), role.value_or(Role::spider), cost, random_bytes(kSaltSize), {}, 0};
  ADUANA_ASSIGN(user.hash, scrypt(password, user.salt, cost));  // before the lock: it takes its time
  while (true) {
    auto file = OpenedFile::open(path, true);
    if (!file && file.error().code() == Code::not_found) {
      const Status put = write_lines(path, {to_line(user)}, NewFile::Over::nothing);
      if (!put && put.error().code() == Code::exists) continue;  // somebody else made one meanwhile
      if (!put) return put.error();
      return Change{user.role, true};
    }
    if (!file) return file.error();
    ADUANA_ASSIGN(const std::string text, file->content(path));
    ADUANA_ASSIGN(const PasswordFile old, parse(path, text));
    std::vector<std::string> lines = lines_of(text);
    const User* present = old.find(name);
    if (present) {
      if (!role) user.role = present->role;
      lines[present->line - 1] = to_line(user);
    } else {
      if (!lines.empty() && !lines.back().ends_with('\n')) lines.back() += '\n';
      lines.push_back(to_line(user));
    }
    ADUANA_TRY(write_lines(path, lines, NewFile::Over::anything));
    return Change{user.role, !present};
  }
}

Status PasswordFile::remove_user(const std::string& path, std::string_view name) {
  ADUANA_ASSIGN(const OpenedFile file, OpenedFile::open(path, true));
  ADUANA_ASSIGN(const std::string text, file.content(path));
  ADUANA_ASSIGN(const PasswordFile old, parse(path, text));
  const User* present = old.find(name);
  if (!present) return Error(Code::not_found, fmt::format("{}: there is no user {}", path, name));
  std::vector<std::string> lines = lines_of(text);
  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(present->line - 1));
  return write_lines(path, lines, NewFile::Over::anything);
}

Status PasswordFile::check_name(std::string_view user) {
  const auto bad = [](const char* what) { return Error(Code::invalid, what); };
  if (user.empty()) return bad("the user's name is empty");
  if (user.size() > kMostName) return bad("the user's name is longer than 255 bytes");
  if (user.find(':') != std::string_view::npos) return bad("the user's name has a colon, which ends names");
  if (has_control_bytes(user)) return bad("the user's name has control bytes");
  if (user.starts_with('#')) return bad("the user's name begins with #, as comments do");
  return {};
}

Status PasswordFile::check_password(std::string_view password) {
  const auto bad = [](const char* what) { return Error(Code::invalid, what); };
  if (password.empty()) return bad("the password is empty");
  if (password.size() > kMostPassword) return bad("the password is longer than 1024 bytes");
  if (has_control_bytes(password)) return bad("the password has control bytes, which clients can't send");
  return {};
}

}  // namespace aduana
