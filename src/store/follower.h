// What stands on a store and changes in step with it: the frontier.
//
// All of it is called under the store's lock, in the order of events, when they happen and again at replay; what it
// does must depend on nothing but the events, so that both come to the same. It may read and change page records
// through the Pages that it is given in attach(). An error from it ends all changes until the store is opened again.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "journal/events.h"
#include "pages/pages.h"

namespace aduana {

class Follower {
 public:
  virtual ~Follower() = default;

  // The page table is loaded; `saved` is what save() gave for the checkpoint, empty in a new store. Replay follows.
  virtual Status attach(Pages& pages, std::string_view saved) = 0;
  // Replay is over.
  virtual Status start() = 0;

  // A page is about to be entered as crawled: its new URLs first, see born(), then itself, see crawled(). `again`: it
  // was crawled before.
  virtual Status coming(const Event& event, bool again) = 0;
  // A page is entered; its record may still be changed.
  virtual Status born(PageIdx page, const NewUrl& url, Instant now, PageRecord& record) = 0;
  // A page was crawled; `record` and `detail` hold all that the event says and may still be changed. `before` is the
  // record that it had.
  virtual Status crawled(PageIdx page, const Event& event, const PageRecord& before, PageRecord& record,
                         DetailRecord& detail) = 0;
  // What was decided above is in the page table now. `before` is the state that the page had; nothing if it is new.
  virtual Status stored(PageIdx page, std::optional<PageState> before, const PageRecord& record, Instant now) = 0;
  // A page is no more, its queue is being deleted; `before` is the record that it had.
  virtual Status deleted(PageIdx page, const PageRecord& before) = 0;
  // All pages of the queue are deleted.
  virtual Status emptied(HostId queue, Instant now) = 0;
  // Somebody asked for these pages by name, which are known already. What it returns, if anything, becomes an event of
  // its own.
  virtual Result<std::string> wanted(std::span<const PageIdx> pages) = 0;
  // An event of the follower's own.
  virtual Status happened(std::string_view payload, Instant now) = 0;

  // What must be in the checkpoint beside the page table.
  virtual std::string save() const = 0;
};

}  // namespace aduana
