#include "pages/queue_generations.h"

#include <algorithm>

#include "pages/queue_name.h"

namespace aduana {
namespace {

constexpr char kGeneration = '\x01';  // no name holds it

void save_names(std::string& out, const std::map<std::string, uint64_t, std::less<>>& names) {
  append_varint(out, names.size());
  for (const auto& [name, deletion] : names) {
    append_sized(out, name);
    append_varint(out, deletion);
  }
}

void load_names(ByteReader& in, std::map<std::string, uint64_t, std::less<>>& names) {
  names.clear();
  for (uint64_t left = in.varint(); left > 0 && in.ok(); --left) {
    std::string name(in.sized());
    names[std::move(name)] = in.varint();
  }
}

}  // namespace

uint64_t QueueGenerations::generation_of(std::string_view queue) const {
  const auto of_queue = queues_.find(queue);
  const auto of_crawl = crawls_.find(crawl_of(queue));
  return std::max(of_queue == queues_.end() ? 0 : of_queue->second, of_crawl == crawls_.end() ? 0 : of_crawl->second);
}

PageKey QueueGenerations::key_of(const CanonicalView& url, std::string_view queue) const {
  if (deletions_ == 0) return page_key_in(url, queue);
  const std::string_view name = queue.empty() ? url.host : queue;
  const uint64_t generation = generation_of(name);
  if (generation == 0) return page_key_in(url, queue);
  return page_key_in(url, std::string(name) + kGeneration + std::to_string(generation));
}

void QueueGenerations::save(std::string& out) const {
  append_varint(out, deletions_);
  save_names(out, queues_);
  save_names(out, crawls_);
}

bool QueueGenerations::load(ByteReader& in) {
  deletions_ = in.varint();
  load_names(in, queues_);
  load_names(in, crawls_);
  return in.ok();
}

}  // namespace aduana
