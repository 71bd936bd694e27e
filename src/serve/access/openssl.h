// What every use of OpenSSL here needs: its objects freed with their owners, its errors as text, random bytes, and
// strings that are wiped.
//
// OpenSSL keeps errors in a queue for each thread; openssl_reason() empties that of the calling one.
#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include <memory>
#include <string>
#include <string_view>

namespace aduana {

template <auto Free>
struct OpensslFree {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
template <class T, auto Free>
using OpensslPtr = std::unique_ptr<T, OpensslFree<Free>>;

using BioPtr = OpensslPtr<BIO, BIO_free_all>;
using KeyPtr = OpensslPtr<EVP_PKEY, EVP_PKEY_free>;
using X509Ptr = OpensslPtr<X509, X509_free>;

// Why the last call failed, in OpenSSL's words.
std::string openssl_reason();

// From the operating system's generator. Throws where there are none: nothing would be secret then.
std::string random_bytes(size_t count);

// A string that is overwritten before its memory goes back.
class Secret {
 public:
  explicit Secret(std::string text) : text_(std::move(text)) {}
  ~Secret();
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;

  std::string& text() { return text_; }
  std::string_view view() const { return text_; }

 private:
  std::string text_;
};

}  // namespace aduana
