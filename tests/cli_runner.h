// Runs the built program as a user would: arguments in, standard output, standard error and the exit code out.
//
// Output goes to files, not pipes, so that nothing can block; each test has a folder of its own that goes with it.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace aduana {

struct RunResult {
  int code = -1;  // 128 + the signal, if one ended it
  std::string out, err;
};

std::string read_whole(const std::filesystem::path& path);
void write_whole(const std::filesystem::path& path, const std::string& bytes);

// A program that runs. Ends with the object.
class RunningProgram {
 public:
  // Standard input comes from the file `in`, or from feed() when that is empty. `program`: one that was built, or a
  // path.
  RunningProgram(const std::vector<std::string>& args, const std::filesystem::path& dir, const std::string& in,
                 const std::string& program = "aduana");
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  void feed(const std::string& text);
  void end_of_input();
  void signal(int number);
  RunResult wait();
  pid_t pid() const { return pid_; }

  std::string output() const;  // so far
  // False when the output does not hold `text` in time, or the program ends before.
  bool wait_for_output(const std::string& text, std::chrono::milliseconds limit = std::chrono::seconds(20));

 private:
  bool exited();

  std::filesystem::path out_, err_;
  int input_ = -1;
  pid_t pid_ = -1;
  int status_ = 0;
};

class CliTest : public testing::Test {
 protected:
  CliTest();
  ~CliTest() override;

  RunResult run(const std::vector<std::string>& args, const std::string& input = "");
  // Of a command that must succeed.
  std::string output_of(const std::vector<std::string>& args, const std::string& input = "");
  // Loads the lines; expects that none is skipped.
  void load(const std::string& lines, const std::vector<std::string>& options = {});

  std::string path(const std::string& name) const { return (dir_ / name).string(); }
  const std::string& db() const { return db_; }
  const std::filesystem::path& dir() const { return dir_; }

 private:
  std::filesystem::path dir_;
  std::string db_;
};

}  // namespace aduana
