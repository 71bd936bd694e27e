// Decompressor: one compression format behind one interface, over liblzma, zlib or libzstd.
//
// Members, streams or frames that follow each other are decoded as one; anything else behind them is an error. Memory
// is that of the format's window: 32 KiB for gzip, at most 128 MiB for Zstandard and 512 MiB for xz (a file that wants
// more is refused).
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "aduana/result.h"

namespace aduana {

enum class Compression { none, xz, gzip, zstd };

class Decompressor {
 public:
  virtual ~Decompressor() = default;

  // Takes bytes from the front of `in` and puts bytes at the front of `out`, both of which shrink; gets on as long as
  // there is room and something to do. `last`: nothing comes after `in`. The error says what is wrong, not where.
  virtual Status step(std::string_view& in, std::span<char>& out, bool last) = 0;
  // All that was taken so far is whole: the input may end here.
  virtual bool complete() const = 0;
};

std::unique_ptr<Decompressor> make_decompressor(Compression compression);  // not of `none`

}  // namespace aduana
