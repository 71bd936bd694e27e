// The baseline of `aduana-bench serve`: what Boost.Beast costs by itself.
//
// As plain as an asynchronous server of it can be that one would still use: some threads, a strand a connection,
// keep-alive, one time-out a request. GET /N is answered with 200 and N bytes, POST /N with 201 and N bytes once its
// body was read; nothing is looked at.
#pragma once

#include "aduana/result.h"

namespace aduana::bench {

// Listens on a free port of the loopback address, says so on standard output (see server_process.h), and serves until
// the process is told to stop.
Status run_bare_server(unsigned threads);

}  // namespace aduana::bench
