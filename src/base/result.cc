#include "aduana/result.h"

namespace aduana {

const char* name_of(Code code) {
  switch (code) {
    case Code::invalid:
      return "invalid";
    case Code::not_found:
      return "not_found";
    case Code::exists:
      return "exists";
    case Code::too_large:
      return "too_large";
    case Code::corrupt:
      return "corrupt";
    case Code::io:
      return "io";
    case Code::no_space:
      return "no_space";
    case Code::busy:
      return "busy";
    case Code::unsupported:
      return "unsupported";
    case Code::closed:
      return "closed";
  }
  return "unknown";
}

}  // namespace aduana
