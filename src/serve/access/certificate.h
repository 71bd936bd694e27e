// A certificate that the server signs itself, for those who have no authority at hand: EC P-256, good for the given
// names and addresses. Clients are given the certificate file to trust (`curl --cacert`).
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "aduana/result.h"
#include "aduana/time.h"

namespace aduana {

struct CertificateOptions {
  std::vector<std::string> hosts;   // names (also *.example.com) and IP addresses; at least one
  std::chrono::days lifetime{825};  // as long as browsers take
};

struct Certificate {
  std::string certificate;  // PEM
  std::string key;          // PEM
};

Result<Certificate> make_certificate(const CertificateOptions& options, Instant now);

// Writes both or, on an error, neither; the key for its owner only. Files that are there are left alone and an error,
// unless they are to be replaced.
Status write_certificate(const Certificate& made, const std::string& certificate_path, const std::string& key_path,
                         bool replace);

}  // namespace aduana
