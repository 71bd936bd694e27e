#include "serve/access/tls.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <sys/stat.h>

#include <boost/asio/ssl/context.hpp>

#include "base/file.h"
#include "serve/access/openssl.h"

namespace aduana {
namespace {

// For TLS 1.2; all suites of 1.3 are good.
constexpr const char* kCiphers =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";
constexpr const char* kGroups = "X25519:P-256:P-384";
constexpr size_t kMostPem = 4 << 20;

Error bad(const std::string& path, const std::string& what) { return Error(Code::invalid, path + ": " + what); }

Result<BioPtr> open_pem(const std::string& path, std::string& bytes) {
  struct stat info;
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) return bad(path, "this is no regular file");
  ADUANA_ASSIGN(bytes, read_file(real_files(), path));
  if (bytes.size() > kMostPem) return bad(path, "too large to be a certificate or a key");
  return BioPtr(BIO_new_mem_buf(bytes.data(), static_cast<int>(bytes.size())));
}

Result<std::vector<X509Ptr>> read_chain(const std::string& path) {
  std::string bytes;
  ADUANA_ASSIGN(const BioPtr bio, open_pem(path, bytes));
  std::vector<X509Ptr> chain;
  while (X509* next = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)) chain.emplace_back(next);
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  const std::string reason = openssl_reason();
  if (chain.empty() && at_end) {
    return bad(path, "there is no certificate in it; it has to be PEM (-----BEGIN CERTIFICATE-----)");
  }
  if (!at_end) return bad(path, fmt::format("certificate {} is damaged: {}", chain.size() + 1, reason));
  return chain;
}

// Asked for only when the key is encrypted. (OpenSSL's own would ask on the terminal and wait.)
int note_pass_phrase(char*, int, int, void* asked) {
  *static_cast<bool*>(asked) = true;
  return -1;
}

Result<KeyPtr> read_key(const std::string& path) {
  std::string bytes;
  ADUANA_ASSIGN(const BioPtr bio, open_pem(path, bytes));
  bool encrypted = false;
  KeyPtr key(PEM_read_bio_PrivateKey(bio.get(), nullptr, note_pass_phrase, &encrypted));
  OPENSSL_cleanse(bytes.data(), bytes.size());
  const std::string reason = openssl_reason();
  if (key) return key;
  if (encrypted) {
    return bad(path,
               "the key is encrypted, and the server can't ask for a pass phrase; decrypt it by "
               "`openssl pkey -in OLD -out NEW` into a file that only the server may read");
  }
  return bad(path, "there is no private key in it, or a damaged one (" + reason +
                       "); it has to be PEM (-----BEGIN PRIVATE KEY-----)");
}

std::string date_of(const ASN1_TIME* time) {
  std::tm parts = {};
  return ASN1_TIME_to_tm(time, &parts) == 1 ? fmt::format("{:%Y-%m-%d %H:%M} UTC", parts) : "an unknown time";
}

void add_warnings(const std::string& certificate_path, const X509* certificate, const std::string& key_path,
                  Instant now, std::vector<std::string>& warnings) {
  time_t seconds = std::chrono::system_clock::to_time_t(now);
  if (X509_cmp_time(X509_get0_notAfter(certificate), &seconds) < 0) {
    warnings.push_back(fmt::format("{}: the certificate has expired ({}); clients will refuse it", certificate_path,
                                   date_of(X509_get0_notAfter(certificate))));
  }
  if (X509_cmp_time(X509_get0_notBefore(certificate), &seconds) > 0) {
    warnings.push_back(fmt::format("{}: the certificate is not valid before {}; clients will refuse it",
                                   certificate_path, date_of(X509_get0_notBefore(certificate))));
  }
  struct stat info;
  if (::stat(key_path.c_str(), &info) == 0 && (info.st_mode & 07) != 0) {
    warnings.push_back(fmt::format("{}: everybody may read this key; run `chmod o= {}`", key_path, key_path));
  }
}

bool configure(SSL_CTX* tls) {
  SSL_CTX_set_options(tls, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
  // Connections that wait keep no buffers: some ten kilobytes each.
  SSL_CTX_set_mode(tls, SSL_MODE_RELEASE_BUFFERS);
  static constexpr unsigned char kSessions[] = "aduana";
  return SSL_CTX_set_min_proto_version(tls, TLS1_2_VERSION) == 1 && SSL_CTX_set_cipher_list(tls, kCiphers) == 1 &&
         SSL_CTX_set1_groups_list(tls, kGroups) == 1 &&
         SSL_CTX_set_session_id_context(tls, kSessions, sizeof kSessions - 1) == 1;
}

}  // namespace

Result<TlsContext> make_tls_context(const std::string& certificate_path, const std::string& key_path, Instant now) {
  ERR_clear_error();
  ADUANA_ASSIGN(const std::vector<X509Ptr> chain, read_chain(certificate_path));
  ADUANA_ASSIGN(const KeyPtr key, read_key(key_path));
  if (X509_check_private_key(chain.front().get(), key.get()) != 1) {
    openssl_reason();
    return bad(key_path, "the key is not that of the certificate in " + certificate_path +
                             ", whose first certificate has to be the server's own");
  }
  TlsContext made;
  made.context = std::make_shared<boost::asio::ssl::context>(boost::asio::ssl::context::tls_server);
  SSL_CTX* tls = made.context->native_handle();
  if (!configure(tls)) return Error(Code::unsupported, "TLS can't be set up: " + openssl_reason());
  // A key that is too short for today is refused here.
  if (SSL_CTX_use_certificate(tls, chain.front().get()) != 1) return bad(certificate_path, openssl_reason());
  for (size_t i = 1; i < chain.size(); ++i) {
    if (SSL_CTX_add1_chain_cert(tls, chain[i].get()) != 1) return bad(certificate_path, openssl_reason());
  }
  if (SSL_CTX_use_PrivateKey(tls, key.get()) != 1) return bad(key_path, openssl_reason());
  add_warnings(certificate_path, chain.front().get(), key_path, now, made.warnings);
  return made;
}

}  // namespace aduana
