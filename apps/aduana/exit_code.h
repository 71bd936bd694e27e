// What the program tells the shell. Documented in docs/cli.md and at the end of every --help; scripts rely on it.
#pragma once

namespace aduana {

inline constexpr int kFine = 0;
inline constexpr int kDataProblem = 1;  // something is wrong with the data: a bad line, damage, a page that is unknown
inline constexpr int kFailed = 2;       // nothing could be done: wrong arguments, no store, no permission, disk full
inline constexpr int kSignalled = 128;  // plus the number of the signal that ended a load or a dump early

}  // namespace aduana
