#include "serve/rest/graph_snapshot.h"

#include <filesystem>

namespace aduana {

namespace {

namespace fs = std::filesystem;

// The moment of a snapshot is kept as the time of its file.
Instant time_of(const std::string& path) {
  std::error_code error;
  const auto time = fs::last_write_time(path, error);
  if (error) return Instant{};
  return std::chrono::floor<Millis>(std::chrono::file_clock::to_sys(time));
}

void set_time(const std::string& path, Instant time) {
  std::error_code ignored;  // then it seems as new as its file is
  fs::last_write_time(path, std::chrono::file_clock::from_sys(time), ignored);
}

}  // namespace

GraphSnapshot::GraphSnapshot(Frontier& frontier, const Clock& clock, const std::string& dir, Millis interval)
    : frontier_(frontier), clock_(clock), path_(dir + "/links.graph"), interval_(interval) {
  // One that can't be opened is made anew when somebody asks for it.
  if (auto graph = LinkGraph::open(path_)) {
    put(std::make_shared<Taken>(Taken{std::move(*graph), time_of(path_), has_one_crawl()}));
  }
  if (interval_ > Millis{0}) maker_ = std::thread([this] { keep_making(); });
}

std::shared_ptr<const GraphSnapshot::Taken> GraphSnapshot::newest() const {
  const std::lock_guard lock(mutex_);
  return newest_;
}

void GraphSnapshot::put(std::shared_ptr<const Taken> taken) {
  const std::lock_guard lock(mutex_);
  newest_ = std::move(taken);
}

Result<std::shared_ptr<const GraphSnapshot::Taken>> GraphSnapshot::make() {
  const std::unique_lock making(making_, std::try_to_lock);
  if (!making) return Error(Code::busy, "a graph is being made already; ask again when it is done");
  const Instant now = clock_.now();
  GraphOptions options;
  options.threads = 1;  // the crawl needs the others
  options.progress = [this](const char*, uint64_t) { return !stopping_; };
  ADUANA_TRY(frontier_.build_graph(path_, options));
  set_time(path_, now);
  ADUANA_ASSIGN(auto graph, LinkGraph::open(path_));
  auto taken = std::make_shared<const Taken>(Taken{std::move(graph), now, has_one_crawl()});
  put(taken);
  return taken;
}

bool GraphSnapshot::has_one_crawl() {
  constexpr size_t kAtOnce = 1000;
  for (uint32_t from = 0;;) {
    const auto hosts = frontier_.queues(from, kAtOnce);
    if (!hosts) return false;
    if (hosts->empty()) return true;
    for (const QueueStatus& host : *hosts) {
      if (host.crawl != kDefaultCrawl) return false;
    }
    from = hosts->back().number + 1;
  }
}

void GraphSnapshot::keep_making() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, interval_, [&] { return stopping_.load(); })) {
    lock.unlock();
    (void)make();  // what fails now is tried again, and told to whoever asks for a snapshot
    lock.lock();
  }
}

void GraphSnapshot::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (maker_.joinable()) maker_.join();
}

}  // namespace aduana
