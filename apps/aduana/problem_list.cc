#include "problem_list.h"

#include <fmt/format.h>

#include "base/json.h"
#include "exit_code.h"
#include "messages.h"

namespace aduana {

ProblemList::ProblemList(bool json) : json_(json) {
  if (json_) output_.write("{\"problems\":[");
}

void ProblemList::add(const std::string& problem) {
  ++count_;
  if (json_) {
    std::string text = count_ > 1 ? "," : "";
    append_json_string(text, problem);
    output_.write(text);
  } else {
    output_.write(printable(problem) + '\n');
  }
}

Result<int> ProblemList::finish(uint64_t pages, uint64_t links) {
  if (json_) {
    output_.write(fmt::format("],\"pages\":{},\"links\":{}}}\n", pages, links));
  } else if (count_ == 0) {
    output_.write(fmt::format("no problems: {} pages, {} links\n", pages, links));
  } else {
    output_.write(fmt::format("{} problem{}\n", count_, count_ == 1 ? "" : "s"));
  }
  ADUANA_TRY(output_.finish());
  return count_ ? kDataProblem : kFine;
}

}  // namespace aduana
