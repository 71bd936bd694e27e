// Opening the store that a command names, and finding the page that it asks for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "aduana/frontier.h"
#include "frontier/plan.h"
#include "store/store.h"

namespace aduana {

// A store with the plan that follows it: without one the states of its pages could not be told.
class OpenedStore {
 public:
  OpenedStore(std::unique_ptr<Plan> plan, std::unique_ptr<Store> store)
      : plan_(std::move(plan)), store_(std::move(store)) {}
  Store* operator->() const { return store_.get(); }
  Store& operator*() const { return *store_; }
  Plan& plan() const { return *plan_; }

 private:
  std::unique_ptr<Plan> plan_;
  std::unique_ptr<Store> store_;
};

// Nothing is created or changed by any of these when the path is no store.
Result<OpenedStore> open_for_reading(const std::string& dir);
Result<OpenedStore> open_for_changes(const std::string& dir, const StoreOptions& options);
// The frontier of a store that is there.
Result<std::unique_ptr<Frontier>> open_frontier_of(const std::string& dir, FrontierOptions options);

// Does the error of opening `dir` say that a store is there but damaged?
bool is_damage(const std::string& dir, const Error& error);

// The pages that "URL or HASH" stands for: the page of that URL, or every page with that 64-bit hash, for which all are
// looked through. Code::not_found names what was asked for.
Result<std::vector<PageIdx>> find_pages(Store& store, const std::string& url_or_hash);
// The same for commands that end there: an unknown page is told on standard error, and the answer is empty.
Result<std::vector<PageIdx>> find_pages_or_say(Store& store, const std::string& url_or_hash);

}  // namespace aduana
