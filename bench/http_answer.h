// Answers of a server as they come from a socket, one at a time: just what a load needs to know of them.
//
// There is only one request under way on a connection, so bytes behind an answer are an error. Not thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "aduana/result.h"

namespace aduana::bench {

struct HttpAnswer {
  unsigned status = 0;
  std::string_view body;  // good until the next bytes are added
};

class AnswerReader {
 public:
  // Takes the next bytes; an answer when it is whole. An error is the end of the connection.
  Result<std::optional<HttpAnswer>> add(std::string_view bytes);

 private:
  Status read_head(size_t end);

  std::string bytes_;  // of this answer, so far
  bool whole_ = false;
  unsigned status_ = 0;
  size_t head_size_ = 0;  // 0: not all of it is there yet
  size_t body_size_ = 0;
};

}  // namespace aduana::bench
