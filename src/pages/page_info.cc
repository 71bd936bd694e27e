#include "aduana/page_info.h"

#include <fmt/format.h>

#include <ctime>

#include "base/change_history.h"

namespace aduana {
namespace {

constexpr size_t kPrintedUrl = 512;

// The 24 characters of ctime, in UTC and whatever the locale: "Thu Jan  1 08:01:59 2015".
std::string print_time(Instant t) {
  static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::time_t seconds = std::chrono::floor<std::chrono::seconds>(t).time_since_epoch().count();
  std::tm tm{};
  gmtime_r(&seconds, &tm);
  return fmt::format("{} {} {:2} {:02}:{:02}:{:02} {:04}", kDays[tm.tm_wday], kMonths[tm.tm_mon], tm.tm_mday,
                     tm.tm_hour, tm.tm_min, tm.tm_sec, tm.tm_year + 1900);
}

}  // namespace

std::string print(const PageInfo& page) {
  return fmt::format("{} {} {:.2e} {:.2e} {}", print_time(page.first_crawl), print_time(page.last_crawl),
                     static_cast<double>(page.n_crawls), static_cast<double>(page.n_changes),
                     page.url.substr(0, kPrintedUrl));
}

double documented_change_rate(const PageInfo& page) {
  const double span = std::chrono::duration<double>(page.last_crawl - page.first_crawl).count();
  return page.n_crawls > 0 && span > 0 ? (static_cast<double>(page.n_changes) + 1) / span : -1.0;
}

double change_rate(const PageInfo& page) {
  const auto history = ChangeHistory::of(page.n_crawls, page.n_changes, page.first_crawl, page.last_crawl);
  return history ? history->unbiased_rate() : -1.0;
}

}  // namespace aduana
