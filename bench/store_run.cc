#include "store_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "interrupt.h"
#include "stopwatch.h"
#include "temp_dir.h"

namespace aduana::bench {
namespace {

constexpr uint64_t kLeastFreeBytes = uint64_t{2} << 30;
constexpr uint64_t kSample = 100'000;  // URLs whose indices are compared
constexpr double kProgressSeconds = 5;
constexpr int kReportsBetweenDiskChecks = 64;

// Generates a report, times it, and keeps the sums.
class TimedReports {
 public:
  TimedReports(StoreAdapter& store, CrawlWorkload& workload, size_t batch)
      : store_(store), workload_(workload), batch_(batch) {}

  Status step() {
    const double cpu_before = thread_cpu_seconds();
    workload_.generate(batch_, reports_);
    generator_cpu_s_ += thread_cpu_seconds() - cpu_before;
    const Stopwatch watch;
    ADUANA_TRY(store_.report(reports_.pages()));
    const double s = watch.seconds();
    seconds_ += s;
    worst_s_ = std::max(worst_s_, s);
    links_ += reports_.links();
    pages_ += reports_.pages().size();
    return {};
  }

  uint64_t links() const { return links_; }
  uint64_t pages() const { return pages_; }
  double seconds() const { return seconds_; }
  double worst_s() const { return worst_s_; }
  double generator_cpu_s() const { return generator_cpu_s_; }

 private:
  StoreAdapter& store_;
  CrawlWorkload& workload_;
  size_t batch_;
  CrawlBatch reports_;
  uint64_t links_ = 0;
  uint64_t pages_ = 0;
  double seconds_ = 0;
  double worst_s_ = 0;
  double generator_cpu_s_ = 0;
};

double rate(uint64_t count, double seconds) { return seconds > 0 ? static_cast<double>(count) / seconds : 0; }

class StoreRun {
 public:
  StoreRun(StoreAdapter& store, const StoreRunOptions& options, std::string dir)
      : store_(store), options_(options), dir_(std::move(dir)), workload_(options.crawl) {}

  Result<StoreFigures> run() {
    figures_.name = store_.name();
    ADUANA_TRY(store_.open(dir_, options_.store));
    ADUANA_TRY(grow());
    ADUANA_TRY(count());
    ADUANA_TRY(store_.close());
    figures_.bytes_per_url = rate(bytes_on_disk(dir_), static_cast<double>(figures_.urls));
    ADUANA_TRY(reopen());
    if (options_.verify) ADUANA_TRY(verify());
    if (options_.cold) ADUANA_TRY(run_cold());
    ADUANA_TRY(store_.close());
    return figures_;
  }

 private:
  Status grow() {
    TimedReports reports(store_, workload_, options_.batch);
    const uint64_t last_tenth = options_.urls - options_.urls / 10;
    const double cpu_before = process_cpu_seconds();
    uint64_t links_before = 0;
    double seconds_before = 0;
    const Stopwatch wall;
    double next_progress = kProgressSeconds;
    for (int n = 0; workload_.known() < options_.urls; ++n) {
      if (workload_.known() < last_tenth) {
        links_before = reports.links();
        seconds_before = reports.seconds();
      }
      ADUANA_TRY(reports.step());
      if (interrupted()) return interruption();
      if (n % kReportsBetweenDiskChecks == 0 && free_bytes(dir_) < kLeastFreeBytes)
        return Error(Code::no_space, fmt::format("less than 2 GiB are free at {}; choose another folder with --dir, or "
                                                 "fewer --urls",
                                                 dir_));
      if (wall.seconds() > next_progress) {
        next_progress += kProgressSeconds;
        fmt::print(stderr, "{:>8}: {:5.1f} M URLs, {:7.0f} links/s so far\n", figures_.name,
                   static_cast<double>(workload_.known()) * 1e-6, rate(reports.links(), reports.seconds()));
      }
      if (wall.seconds() > options_.time_limit_s) {
        figures_.cut_short = true;
        break;
      }
    }
    const Stopwatch settling;
    ADUANA_TRY(store_.settle());
    figures_.settle_s = settling.seconds();
    const double cpu = process_cpu_seconds() - cpu_before - reports.generator_cpu_s();
    figures_.links = reports.links();
    figures_.links_per_s = rate(reports.links() - links_before, reports.seconds() - seconds_before);
    figures_.overall_links_per_s = rate(reports.links(), reports.seconds());
    figures_.pages_per_cpu_s = rate(reports.pages(), cpu);
    figures_.worst_report_s = reports.worst_s();
    return {};
  }

  Status count() {
    ADUANA_ASSIGN(figures_.urls, store_.url_count());
    if (figures_.urls == workload_.known()) return {};
    return Error(Code::corrupt, fmt::format("{} knows {} URLs after the growth, but was told of {}", figures_.name,
                                            figures_.urls, workload_.known()));
  }

  Result<std::optional<uint64_t>> index_of_found(uint64_t n) {
    char text[kLongestUrlText];
    const char* end = write_url(workload_.found(n), text);
    return store_.index_of({text, static_cast<size_t>(end - text)});
  }

  Status reopen() {
    const Stopwatch watch;
    ADUANA_TRY(store_.open(dir_, options_.store));
    ADUANA_ASSIGN(const auto index, index_of_found(workload_.known() / 2));
    figures_.reopen_s = watch.seconds();
    if (!index) return Error(Code::corrupt, figures_.name + " forgot a URL when it was opened again");
    return count();
  }

  // Every store must give every URL the index that the order of discovery gives it.
  Status verify() {
    const uint64_t step = std::max<uint64_t>(1, workload_.known() / kSample);
    uint64_t sum = 0;
    for (uint64_t n = 0; n < workload_.known(); n += step) {
      ADUANA_ASSIGN(const auto index, index_of_found(n));
      if (index != n)
        return Error(Code::corrupt,
                     fmt::format("{}: URL {} has index {}", figures_.name, n, index ? fmt::to_string(*index) : "none"));
      sum += mix(*index ^ mix(workload_.found(n).value()));
    }
    figures_.checksum = sum;
    return {};
  }

  Status run_cold() {
    ADUANA_TRY(store_.close());
    StoreAdapterOptions cold = options_.store;
    cold.cold = true;
    ADUANA_TRY(store_.open(dir_, cold));
    TimedReports reports(store_, workload_, options_.batch);
    const Stopwatch wall;
    while (reports.links() < options_.cold_links && wall.seconds() < options_.time_limit_s) {
      ADUANA_TRY(reports.step());
      if (interrupted()) return interruption();
    }
    figures_.cold_links_per_s = rate(reports.links(), reports.seconds());
    figures_.worst_report_s = std::max(figures_.worst_report_s, reports.worst_s());
    ADUANA_TRY(store_.settle());
    return {};
  }

  StoreAdapter& store_;
  const StoreRunOptions& options_;
  std::string dir_;
  CrawlWorkload workload_;
  StoreFigures figures_;
};

}  // namespace

Result<StoreFigures> run_store(const std::string& name, const StoreRunOptions& options) {
  ADUANA_ASSIGN(const TempDir temp, TempDir::make(options.dir));
  ADUANA_ASSIGN(const std::unique_ptr<StoreAdapter> store, make_store(name));
  ADUANA_ASSIGN(const std::string dir, temp.subdir(name));
  StoreRunOptions run_options = options;
  run_options.crawl.expected_urls = options.urls + options.urls / 64;
  return StoreRun(*store, run_options, dir).run();
}

}  // namespace aduana::bench
