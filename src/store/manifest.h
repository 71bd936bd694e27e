// The manifest: what a checkpoint contains. It names a consistent set of derived files and the LSN they hold.
//
// One file, MANIFEST, replaced whole: "ADUANAM1" | format version u32 | fields | checksum u64 (docs/formats/store.md).
#pragma once

#include <string>

#include "base/file.h"
#include "journal/frame.h"
#include "links/link_store.h"
#include "pages/pages.h"
#include "pages/queue_name.h"
#include "url/canonical.h"

namespace aduana {

struct Manifest {
  uint64_t generation = 0;  // how many checkpoints there were
  Lsn lsn = 0;              // the last event that the files contain
  CanonicalOptions canonical;
  bool keep_journal = false;  // never cut the journal, so that all can be derived from it again
  QueueBy queue_by = QueueBy::host;
  PagesState pages;
  LinksState links;
  std::string follower;  // what stands on the store keeps here; see Follower::save()

  std::string encode() const;
  static Result<Manifest> decode(std::string_view bytes, const std::string& path);
};

std::string manifest_path(const std::string& dir);
Result<Manifest> read_manifest(FileSystem& fs, const std::string& dir);

}  // namespace aduana
