// For tests: a journal whose events are short texts, one or more to a frame, in a folder that is durable already.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "base/must.h"
#include "base/simulated_disk.h"
#include "journal/journal.h"

namespace aduana {

inline constexpr const char* kTextJournalDir = "/journal";

inline void make_journal_dir(FileSystem& fs) {
  must(fs.create_dirs(kTextJournalDir));
  must(fs.sync_dir("/"));
}

struct TextJournal {
  std::unique_ptr<Journal> journal;
  std::vector<Lsn> lsns;  // of the frames that were replayed
  std::vector<std::string> texts;
};

inline Result<TextJournal> open_texts(FileSystem& fs, const JournalOptions& options, Lsn replay_from = 1) {
  TextJournal opened;
  ADUANA_ASSIGN(opened.journal,
                Journal::open(fs, kTextJournalDir, options, replay_from, [&](const Frame& frame) -> Status {
                  opened.lsns.push_back(frame.first_lsn);
                  opened.texts.emplace_back(frame.payload);
                  return {};
                }));
  return opened;
}

inline Result<Lsn> append_text(Journal& journal, std::string_view text, uint32_t events = 1) {
  std::string frame(kFrameHeaderBytes, '\0');
  frame += text;
  return journal.append(frame, events);
}

// "event 1", "event 2" …
inline std::string text_of(Lsn lsn) { return fmt::format("event {}", lsn); }

inline std::vector<std::string> texts_between(Lsn first, Lsn last) {
  std::vector<std::string> texts;
  for (Lsn lsn = first; lsn <= last; ++lsn) texts.push_back(text_of(lsn));
  return texts;
}

// The whole problem list of Journal::check as one text; empty when all is well.
inline std::string problems_of(const Journal& journal) {
  std::string problems;
  must(journal.check([&](const Error& problem) { problems += problem.message() + "\n"; }));
  return problems;
}

inline std::string segment_path(Lsn first_lsn) { return join_path(kTextJournalDir, segment_name(first_lsn)); }

// Nothing happens unless it is asked for.
inline JournalOptions quiet(Durability durability = Durability::none, uint64_t segment_bytes = 64 << 20) {
  JournalOptions options;
  options.durability = durability;
  options.segment_bytes = segment_bytes;
  options.background = false;
  return options;
}

}  // namespace aduana
