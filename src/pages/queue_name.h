// The name of the queue that a page belongs to.
//
// In the crawl DEFAULT the name is the queue's key alone: the host, the registrable domain if the store is set so, or a
// key of the client's. In other crawls it is "crawl\nkey". The same URL in two queues is two pages.
#pragma once

#include <string>
#include <string_view>

#include "aduana/frontier_options.h"
#include "aduana/page.h"
#include "aduana/result.h"

namespace aduana {

inline constexpr size_t kMaxQueueKey = 255;

// Code::invalid if crawl or key can't be used.
Status test_queue_key(std::string_view crawl, std::string_view key);

// The name of the queue; empty when it is the host itself.
std::string queue_name(std::string_view crawl, std::string_view key, std::string_view host, QueueBy by);
std::string_view crawl_of(std::string_view queue_name);  // kDefaultCrawl, if it names none
std::string_view key_of(std::string_view queue_name);

}  // namespace aduana
