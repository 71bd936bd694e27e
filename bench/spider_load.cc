#include "spider_load.h"

#include <fmt/format.h>

#include <algorithm>

#include "crawl_messages.h"

namespace aduana::bench {
namespace {

constexpr std::chrono::minutes kPatience{5};  // with what is done beside
const std::string kRequest = get_message("/request?n=10");

Error wrong_status(const HttpAnswer& answer) {
  return Error(Code::io, fmt::format("the server answered {}: {}", answer.status, answer.body.substr(0, 500)));
}

}  // namespace

Status SpiderLoad::connect(uint16_t port, size_t spiders) {
  ADUANA_TRY(http_.connect(port, spiders + 1));
  spiders_.resize(spiders);
  next_due_ = std::chrono::steady_clock::now();
  return {};
}

Status SpiderLoad::run_for(double seconds, Latencies& into) {
  into_ = &into;
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < until) ADUANA_TRY(turn());
  return {};
}

Result<double> SpiderLoad::run_beside(std::string_view message, unsigned status, Latencies& into) {
  into_ = &into;
  status_beside_ = status;
  took_beside_ = -1;
  ADUANA_TRY(http_.send(spiders_.size(), message));
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (took_beside_ < 0) {
    ADUANA_TRY(turn());
    if (std::chrono::steady_clock::now() > until) return Error(Code::busy, "the server does not answer any more");
  }
  return took_beside_;
}

Status SpiderLoad::finish() {
  return http_.finish([this](size_t c, const HttpAnswer& a, double s) { return on_answer(c, a, s); });
}

Status SpiderLoad::turn() {
  const auto now = std::chrono::steady_clock::now();
  ADUANA_TRY(send_due(now));
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(next_due_ - now);
  return http_.poll(std::clamp(wait, std::chrono::milliseconds(1), std::chrono::milliseconds(100)),
                    [this](size_t c, const HttpAnswer& a, double s) { return on_answer(c, a, s); });
}

Status SpiderLoad::send_due(SteadyTime now) {
  for (size_t i = 0; i < spiders_.size() && next_due_ <= now; ++i) {
    if (!http_.is_free(i)) continue;
    Spider& spider = spiders_[i];
    spider.begun_in = into_;
    spider.reporting = false;
    // That this process was late is not the server's fault; that no connection was free is.
    ADUANA_TRY(http_.send(i, kRequest, spider.free_since <= next_due_ ? now : next_due_));
    next_due_ += std::chrono::duration_cast<SteadyTime::duration>(std::chrono::duration<double>(1 / rate_));
  }
  return {};
}

Status SpiderLoad::on_answer(size_t connection, const HttpAnswer& answer, double seconds) {
  if (connection == spiders_.size()) {
    took_beside_ = seconds;
    return answer.status == status_beside_ ? Status{} : Status(wrong_status(answer));
  }
  Spider& spider = spiders_[connection];
  if (answer.status != (spider.reporting ? 201 : 200)) return wrong_status(answer);
  spider.begun_in->add(seconds);
  if (spider.begun_in != into_) into_->add(seconds);
  spider.free_since = std::chrono::steady_clock::now();
  return spider.reporting ? Status{} : report(connection, answer.body);
}

Status SpiderLoad::report(size_t number, std::string_view answer) {
  const auto urls = urls_in(answer);
  if (urls.empty()) return Error(Code::not_found, "the server has no pages left to give; begin with more --urls");
  Spider& spider = spiders_[number];
  workload_.generate(urls.size(), batch_);
  std::string lines;
  for (size_t i = 0; i < urls.size(); ++i) {
    append_crawled(lines, urls[i], batch_.pages()[i]);
    lines += '\n';
  }
  spider.report = post_message("/crawled", kLines, lines);
  spider.begun_in = into_;
  spider.reporting = true;
  return http_.send(number, spider.report);
}

}  // namespace aduana::bench
