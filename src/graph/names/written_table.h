// For tests: a UrlTable that was written to a file with its checksums, and opened from there.
#pragma once

#include <optional>

#include "base/must.h"
#include "base/simulated_disk.h"
#include "graph/names/listed_urls.h"

namespace aduana {

struct WrittenTable {
  static constexpr uint64_t kOffset = 100;  // of the body in the file

  WrittenTable(const std::vector<std::string>& urls, bool renumbered, const UrlTableOptions& options) {
    ListedUrls source(urls);
    const auto builder = must(UrlTableBuilder::sort(source, options));
    positions.assign(builder->positions().begin(), builder->positions().end());
    GraphFileWriter out(must(disk.open("/graph", OpenMode::create_empty)), kOffset);
    must(out.append("not at the front"));
    places = must(builder->write(out, renumbered));
    checksums = must(out.finish());
    bytes = must(read_file(disk, "/graph")).substr(kOffset);
    nodes = builder->nodes();
  }

  // Of bytes as they are now.
  Result<UrlTable> open() {
    ADUANA_ASSIGN(CheckedBytes opened, CheckedBytes::open("graph", bytes, checksums));
    checked.emplace(std::move(opened));
    return UrlTable::open(*checked, places, nodes);
  }
  // As if the bytes had been written like this.
  Result<UrlTable> open_trusting() {
    ChunkChecksums sums;
    sums.add(bytes);
    checksums = sums.finish();
    return open();
  }

  SimulatedDisk disk;
  std::vector<Node> positions;
  UrlTable::Places places;
  std::string checksums, bytes;
  uint64_t nodes = 0;
  std::optional<CheckedBytes> checked;
};

inline std::vector<std::string> problems_of(const UrlTable& table) {
  std::vector<std::string> problems;
  must(table.check([&](const std::string& problem) { problems.push_back(problem); }));
  return problems;
}

}  // namespace aduana
