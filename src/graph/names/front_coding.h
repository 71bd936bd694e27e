// Front coding: of a string that follows another in order, how many bytes the two share and what comes after them.
//
//   shared varint | rest: its size as varint, its bytes
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace aduana {

inline size_t common_prefix(std::string_view a, std::string_view b) {
  const size_t most = std::min(a.size(), b.size());
  return static_cast<size_t>(std::mismatch(a.begin(), a.begin() + static_cast<ptrdiff_t>(most), b.begin()).first -
                             a.begin());
}

inline void append_front_coded(std::string& out, std::string_view before, std::string_view text) {
  const size_t shared = common_prefix(before, text);
  append_varint(out, shared);
  append_sized(out, text.substr(shared));
}

// Makes `text`, which is the one before, the next. False if the bytes can't be that.
inline bool read_front_coded(ByteReader& in, std::string& text) {
  const uint64_t shared = in.varint();
  const std::string_view rest = in.sized();
  if (!in.ok() || shared > text.size()) return false;
  text.resize(shared);
  text.append(rest);
  return true;
}

}  // namespace aduana
