// An edge file: the links of a graph as pairs of little-endian 32-bit numbers, source and target, and nothing else.
//
// The simplest file that other tools write and read, in any order, perhaps compressed (xz, gzip or Zstandard, see
// byte_stream.h). It is streamed: memory does not depend on its length. Errors name the file, the position and what to
// do; a length that is no multiple of eight is one, found when the end is read.
#pragma once

#include <memory>
#include <string>

#include "base/file.h"
#include "graph/edges/link_source.h"

namespace aduana {

Result<std::unique_ptr<LinkSource>> open_edge_file(const std::string& path, FileSystem& files = real_files());

}  // namespace aduana
