// Ctrl-C ends a measurement in good order: loops ask interrupted() and return an error, and so every temporary folder
// is removed and every server stopped. A second Ctrl-C ends the process at once.
#pragma once

#include "aduana/result.h"

namespace aduana::bench {

// From now on SIGINT and SIGTERM only set the flag. Call once, at the start of main.
void catch_interrupts();
bool interrupted();

inline Error interruption() { return Error(Code::closed, "interrupted"); }

}  // namespace aduana::bench
