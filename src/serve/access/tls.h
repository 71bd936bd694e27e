// The server's side of TLS: a context for Boost.Asio streams that speaks TLS 1.2 and 1.3 with forward secrecy and
// authenticated ciphers only, without compression and renegotiation.
//
// The context is ready when it is returned and is not changed afterwards, so that connections may share it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "aduana/result.h"
#include "aduana/time.h"

namespace boost::asio::ssl {
class context;
}

namespace aduana {

struct TlsContext {
  std::shared_ptr<boost::asio::ssl::context> context;
  std::vector<std::string> warnings;  // of what works, but not for long or not well: to be told at start
};

// Both files are PEM; that of the certificate may have the chain up to its authority behind it. Errors name the file.
Result<TlsContext> make_tls_context(const std::string& certificate_path, const std::string& key_path, Instant now);

}  // namespace aduana
