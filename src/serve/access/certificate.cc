#include "serve/access/certificate.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "serve/access/new_file.h"
#include "serve/access/openssl.h"

namespace aduana {
namespace {

constexpr std::chrono::days kLongest{36'500};
constexpr size_t kMostCommonName = 64;  // X.520
// A client whose clock is a little behind need not wait.
constexpr std::chrono::hours kHeadStart{1};

Error openssl_failed() { return Error(Code::unsupported, "the certificate can't be made: " + openssl_reason()); }

bool is_address(const std::string& host) {
  unsigned char bytes[16];
  return inet_pton(AF_INET, host.c_str(), bytes) == 1 || inet_pton(AF_INET6, host.c_str(), bytes) == 1;
}

bool is_label(std::string_view label) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return !label.empty() && label.size() <= 63 && std::ranges::all_of(label, fits) && !label.starts_with('-') &&
         !label.ends_with('-');
}

bool is_name(std::string_view host) {
  if (host.size() > 253) return false;
  if (host.starts_with("*.")) host.remove_prefix(2);
  // What ends with a number is meant as an address, and none that is known.
  const std::string_view last = host.substr(host.rfind('.') + 1);
  if (std::ranges::all_of(last, [](char c) { return c >= '0' && c <= '9'; })) return false;
  while (true) {
    const size_t dot = host.find('.');
    if (!is_label(host.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    host.remove_prefix(dot + 1);
  }
}

// "DNS:a.example,IP:10.0.0.1". Nothing in it is more than a name: is_name() lets no comma or colon through.
Result<std::string> alternative_names(const std::vector<std::string>& hosts) {
  std::string names;
  for (const std::string& host : hosts) {
    const bool address = is_address(host);
    if (!address && !is_name(host)) {
      return Error(Code::invalid, host +
                                      ": neither a host name nor an IP address; a name has letters, digits and "
                                      "hyphens (give international names as xn--…), without port and scheme");
    }
    names += fmt::format("{}{}:{}", names.empty() ? "" : ",", address ? "IP" : "DNS", host);
  }
  return names;
}

bool add_extension(X509* certificate, int kind, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  const OpensslPtr<X509_EXTENSION, X509_EXTENSION_free> extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value));
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

bool set_serial(X509* certificate) {
  // Positive, and never the same twice: browsers refuse two certificates of one issuer with the same number.
  std::string bytes = random_bytes(16);
  bytes[0] = static_cast<char>((bytes[0] & 0x7F) | 0x40);
  const OpensslPtr<BIGNUM, BN_free> number(
      BN_bin2bn(reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()), nullptr));
  return number && BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate));
}

bool set_times(X509* certificate, Instant now, std::chrono::days lifetime) {
  const auto from = std::chrono::floor<std::chrono::seconds>(now) - kHeadStart;
  const auto seconds = [](auto time) { return static_cast<time_t>(time.time_since_epoch().count()); };
  return ASN1_TIME_set(X509_getm_notBefore(certificate), seconds(from)) &&
         ASN1_TIME_set(X509_getm_notAfter(certificate), seconds(from + lifetime));
}

bool set_subject(X509* certificate, const std::string& host) {
  X509_NAME* name = X509_get_subject_name(certificate);
  // Clients look at the alternative names; this one is for people.
  const std::string common = host.size() <= kMostCommonName ? host : "aduana";
  return X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(common.c_str()),
                                    -1, -1, 0) == 1 &&
         X509_set_issuer_name(certificate, name) == 1;
}

template <class Write>
std::string pem_of(Write write) {
  const BioPtr memory(BIO_new(BIO_s_mem()));
  if (!memory || write(memory.get()) != 1) return "";
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &bytes);
  return std::string(bytes, static_cast<size_t>(size));
}

}  // namespace

Result<Certificate> make_certificate(const CertificateOptions& options, Instant now) {
  if (options.hosts.empty()) return Error(Code::invalid, "a certificate needs a host name or an address");
  if (options.lifetime < std::chrono::days(1) || options.lifetime > kLongest) {
    return Error(Code::invalid, fmt::format("a certificate is good for 1 to {} days", kLongest.count()));
  }
  ADUANA_ASSIGN(const std::string names, alternative_names(options.hosts));
  const KeyPtr key(EVP_EC_gen("P-256"));
  const X509Ptr certificate(X509_new());
  X509* const x509 = certificate.get();
  const bool made =
      key && x509 && X509_set_version(x509, X509_VERSION_3) == 1 && set_serial(x509) &&
      set_times(x509, now, options.lifetime) && set_subject(x509, options.hosts.front()) &&
      X509_set_pubkey(x509, key.get()) == 1 && add_extension(x509, NID_basic_constraints, "critical,CA:FALSE") &&
      add_extension(x509, NID_key_usage, "critical,digitalSignature") &&
      add_extension(x509, NID_ext_key_usage, "serverAuth") && add_extension(x509, NID_subject_key_identifier, "hash") &&
      add_extension(x509, NID_subject_alt_name, names.c_str()) && X509_sign(x509, key.get(), EVP_sha256()) > 0;
  if (!made) return openssl_failed();
  Certificate result;
  result.certificate = pem_of([&](BIO* out) { return PEM_write_bio_X509(out, x509); });
  result.key = pem_of(
      [&](BIO* out) { return PEM_write_bio_PKCS8PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr); });
  if (result.certificate.empty() || result.key.empty()) return openssl_failed();
  return result;
}

Status write_certificate(const Certificate& made, const std::string& certificate_path, const std::string& key_path,
                         bool replace) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::weakly_canonical(certificate_path, ignored) == fs::weakly_canonical(key_path, ignored)) {
    return Error(Code::invalid, key_path + ": the certificate and the key need a file each");
  }
  ADUANA_ASSIGN(NewFile key, NewFile::write(key_path, made.key, 0600));
  ADUANA_ASSIGN(NewFile certificate, NewFile::write(certificate_path, made.certificate, 0644));
  if (replace) {
    ADUANA_TRY(key.put(NewFile::Over::anything));
    return certificate.put(NewFile::Over::anything);
  }
  ADUANA_TRY(key.put(NewFile::Over::nothing));
  const Status put = certificate.put(NewFile::Over::nothing);
  if (!put) ::unlink(key_path.c_str());
  return put;
}

}  // namespace aduana
