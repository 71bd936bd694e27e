// passwd and cert: the files that say who may use the server and prove which server it is.

#include <fcntl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <thread>

#include "base/must.h"
#include "cli_runner.h"
#include "serve/access/password_file.h"
#include "serve/access/tls.h"

namespace aduana {
namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

mode_t mode_of(const std::string& path) {
  struct stat info;
  EXPECT_EQ(::stat(path.c_str(), &info), 0) << path;
  return info.st_mode & 0777;
}

class AccessCliTest : public CliTest {
 protected:
  void expect_failure(const std::vector<std::string>& args, const std::string& input, int code,
                      const std::string& says) {
    const RunResult result = run(args, input);
    EXPECT_EQ(result.code, code) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(result.err.starts_with("aduana: ")) << result.err;
    EXPECT_TRUE(contains(result.err, says)) << result.err;
  }
  std::optional<Role> check(const std::string& user, const std::string& password) {
    return must(PasswordFile::read(file)).check(user, password);
  }

  const std::string file = path("passwords");
};

TEST_F(AccessCliTest, PasswdAddsChangesAndRemovesUsers) {
  EXPECT_EQ(output_of({"passwd", file, "ana", "--role", "admin"}, "secret\n"), file + ": ana added, role admin\n");
  EXPECT_EQ(mode_of(file), 0600u);
  EXPECT_EQ(output_of({"passwd", file, "robot"}, "eight legs"), file + ": robot added, role spider\n");
  EXPECT_EQ(check("ana", "secret"), Role::admin);
  EXPECT_EQ(check("robot", "eight legs"), Role::spider);
  EXPECT_EQ(output_of({"passwd", file, "ana", "--json"}, "new\nonly the first line counts\n"),
            "{\"user\":\"ana\",\"change\":\"changed\",\"role\":\"admin\"}\n");
  EXPECT_EQ(check("ana", "new"), Role::admin);
  EXPECT_EQ(check("ana", "secret"), std::nullopt);
  EXPECT_EQ(output_of({"passwd", file, "ana", "--remove"}), file + ": ana removed\n");
  EXPECT_EQ(must(PasswordFile::read(file)).role_of("ana"), std::nullopt);
  EXPECT_EQ(must(PasswordFile::read(file)).role_of("robot"), Role::spider);
  expect_failure({"passwd", file, "ana", "--remove"}, "", 1, "there is no user ana");
}

TEST_F(AccessCliTest, PasswdRefusesWhatCanNotWork) {
  expect_failure({"passwd", file, "ana"}, "", 2, "the password is empty");
  expect_failure({"passwd", file, "ana"}, "\nsecret\n", 2, "the password is empty");
  expect_failure({"passwd", file, "ana"}, "secret\r\n", 2, "the password has control bytes");
  expect_failure({"passwd", file, "ana"}, std::string(5000, 'x'), 2, "longer than 1024 bytes");
  expect_failure({"passwd", file, ""}, "secret", 2, "name is empty");
  expect_failure({"passwd", file, "a:b"}, "secret", 2, "has a colon");
  expect_failure({"passwd", file, "a\nb"}, "secret", 2, "has control bytes");
  expect_failure({"passwd", file, "ana", "--role", "root"}, "secret", 2, "root");
  expect_failure({"passwd", file, "ana", "--role", "admin", "--remove"}, "secret", 2, "--remove");
  expect_failure({"passwd", file, "ana", "--remove"}, "", 2, "no such file");
  expect_failure({"passwd", file, "ana", "secret"}, "secret", 2, "see --help");
  EXPECT_FALSE(fs::exists(file));
  write_whole(file, "ana:admin\n");
  ASSERT_EQ(::chmod(file.c_str(), 0644), 0);
  expect_failure({"passwd", file, "ana"}, "secret", 2, "chmod 600");
  ASSERT_EQ(::chmod(file.c_str(), 0600), 0);
  expect_failure({"passwd", file, "ana"}, "secret", 1, "line 1");
  EXPECT_EQ(read_whole(file), "ana:admin\n");
}

// The program at a terminal, of which this is the other side: what is written here is typed, and what can be read is
// seen.
class PasswdTerminalTest : public AccessCliTest {
 protected:
  PasswdTerminalTest() : keyboard_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    if (keyboard_ < 0 || ::grantpt(keyboard_) != 0 || ::unlockpt(keyboard_) != 0) throw std::runtime_error("no pty");
    terminal_ = ::ptsname(keyboard_);
    // While one has it open, it stays as it is.
    screen_ = ::open(terminal_.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  }
  ~PasswdTerminalTest() override {
    ::close(screen_);
    ::close(keyboard_);
  }
  const std::string& terminal() const { return terminal_; }

  bool echoes() const {
    termios state;
    EXPECT_EQ(::tcgetattr(screen_, &state), 0);
    return (state.c_lflag & ECHO) != 0;
  }
  // Types the line when the question has been asked.
  void answer(const std::string& question, const std::string& line) {
    for (int i = 0; i < 10'000 && !contains(read_whole(path("stderr")), question); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_TRUE(contains(read_whole(path("stderr")), question)) << read_whole(path("stderr"));
    EXPECT_FALSE(echoes());
    ASSERT_EQ(::write(keyboard_, line.data(), line.size()), static_cast<ssize_t>(line.size()));
  }
  std::string seen() {
    std::string text(4096, '\0');
    ::fcntl(keyboard_, F_SETFL, O_NONBLOCK);
    text.resize(static_cast<size_t>(std::max<ssize_t>(0, ::read(keyboard_, text.data(), text.size()))));
    return text;
  }

 private:
  int keyboard_, screen_ = -1;
  std::string terminal_;
};

TEST_F(PasswdTerminalTest, AsksTwiceAndShowsNothing) {
  ASSERT_TRUE(echoes());
  RunningProgram program({"passwd", file, "ana", "--role", "reader"}, dir(), terminal());
  answer("New password for ana: ", "secret\n");
  answer("The same again: ", "secret\n");
  const RunResult result = program.wait();
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, file + ": ana added, role reader\n");
  EXPECT_FALSE(contains(seen(), "secret"));
  EXPECT_TRUE(echoes());
  EXPECT_EQ(check("ana", "secret"), Role::reader);
}

TEST_F(PasswdTerminalTest, TwoThatAreNotTheSameChangeNothing) {
  RunningProgram program({"passwd", file, "ana"}, dir(), terminal());
  answer("New password for ana: ", "secret\n");
  answer("The same again: ", "secrte\n");
  const RunResult result = program.wait();
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(contains(result.err, "the two are not the same")) << result.err;
  EXPECT_TRUE(echoes());
  EXPECT_FALSE(fs::exists(file));
}

TEST_F(PasswdTerminalTest, AnEmptyPasswordIsNotAskedForAgain) {
  RunningProgram program({"passwd", file, "ana"}, dir(), terminal());
  answer("New password for ana: ", "\n");
  const RunResult result = program.wait();
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(contains(result.err, "the password is empty")) << result.err;
}

TEST_F(PasswdTerminalTest, CtrlCLeavesTheTerminalAsItWas) {
  RunningProgram program({"passwd", file, "ana"}, dir(), terminal());
  answer("New password for ana: ", "secret\n");
  answer("The same again: ", "sec");
  program.signal(SIGINT);
  EXPECT_EQ(program.wait().code, 128 + SIGINT);
  EXPECT_TRUE(echoes());
  EXPECT_FALSE(fs::exists(file));
}

class CertCliTest : public AccessCliTest {
 protected:
  const std::string certificate = path("cert.pem"), key = path("key.pem");
  // What another program reads in the certificate.
  std::string described() {
    const std::string command = "openssl x509 -in '" + certificate + "' -noout -text > '" + path("text") + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);
    return read_whole(path("text"));
  }
};

TEST_F(CertCliTest, MakesACertificateThatTheServerCanUse) {
  EXPECT_EQ(output_of({"cert", "--host", "crawl.example", "--host", "10.1.2.3", "--cert", certificate, "--key", key}),
            certificate + ": certificate for crawl.example, 10.1.2.3, good for 825 days\n" + key +
                ": its key; keep it to yourself\n");
  EXPECT_EQ(mode_of(key), 0600u);
  EXPECT_TRUE(must(make_tls_context(certificate, key, SystemClock().now())).warnings.empty());
  EXPECT_TRUE(contains(described(), "DNS:crawl.example, IP Address:10.1.2.3\n")) << described();
}

TEST_F(CertCliTest, IsForThisMachineUnlessToldOtherwise) {
  EXPECT_EQ(output_of({"cert", "--cert", certificate, "--key", key, "--days", "1", "--json"}),
            "{\"cert\":\"" + certificate + "\",\"key\":\"" + key +
                "\",\"hosts\":[\"localhost\",\"127.0.0.1\",\"::1\"],\"days\":1}\n");
  EXPECT_TRUE(contains(described(), "DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1\n"));
}

TEST_F(CertCliTest, ReplacesFilesOnlyWhenForced) {
  write_whole(key, "precious");
  expect_failure({"cert", "--cert", certificate, "--key", key}, "", 2, "--force");
  EXPECT_EQ(read_whole(key), "precious");
  EXPECT_FALSE(fs::exists(certificate));
  output_of({"cert", "--cert", certificate, "--key", key, "--force"});
  EXPECT_TRUE(make_tls_context(certificate, key, SystemClock().now()));
}

TEST_F(CertCliTest, RefusesWhatCanNotWork) {
  expect_failure({"cert", "--cert", certificate}, "", 2, "--key");
  expect_failure({"cert", "--cert", certificate, "--key", certificate}, "", 2, "a file each");
  expect_failure({"cert", "--cert", certificate, "--key", key, "--host", "http://a/"}, "", 2, "neither a host name");
  expect_failure({"cert", "--cert", certificate, "--key", key, "--days", "0"}, "", 2, "--days");
  expect_failure({"cert", "--cert", path("no/folder"), "--key", key}, "", 2, "no/folder");
  EXPECT_FALSE(fs::exists(certificate));
  EXPECT_FALSE(fs::exists(key));
}

}  // namespace
}  // namespace aduana
