#include "serve/http/http_date.h"

#include <ctime>

namespace aduana {

const std::string& http_date() {
  thread_local std::time_t made_at = 0;
  thread_local std::string date;
  if (const std::time_t now = std::time(nullptr); now != made_at) {
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    char text[40];
    date.assign(text, std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts));
    made_at = now;
  }
  return date;
}

}  // namespace aduana
