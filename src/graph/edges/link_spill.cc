#include "graph/edges/link_spill.h"

#include <fmt/format.h>

#include <random>
#include <utility>

namespace aduana {
namespace {

// The name is seen by others for a moment only; in that moment nobody may take the same one.
Result<LinkRunFile> open_scratch_file(FileSystem& files, const std::string& folder) {
  std::random_device random;
  LinkRunFile file;
  file.path = join_path(folder, fmt::format("aduana-sorted-links-{:08x}{:08x}.tmp", random(), random()));
  auto opened = files.open(file.path, OpenMode::create_empty);
  if (!opened) return opened.error().within("scratch file for sorting links");
  file.file = std::move(*opened);
  ADUANA_TRY(files.remove(file.path));
  return file;
}

}  // namespace

LinkSpill::LinkSpill(FileSystem& files, std::string folder, size_t block_bytes, size_t fan_in)
    : files_(files), folder_(std::move(folder)), block_bytes_(block_bytes), fan_in_(fan_in) {}

Status LinkSpill::prepare(size_t level) {
  if (level < levels_.size()) return {};
  ADUANA_ASSIGN(LinkRunFile file, open_scratch_file(files_, folder_));
  levels_.push_back({std::move(file), {}});
  return {};
}

LinkRunWriter LinkSpill::begin_run(size_t level, std::span<char> workspace) {
  return LinkRunWriter(levels_[level].file, levels_[level].end(), next_number_++, workspace.first(block_bytes_));
}

void LinkSpill::append(size_t level, const LinkRun& run) {
  levels_[level].runs.push_back(run);
  ++runs_;
}

Status LinkSpill::merge_full_levels(std::span<char> workspace) {
  for (size_t level = 0; level < levels_.size() && levels_[level].runs.size() == fan_in_; ++level)
    ADUANA_TRY(merge(level, level + 1, workspace));
  return {};
}

// The runs of the levels from `begin` to before `end` become one run of level `end`.
Status LinkSpill::merge(size_t begin, size_t end, std::span<char> workspace) {
  ADUANA_TRY(prepare(end));
  std::vector<MergeInput> inputs;
  for (size_t level = begin; level < end; ++level)
    for (const LinkRun& run : levels_[level].runs) inputs.push_back({&levels_[level].file, run});
  Level& out = levels_[end];
  ADUANA_ASSIGN(const LinkRun merged, merge_runs(inputs, out.file, out.end(), next_number_++, block_bytes_, workspace));
  for (size_t level = begin; level < end; ++level) {
    ADUANA_TRY(levels_[level].file.file->truncate(0));
    runs_ -= levels_[level].runs.size();
    levels_[level].runs.clear();
  }
  append(end, merged);
  return {};
}

Result<LinkSpill::Merged> LinkSpill::finish(std::span<char> workspace) {
  // The short runs first: as many of the lower levels at a time as may be merged.
  while (runs_ > 1) {
    size_t end = 0;
    for (size_t n = 0; end < levels_.size() && n + levels_[end].runs.size() <= fan_in_; ++end)
      n += levels_[end].runs.size();
    ADUANA_TRY(merge(0, end, workspace));
  }
  size_t level = 0;
  while (levels_[level].runs.empty()) ++level;
  return Merged{std::move(levels_[level].file), levels_[level].runs.front()};
}

}  // namespace aduana
