// A compressed graph of the crawl's links as they were at some moment, beside the store: who links a page can be told
// from it at once, where the store would have to read all links.
//
// Made when asked for, or now and then by a thread of its own; found again after a restart. Thread-safe.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "aduana/frontier.h"
#include "aduana/link_graph.h"

namespace aduana {

class GraphSnapshot {
 public:
  // `dir`: of the store. `interval`: 0 for never by itself.
  GraphSnapshot(Frontier& frontier, const Clock& clock, const std::string& dir, Millis interval);
  ~GraphSnapshot() { stop(); }

  struct Taken {
    std::unique_ptr<const LinkGraph> graph;
    Instant as_of{};
    bool one_crawl = true;  // all pages are of the default one; in a graph they can't be told apart
  };
  // Null: there is none yet.
  std::shared_ptr<const Taken> newest() const;

  // Makes a new one; Code::busy if that is being done already. Takes about a second for a million links.
  Result<std::shared_ptr<const Taken>> make();
  // The one being made is given up, and no other begun.
  void stop();

 private:
  void put(std::shared_ptr<const Taken> taken);
  void keep_making();
  bool has_one_crawl();

  Frontier& frontier_;
  const Clock& clock_;
  const std::string path_;
  const Millis interval_;
  std::mutex making_;
  mutable std::mutex mutex_;  // of newest_
  std::shared_ptr<const Taken> newest_;
  std::condition_variable wake_;
  std::atomic<bool> stopping_ = false;
  std::thread maker_;
};

}  // namespace aduana
