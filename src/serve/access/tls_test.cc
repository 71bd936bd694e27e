#include "serve/access/tls.h"

#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <sys/stat.h>

#include <boost/asio/ssl/context.hpp>

#include "base/must.h"
#include "serve/access/certificate.h"
#include "serve/access/openssl.h"
#include "serve/access/test_folder.h"

namespace aduana {
namespace {

namespace fs = std::filesystem;
using std::chrono::days;

using SslPtr = OpensslPtr<SSL, SSL_free>;
using SslContextPtr = OpensslPtr<SSL_CTX, SSL_CTX_free>;

class TlsTest : public testing::Test {
 protected:
  TlsTest() {
    made = must(make_certificate({{"a.example", "127.0.0.1"}, days(825)}, now));
    must(write_certificate(made, certificate, key, false));
  }
  Error error_of(const std::string& certificate_path, const std::string& key_path) {
    const auto context = make_tls_context(certificate_path, key_path, now);
    EXPECT_FALSE(context);
    return context ? Error(Code::invalid, "") : context.error();
  }
  void expect_error(const Error& error, const std::string& path, const std::string& what) {
    EXPECT_TRUE(error.message().starts_with(path + ": ")) << error.message();
    EXPECT_NE(error.message().find(what), std::string::npos) << error.message();
    EXPECT_EQ(ERR_peek_error(), 0u) << "left for whoever asks next";
  }

  TestFolder folder;
  const std::string certificate = folder.path("cert.pem"), key = folder.path("key.pem");
  const Instant now = SystemClock().now();
  Certificate made;
};

// Both ends of a connection, in one thread, without a network.
class Handshake {
 public:
  Handshake(SSL_CTX* server_context, SSL_CTX* client_context, const std::string& host)
      : server(SSL_new(server_context)), client(SSL_new(client_context)) {
    BIO *one, *other;
    if (BIO_new_bio_pair(&one, 0, &other, 0) != 1) throw std::runtime_error("BIO_new_bio_pair");
    SSL_set_bio(server.get(), one, one);
    SSL_set_bio(client.get(), other, other);
    SSL_set_accept_state(server.get());
    SSL_set_connect_state(client.get());
    SSL_set1_host(client.get(), host.c_str());
  }
  // True if both have done it.
  bool go() {
    for (int i = 0; i < 10; ++i) {
      const int there = SSL_do_handshake(client.get());
      if (there != 1 && SSL_get_error(client.get(), there) != SSL_ERROR_WANT_READ) break;
      const int here = SSL_do_handshake(server.get());
      if (here != 1 && SSL_get_error(server.get(), here) != SSL_ERROR_WANT_READ) break;
      if (here == 1 && there == 1) return true;
    }
    ERR_clear_error();
    return false;
  }
  // Does what the client writes arrive?
  bool talks() {
    char byte = 'x';
    return SSL_write(client.get(), "!", 1) == 1 && SSL_read(server.get(), &byte, 1) == 1 && byte == '!';
  }

  SslPtr server, client;
};

class TlsHandshakeTest : public TlsTest {
 protected:
  TlsHandshakeTest()
      : context(must(make_tls_context(certificate, key, now))), trusting(SSL_CTX_new(TLS_client_method())) {
    if (SSL_CTX_load_verify_file(trusting.get(), certificate.c_str()) != 1) throw std::runtime_error("no trust");
    SSL_CTX_set_verify(trusting.get(), SSL_VERIFY_PEER, nullptr);
  }
  Handshake with_client(const std::string& host = "a.example") {
    return Handshake(context.context->native_handle(), trusting.get(), host);
  }
  void only(int version) {
    // Old versions are off on most systems today; the client here is as old as it can be.
    SSL_CTX_set_security_level(trusting.get(), 0);
    SSL_CTX_set_min_proto_version(trusting.get(), version);
    SSL_CTX_set_max_proto_version(trusting.get(), version);
  }

  TlsContext context;
  SslContextPtr trusting;
};

TEST_F(TlsHandshakeTest, ClientsThatTrustTheCertificateConnect) {
  EXPECT_TRUE(context.warnings.empty()) << context.warnings.front();
  auto connection = with_client();
  EXPECT_TRUE(connection.go());
  EXPECT_EQ(std::string(SSL_get_version(connection.client.get())), "TLSv1.3");
  EXPECT_TRUE(connection.talks());
  EXPECT_FALSE(with_client("b.example").go());
  SSL_CTX_set_cert_store(trusting.get(), X509_STORE_new());
  EXPECT_FALSE(with_client().go());
}

TEST_F(TlsHandshakeTest, OldVersionsAreRefused) {
  // Said by us, whatever the system's configuration says, and not only because old versions have none of our ciphers.
  EXPECT_EQ(SSL_CTX_get_min_proto_version(context.context->native_handle()), TLS1_2_VERSION);
  only(TLS1_2_VERSION);
  EXPECT_TRUE(with_client().go());
  for (const int version : {TLS1_1_VERSION, TLS1_VERSION}) {
    only(version);
    // Otherwise the context would refuse for another reason.
    SSL_CTX_set_security_level(context.context->native_handle(), 0);
    EXPECT_FALSE(with_client().go());
  }
}

TEST_F(TlsHandshakeTest, CiphersWithoutForwardSecrecyOrAuthenticationAreRefused) {
  only(TLS1_2_VERSION);
  for (const char* cipher : {"ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305"}) {
    ASSERT_EQ(SSL_CTX_set_cipher_list(trusting.get(), cipher), 1);
    EXPECT_TRUE(with_client().go()) << cipher;
  }
  for (const char* cipher : {"ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA384", "AECDH-AES128-SHA"}) {
    ASSERT_EQ(SSL_CTX_set_cipher_list(trusting.get(), cipher), 1);
    EXPECT_FALSE(with_client().go()) << cipher;
  }
}

TEST_F(TlsHandshakeTest, NothingIsNegotiatedAgain) {
  // OpenSSL 3 would refuse clients by itself; this is for earlier and later ones.
  EXPECT_TRUE(SSL_CTX_get_options(context.context->native_handle()) & SSL_OP_NO_RENEGOTIATION);
  only(TLS1_2_VERSION);
  auto connection = with_client();
  ASSERT_TRUE(connection.go());
  ASSERT_TRUE(connection.talks());
  ASSERT_EQ(SSL_renegotiate(connection.client.get()), 1);
  SSL_do_handshake(connection.client.get());
  char byte;
  EXPECT_LE(SSL_read(connection.server.get(), &byte, 1), 0);
  EXPECT_EQ(SSL_do_handshake(connection.client.get()), -1);
  EXPECT_EQ(ERR_GET_REASON(ERR_peek_last_error()), SSL_R_NO_RENEGOTIATION);
  ERR_clear_error();
}

TEST_F(TlsHandshakeTest, NothingIsCompressed) {
  EXPECT_TRUE(SSL_CTX_get_options(context.context->native_handle()) & SSL_OP_NO_COMPRESSION);
}

TEST_F(TlsHandshakeTest, SessionsAreResumed) {
  only(TLS1_2_VERSION);
  auto first = with_client();
  ASSERT_TRUE(first.go());
  const OpensslPtr<SSL_SESSION, SSL_SESSION_free> session(SSL_get1_session(first.client.get()));
  auto second = with_client();
  SSL_set_session(second.client.get(), session.get());
  ASSERT_TRUE(second.go());
  EXPECT_EQ(SSL_session_reused(second.client.get()), 1);
}

TEST_F(TlsHandshakeTest, TheChainIsSent) {
  const auto other = must(make_certificate({{"authority.example"}, days(1)}, now));
  folder.write("chain.pem", "some words\n" + made.certificate + "\n" + other.certificate);
  context = must(make_tls_context(folder.path("chain.pem"), key, now));
  auto connection = with_client();
  ASSERT_TRUE(connection.go());
  EXPECT_EQ(sk_X509_num(SSL_get_peer_cert_chain(connection.client.get())), 2);
}

TEST_F(TlsTest, MissingFilesAreNamed) {
  const std::string missing = folder.path("missing.pem");
  EXPECT_EQ(error_of(missing, key).code(), Code::not_found);
  expect_error(error_of(missing, key), missing, "no such file");
  expect_error(error_of(certificate, missing), missing, "no such file");
  expect_error(error_of(folder.path(), key), folder.path(), "no regular file");
}

TEST_F(TlsTest, UnreadableFilesAreNamed) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  ASSERT_EQ(::chmod(key.c_str(), 0), 0);
  expect_error(error_of(certificate, key), key, "ermission");
}

TEST_F(TlsTest, WhatIsNotPemIsNamed) {
  const std::string other = folder.path("other");
  for (const std::string& text : {std::string(), std::string("garbage"), made.key}) {
    folder.write("other", text);
    expect_error(error_of(other, key), other, "there is no certificate in it; it has to be PEM");
  }
  for (const std::string& text : {std::string(), std::string("garbage"), made.certificate}) {
    folder.write("other", text);
    expect_error(error_of(certificate, other), other, "there is no private key in it");
  }
}

TEST_F(TlsTest, DamageIsNamedAndKeysAreNotShown) {
  const std::string other = folder.path("other");
  std::string damaged = made.certificate;
  damaged.replace(100, 4, "!!!!");
  folder.write("other", damaged);
  expect_error(error_of(other, key), other, "certificate 1 is damaged");
  folder.write("other", made.certificate + damaged);
  expect_error(error_of(other, key), other, "certificate 2 is damaged");
  damaged = made.key;
  damaged.replace(80, 4, "!!!!");
  folder.write("other", damaged);
  const Error error = error_of(certificate, other);
  expect_error(error, other, "there is no private key in it, or a damaged one");
  EXPECT_EQ(error.message().find(made.key.substr(30, 20)), std::string::npos);
}

TEST_F(TlsTest, KeysThatNeedAPassPhraseAreRefusedWithTheRemedy) {
  const BioPtr in(BIO_new_mem_buf(made.key.data(), static_cast<int>(made.key.size())));
  const KeyPtr plain(PEM_read_bio_PrivateKey(in.get(), nullptr, nullptr, nullptr));
  const BioPtr out(BIO_new_file(folder.path("locked").c_str(), "w"));
  char phrase[] = "phrase";
  ASSERT_EQ(PEM_write_bio_PKCS8PrivateKey(out.get(), plain.get(), EVP_aes_128_cbc(), phrase, 6, nullptr, nullptr), 1);
  ASSERT_EQ(BIO_flush(out.get()), 1);
  expect_error(error_of(certificate, folder.path("locked")), folder.path("locked"), "openssl pkey");
}

TEST_F(TlsTest, AKeyOfAnotherCertificateIsRefused) {
  folder.write("other", must(make_certificate({{"a.example"}, days(1)}, now)).key);
  const Error error = error_of(certificate, folder.path("other"));
  expect_error(error, folder.path("other"), "not that of the certificate in " + certificate);
}

TEST_F(TlsTest, WhatClientsWillRefuseIsAWarning) {
  const auto warnings_at = [&](Instant time) { return must(make_tls_context(certificate, key, time)).warnings; };
  EXPECT_EQ(warnings_at(now).size(), 0u);
  ASSERT_EQ(warnings_at(now + days(826)).size(), 1u);
  EXPECT_TRUE(warnings_at(now + days(826))[0].starts_with(certificate + ": the certificate has expired (2"));
  ASSERT_EQ(warnings_at(now - days(1)).size(), 1u);
  EXPECT_TRUE(warnings_at(now - days(1))[0].starts_with(certificate + ": the certificate is not valid before 2"));
  ASSERT_EQ(::chmod(key.c_str(), 0644), 0);
  ASSERT_EQ(warnings_at(now).size(), 1u);
  EXPECT_NE(warnings_at(now)[0].find("chmod o= " + key), std::string::npos);
}

}  // namespace
}  // namespace aduana
