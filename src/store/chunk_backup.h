// The backup of the chunks that a checkpoint writes over.
//
// A power cut may tear a chunk while it is written over, and then neither the old nor the new one is left. So the new
// chunks are written here first and synced; then the manifest of the same generation makes the checkpoint valid; then
// the chunks are written in place; then the backup goes. Opening a store whose manifest has its backup still there
// takes the chunks from the backup.
//
//   "ADUANAB1" | generation u64 | chunks u64 | per chunk: array u8, number u64, slot (with its checksum)
#pragma once

#include <string>
#include <vector>

#include "base/file.h"
#include "base/paged_array.h"

namespace aduana {

std::string backup_name(uint64_t generation);
std::string backup_path(const std::string& dir, uint64_t generation);

// Writes the `rewritten` chunks of all parts; no file at all if there are none.
Status write_backup(FileSystem& fs, const std::string& dir, uint64_t generation,
                    const std::vector<const PagedArray::Changes*>& parts);

// Puts the chunks of the backup, if there is one, back into the arrays, given in the same order.
Status restore_backup(FileSystem& fs, const std::string& dir, uint64_t generation,
                      const std::vector<PagedArray*>& arrays);

}  // namespace aduana
