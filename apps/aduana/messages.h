// What the program says to people on standard error, and how it spells numbers and foreign bytes.
//
// Whatever comes from a URL or a file may hold control bytes: everything printed here is made harmless first, so that
// no page can play with the terminal. Used by the main thread only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "aduana/result.h"

namespace aduana {

void print_error(std::string_view message);    // "aduana: message"
void print_warning(std::string_view message);  // "aduana: warning: message"

// Prints the error and returns the exit code that it stands for.
int fail(const Error& error);

// The text with control bytes and damaged UTF-8 as escapes, cut (with "…") after about `most` bytes.
std::string printable(std::string_view text, size_t most = 2000);

std::string grouped(uint64_t number);                           // 1,234,567
std::string counted(uint64_t number, const std::string& noun);  // "1 page", "1,234 pages"

}  // namespace aduana
