#include "serve_run.h"

#include <fmt/format.h>

#include <filesystem>

#include "crawl_messages.h"
#include "interrupt.h"
#include "measured_server.h"
#include "spider_load.h"
#include "temp_dir.h"

namespace aduana::bench {
namespace {

constexpr size_t kBatch = 100;  // pages in a message of many
// Messages are made before they are sent, for what no server here does more of in a second.
constexpr double kMostSinglesPerSecond = 25'000, kMostBatchesPerSecond = 750;
// Between two checkpoints that are measured, so that each has something to write.
constexpr size_t kBatchesBeforeCheckpoint = 500;
constexpr int kCheckpoints = 3, kRescores = 3;

class ServeRun {
 public:
  ServeRun(const ServeRunOptions& options, std::string dir)
      : options_(options), dir_(std::move(dir)), workload_(options.crawl) {}

  Result<ServeFigures> run() {
    ADUANA_TRY(measure_loads());
    figures_.urls = workload_.known();
    ADUANA_TRY(measure_latencies());
    return std::move(figures_);
  }

 private:
  Status measure_latencies();
  Status measure_loads();
  Status start_aduana(ServerProcess& server, ScorerKind scorer);
  Status measure_pair(ServePair& pair, const ServerProcess& bare, const ServerProcess& aduana, unsigned status,
                      const std::string& path, std::vector<LoadMessage> messages);
  // To where a server's store is when it begins.
  Status begin_crawl() {
    workload_ = CrawlWorkload(options_.crawl);
    return crawl_until(workload_, options_.urls, [](const CrawlBatch&) { return Status{}; });
  }
  // Fresh reports of so many pages each.
  std::vector<LoadMessage> reports(size_t messages, size_t pages);

  const ServeRunOptions& options_;
  const std::string dir_;
  CrawlWorkload workload_;
  CrawlBatch batch_;
  ServeFigures figures_;
};

Status ServeRun::start_aduana(ServerProcess& server, ScorerKind scorer) {
  const std::string name = fmt::format("aduana-{}", name_of(scorer));
  return server.start(
      {"serve-aduana", "--dir", fmt::format("{}/{}", dir_, name), "--threads", std::to_string(options_.threads),
       "--scorer", name_of(scorer), "--urls", std::to_string(options_.urls), "--hosts",
       std::to_string(options_.crawl.hosts), "--seed", std::to_string(options_.crawl.seed)},
      fmt::format("{}/{}.log", dir_, name));
}

std::vector<LoadMessage> ServeRun::reports(size_t messages, size_t pages) {
  std::vector<LoadMessage> made;
  made.reserve(messages);
  std::string body;
  for (size_t i = 0; i < messages && !interrupted(); ++i) {
    workload_.generate(pages, batch_);
    body.clear();
    for (const BenchPage& page : batch_.pages()) {
      append_crawled(body, page.url, page);
      if (pages > 1) body += '\n';
    }
    made.push_back({post_message("/crawled", pages > 1 ? kLines : kJson, body), batch_.links()});
  }
  return made;
}

Status ServeRun::measure_latencies() {
  fmt::print(stderr, "Latencies, with the scorer {}; filling a store again\n", name_of(options_.scorer));
  ADUANA_TRY(begin_crawl());
  ServerProcess server;
  ADUANA_TRY(start_aduana(server, options_.scorer));
  ServeLatencies& l = figures_.latencies;
  SpiderLoad spiders(workload_, options_.spiders);
  std::vector<LoadMessage> before_checkpoint = reports(kCheckpoints * kBatchesBeforeCheckpoint, kBatch);
  ADUANA_TRY(spiders.connect(server.port(), options_.connections));
  ADUANA_TRY(spiders.run_for(options_.seconds * static_cast<double>(options_.rounds), l.quiet));
  const std::string checkpoint = post_message("/checkpoint", kJson, ""), rescore = post_message("/rescore", kJson, "");
  for (size_t i = 0; i < before_checkpoint.size(); ++i) {
    ADUANA_TRY(spiders.run_beside(before_checkpoint[i].bytes, 201, l.batches));
    if ((i + 1) % kBatchesBeforeCheckpoint != 0) continue;
    ADUANA_ASSIGN(const double took, spiders.run_beside(checkpoint, 200, l.checkpoints));
    l.checkpoint_s.push_back(took);
  }
  for (int i = 0; i < kRescores; ++i) {
    ADUANA_ASSIGN(const double took, spiders.run_beside(rescore, 200, l.rescores));
    l.rescore_s.push_back(took);
  }
  ADUANA_TRY(spiders.finish());
  return server.stop();
}

Status ServeRun::measure_loads() {
  ServerProcess bare, aduana;
  fmt::print(stderr, "Filling a store with {:.1f} M URLs\n", static_cast<double>(options_.urls) * 1e-6);
  ADUANA_TRY(begin_crawl());
  ADUANA_TRY(bare.start({"serve-bare", "--threads", std::to_string(options_.threads)}, dir_ + "/bare.log"));
  ADUANA_TRY(start_aduana(aduana, ScorerKind::content));
  auto& [request, single, batch] = figures_.pairs;
  request.name = "/request?n=10";
  single.name = "/crawled, one page";
  batch.name = fmt::format("/crawled, {} pages", kBatch);
  for (uint64_t round = 0; round < options_.rounds; ++round) {
    fmt::print(stderr, "Round {} of {}\n", round + 1, options_.rounds);
    ADUANA_TRY(measure_pair(request, bare, aduana, 200, "/request?n=10", {}));
    const auto count = [&](double per_second) { return static_cast<size_t>(options_.seconds * per_second) + 1; };
    ADUANA_TRY(measure_pair(single, bare, aduana, 201, "/crawled", reports(count(kMostSinglesPerSecond), 1)));
    ADUANA_TRY(measure_pair(batch, bare, aduana, 201, "/crawled", reports(count(kMostBatchesPerSecond), kBatch)));
  }
  if (request.aduana.empty_answers > 0) {
    return Error(Code::not_found, "the server had no pages left to give; begin with more --urls, or measure for less");
  }
  ADUANA_TRY(bare.stop());
  return aduana.stop();
}

// Without messages: GET of the path. The bare server gets the same ones, under a path that makes its answers as large.
Status ServeRun::measure_pair(ServePair& pair, const ServerProcess& bare, const ServerProcess& aduana, unsigned status,
                              const std::string& path, std::vector<LoadMessage> messages) {
  const bool get = messages.empty();
  if (get) messages.push_back({get_message(path), 0});
  ClosedLoad load{.connections = options_.connections, .seconds = options_.seconds, .status = status, .next = {}};
  size_t next = 0;
  load.next = [&]() -> const LoadMessage* {
    if (get) return &messages[0];
    return next < messages.size() ? &messages[next++] : nullptr;
  };
  ADUANA_ASSIGN(const LoadFigures ours, run_load(aduana, load));
  const std::string answer_size = fmt::format("/{}", ours.answer_bytes / ours.requests);
  for (LoadMessage& message : messages) message.bytes.replace(message.bytes.find(path), path.size(), answer_size);
  load.next = [&]() -> const LoadMessage* { return &messages[next++ % messages.size()]; };
  ADUANA_ASSIGN(const LoadFigures of_bare, run_load(bare, load));
  pair.aduana.add(ours);
  pair.bare.add(of_bare);
  pair.ratios.push_back(ours.requests_per_cpu_s() / of_bare.requests_per_cpu_s());
  return {};
}

}  // namespace

Result<ServeFigures> run_serve(const ServeRunOptions& options) {
  ADUANA_ASSIGN(const TempDir temp, TempDir::make(options.dir));
  // The servers have another working folder.
  return ServeRun(options, std::filesystem::absolute(temp.path()).string()).run();
}

}  // namespace aduana::bench
