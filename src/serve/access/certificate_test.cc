#include "serve/access/certificate.h"

#include <gtest/gtest.h>
#include <openssl/bn.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

#include <set>

#include "base/must.h"
#include "serve/access/openssl.h"
#include "serve/access/test_folder.h"

namespace aduana {
namespace {

namespace fs = std::filesystem;
using std::chrono::days;

constexpr Instant kNow{days(20'000)};

X509Ptr parse(const std::string& pem) {
  const BioPtr bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  return X509Ptr(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
}

TEST(Certificate, IsGoodForItsHostsAndNoOthers) {
  const auto made = must(make_certificate({{"a.example", "*.b.example", "10.0.0.1", "2001:db8::1"}, days(825)}, kNow));
  const X509Ptr certificate = parse(made.certificate);
  ASSERT_TRUE(certificate);
  const auto names = [&](const char* host) { return X509_check_host(certificate.get(), host, 0, 0, nullptr) == 1; };
  const auto addresses = [&](const char* ip) { return X509_check_ip_asc(certificate.get(), ip, 0) == 1; };
  EXPECT_TRUE(names("a.example"));
  EXPECT_TRUE(names("x.b.example"));
  EXPECT_FALSE(names("b.example"));
  EXPECT_FALSE(names("c.example"));
  EXPECT_TRUE(addresses("10.0.0.1"));
  EXPECT_TRUE(addresses("2001:db8::1"));
  EXPECT_FALSE(addresses("10.0.0.2"));
}

TEST(Certificate, IsSignedByItsOwnKeyForServersOnly) {
  const auto made = must(make_certificate({{"a.example"}, days(825)}, kNow));
  const X509Ptr certificate = parse(made.certificate);
  const BioPtr bio(BIO_new_mem_buf(made.key.data(), static_cast<int>(made.key.size())));
  const KeyPtr key(PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr));
  ASSERT_TRUE(certificate && key);
  EXPECT_EQ(X509_verify(certificate.get(), key.get()), 1);
  EXPECT_EQ(X509_check_private_key(certificate.get(), key.get()), 1);
  EXPECT_EQ(EVP_PKEY_get_bits(key.get()), 256);
  EXPECT_TRUE(EVP_PKEY_is_a(key.get(), "EC"));
  EXPECT_EQ(X509_get_version(certificate.get()), X509_VERSION_3);
  EXPECT_EQ(X509_check_ca(certificate.get()), 0);
  EXPECT_EQ(X509_get_extended_key_usage(certificate.get()), static_cast<uint32_t>(XKU_SSL_SERVER));
}

TEST(Certificate, LastsAsLongAsAsked) {
  for (const int lifetime : {1, 825, 36'500}) {
    const X509Ptr certificate = parse(must(make_certificate({{"a"}, days(lifetime)}, kNow)).certificate);
    int whole = 0, seconds = 0;
    ASSERT_EQ(
        ASN1_TIME_diff(&whole, &seconds, X509_get0_notBefore(certificate.get()), X509_get0_notAfter(certificate.get())),
        1);
    EXPECT_EQ(whole, lifetime);
    EXPECT_EQ(seconds, 0);
    time_t now = std::chrono::system_clock::to_time_t(kNow);
    EXPECT_LT(X509_cmp_time(X509_get0_notBefore(certificate.get()), &now), 0);
    EXPECT_GT(X509_cmp_time(X509_get0_notAfter(certificate.get()), &now), 0);
  }
  for (const int lifetime : {-1, 0, 36'501}) EXPECT_FALSE(make_certificate({{"a"}, days(lifetime)}, kNow)) << lifetime;
}

TEST(Certificate, EachHasItsOwnNumberAndKey) {
  std::set<std::string> numbers, keys;
  for (int i = 0; i < 5; ++i) {
    const auto made = must(make_certificate({{"a"}, days(1)}, kNow));
    const X509Ptr certificate = parse(made.certificate);
    const OpensslPtr<BIGNUM, BN_free> number(ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate.get()), nullptr));
    EXPECT_FALSE(BN_is_negative(number.get()));
    std::string bytes(20, '\0');
    ASSERT_GT(BN_bn2binpad(number.get(), reinterpret_cast<unsigned char*>(bytes.data()), 20), 0);
    numbers.insert(bytes);
    keys.insert(made.key);
  }
  EXPECT_EQ(keys.size(), 5u);
  EXPECT_EQ(numbers.size(), 5u);
}

TEST(Certificate, LongNamesAreTaken) {
  const std::string label(60, 'a');
  const std::string host = label + '.' + label + '.' + label + ".example";
  const X509Ptr certificate = parse(must(make_certificate({{host}, days(1)}, kNow)).certificate);
  EXPECT_EQ(X509_check_host(certificate.get(), host.c_str(), 0, 0, nullptr), 1);
}

TEST(Certificate, WhatIsNoHostIsRefused) {
  EXPECT_FALSE(make_certificate({{}, days(1)}, kNow));
  for (const std::string& host :
       {std::string(), std::string("a b"), std::string("a,IP:1.2.3.4"), std::string("a:80"), std::string("http://a"),
        std::string("-a.example"), std::string("a..example"), std::string("a.example."), std::string("*"),
        std::string("a.*.example"), std::string("1.2.3"), std::string("1.2.3.256"), std::string("[::1]"),
        std::string("caf\xC3\xA9.example"), std::string("a\nb"), std::string("a\0b", 3), std::string(64, 'a'),
        std::string("@section")}) {
    const auto made = make_certificate({{"good.example", host}, days(1)}, kNow);
    ASSERT_FALSE(made) << host;
    EXPECT_EQ(made.error().code(), Code::invalid) << host;
    EXPECT_TRUE(made.error().message().starts_with(host + ": ")) << made.error().message();
  }
}

class CertificateFilesTest : public testing::Test {
 protected:
  Status write(bool replace) { return write_certificate(made, certificate, key, replace); }
  TestFolder folder;
  const std::string certificate = folder.path("cert.pem"), key = folder.path("key.pem");
  const Certificate made{"CERTIFICATE", "KEY"};
};

TEST_F(CertificateFilesTest, TheKeyIsForItsOwnerOnly) {
  const mode_t mask = ::umask(0);
  must(write(false));
  ::umask(mask);
  EXPECT_EQ(folder.read("cert.pem"), "CERTIFICATE");
  EXPECT_EQ(folder.read("key.pem"), "KEY");
  struct stat info;
  ASSERT_EQ(::stat(key.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  ASSERT_EQ(::stat(certificate.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0644u);
}

TEST_F(CertificateFilesTest, NothingIsReplacedUnlessAsked) {
  for (const std::string there : {"cert.pem", "key.pem"}) {
    folder.write(there, "precious");
    const Status written = write(false);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code(), Code::exists);
    EXPECT_NE(written.error().message().find(there), std::string::npos) << written.error().message();
    EXPECT_EQ(folder.read(there), "precious");
    EXPECT_EQ(folder.count(), 1) << "half a pair is of no use";
    fs::remove(folder.path(there));
  }
  folder.write("cert.pem", "old");
  folder.write("key.pem", "old");
  must(write(true));
  EXPECT_EQ(folder.read("cert.pem"), "CERTIFICATE");
  EXPECT_EQ(folder.read("key.pem"), "KEY");
}

TEST_F(CertificateFilesTest, AKeyThatWasOpenToOthersIsClosed) {
  folder.write("key.pem", "old");
  ASSERT_EQ(::chmod(key.c_str(), 0666), 0);
  must(write(true));
  struct stat info;
  ASSERT_EQ(::stat(key.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(CertificateFilesTest, OneFileForBothIsRefused) {
  EXPECT_FALSE(write_certificate(made, key, folder.path("./key.pem"), true));
  EXPECT_FALSE(write_certificate(made, folder.path("no/folder"), key, false));
  EXPECT_EQ(folder.count(), 0);
}

}  // namespace
}  // namespace aduana
