// Result<T>: a value or an Error, spelled like std::expected, which C++20 does not have yet.
//
// One error code serves the whole project; the message names the thing that failed and the remedy, because it is what
// a person reads. Both Result and Status must be looked at: ignoring one is a compiler warning.
// Exceptions are left to broken invariants and exhausted memory.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace aduana {

enum class Code {
  invalid,      // the caller's input is wrong: an unparsable URL, a NaN score, a bad flag
  not_found,    // the page, file or store is not there
  exists,       // it is there already and must not be
  too_large,    // over a documented limit
  corrupt,      // a checksum or an invariant does not hold
  io,           // the operating system refused a read or a write
  no_space,     // the disk is full; free space and try again
  busy,         // held by another process
  unsupported,  // a newer format, or an operation that this build or mode does not have
  closed,       // the store is closed, or stopped taking changes after an I/O error
};

const char* name_of(Code code);

class Error {
 public:
  Error(Code code, std::string message) : code_(code), message_(std::move(message)) {}

  Code code() const { return code_; }
  const std::string& message() const { return message_; }

  // The same error with what was being done put in front: "opening store x: MANIFEST: checksum…".
  Error within(const std::string& context) const { return Error(code_, context + ": " + message_); }

 private:
  Code code_;
  std::string message_;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool has_value() const { return !error_; }
  explicit operator bool() const { return has_value(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace aduana

// Returns the error of `expr` from the enclosing function, if there is one.
#define ADUANA_TRY(expr)                                                           \
  do {                                                                             \
    if (auto aduana_status = (expr); !aduana_status) return aduana_status.error(); \
  } while (0)

#define ADUANA_CONCAT_(a, b) a##b
#define ADUANA_CONCAT(a, b) ADUANA_CONCAT_(a, b)

// Declares `decl` with the value of `expr`, or returns its error: ADUANA_ASSIGN(auto file, open(path));
#define ADUANA_ASSIGN(decl, expr)                                                                       \
  auto ADUANA_CONCAT(aduana_result_, __LINE__) = (expr);                                                \
  if (!ADUANA_CONCAT(aduana_result_, __LINE__)) return ADUANA_CONCAT(aduana_result_, __LINE__).error(); \
  decl = std::move(ADUANA_CONCAT(aduana_result_, __LINE__)).value()
