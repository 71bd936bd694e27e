// Everything that decodes bytes from the disk, fed with anything: it may refuse them, but not crash or read beyond
// them. The first byte chooses the decoder.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "aduana/recrawl_policies.h"
#include "base/simulated_disk.h"
#include "frontier/plan.h"
#include "journal/events.h"
#include "journal/frame.h"
#include "links/link_list.h"
#include "pages/url_log.h"
#include "store/manifest.h"

namespace {

void decode(uint8_t which, std::string_view bytes) {
  using namespace aduana;
  switch (which % 7) {
    case 0: {
      EventReader reader(bytes);
      Event event;
      while (!reader.at_end() && reader.next(event)) {
      }
      break;
    }
    case 1: {
      (void)read_frame(bytes);
      (void)later_frame_shows_damage(bytes, 10);
      break;
    }
    case 2: {
      LinkList links;
      (void)read_link_list(bytes, PageIdx{1000}, links);
      (void)count_links(bytes);
      break;
    }
    case 3: {
      (void)Manifest::decode(bytes, "MANIFEST");
      break;
    }
    case 4: {
      SimulatedDisk disk;
      HostNames hosts;
      hosts.intern("a.example");
      hosts.intern("b.example");
      auto log = ExtentLog::open(disk, "/urls", {});
      auto directory = PagedArray::open(disk, "/urls.dir", UrlLog::kDirectoryRecord, 0, 16, false);
      UrlLog urls(**log, **directory, hosts);
      if (!urls.restore(bytes)) break;
      UrlLog::Snapshot::Cursor cursor;
      for (PageIdx i{0}; i.value < urls.size(); ++i.value) (void)urls.read(i, cursor);
      break;
    }
    case 5: {
      if (const auto action = Action::decode(bytes)) (void)Action::decode(action->encode());
      break;
    }
    case 6: {
      SimulatedDisk disk;
      const auto pages = Pages::open(disk, "/pages", {}, {});
      FrontierOptions options;
      options.recrawl = *OptimalFreshness::make({});
      const auto plan = Plan::make(options);
      if ((*plan)->attach(**pages, bytes)) (void)(*plan)->save();
      break;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 0) decode(data[0], {reinterpret_cast<const char*>(data) + 1, size - 1});
  return 0;
}
