// PasswordFile: who may use the server, by name, role and a salted hash of the password. One user a line:
//
//   name:role:scrypt$ln=15,r=8,p=1$SALT$HASH       (salt and hash in base64)
//
// `#` begins a comment line. A file that others than its owner may read is refused, since hashes can be guessed at; no
// message ever shows one. Immutable once read, so safe from any thread; changes go to the file, under a lock that keeps
// two writers apart, and are seen by whoever reads it next.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aduana/result.h"
#include "serve/access/keyed_hash.h"
#include "serve/access/roles.h"
#include "serve/access/scrypt.h"

namespace aduana {

class PasswordFile {
 public:
  static constexpr size_t kMostName = 255;       // bytes
  static constexpr size_t kMostPassword = 1024;  // bytes

  static Result<PasswordFile> read(const std::string& path);

  // The user's role if that is the password. Takes as long for a user that is not there, so that nobody learns names
  // by waiting.
  std::optional<Role> check(std::string_view user, std::string_view password) const;

  size_t users() const { return users_.size(); }
  std::optional<Role> role_of(std::string_view user) const;

  struct Change {
    Role role;
    bool added;
  };
  // Writes the user with this password into the file, which is made if it is not there. Without a role a user keeps the
  // one that they have, and a new one is a spider. All other lines stay as they are.
  static Result<Change> set_user(const std::string& path, std::string_view user, std::string_view password,
                                 std::optional<Role> role, const ScryptCost& cost = {});
  // Code::not_found with the user's name if there is none.
  static Status remove_user(const std::string& path, std::string_view user);

  // Can there be such a user, such a password? Code::invalid with the reason; passwords are not shown.
  static Status check_name(std::string_view user);
  static Status check_password(std::string_view password);

 private:
  struct User {
    std::string name;
    Role role;
    ScryptCost cost;
    std::string salt, hash;
    size_t line;  // counted from 1
  };

  PasswordFile() = default;

  static Result<PasswordFile> parse(const std::string& path, std::string_view text);
  static Result<User> parse_line(std::string_view line);
  static std::string to_line(const User& user);
  const User* find(std::string_view name) const;
  const User& decoy_for(std::string_view name) const;

  std::vector<User> users_;  // sorted by name
  std::shared_ptr<const KeyedHash> decoys_ = std::make_shared<KeyedHash>();
};

}  // namespace aduana
