// `aduana url`, without the process: options and standard input in, JSON lines and exit code out.
#include "../apps/aduana/url_command.h"

#include <gtest/gtest.h>

#include <sstream>

namespace aduana {
namespace {

struct Outcome {
  int exit_code;
  std::vector<std::string> lines;
};

Outcome run(const UrlCommandOptions& options, const std::string& input = "") {
  std::istringstream in(input);
  std::ostringstream out;
  Outcome result{run_url_command(options, in, out), {}};
  std::istringstream written(out.str());
  for (std::string line; std::getline(written, line);) result.lines.push_back(line);
  return result;
}

bool has(const std::string& line, std::string_view part) { return line.find(part) != std::string::npos; }

TEST(UrlCommand, shows_each_url_on_a_line) {
  UrlCommandOptions options;
  options.urls = {"HTTP://www.Example.co.uk:80/a/../%7eb#c", "../d?sid=1&utm_source=x"};
  options.base = "http://example.com/x/y/";
  options.strip_tracking = true;
  const Outcome result = run(options);
  EXPECT_EQ(result.exit_code, 0);
  ASSERT_EQ(result.lines.size(), 2u);
  EXPECT_TRUE(has(result.lines[0],
                  R"({"input":"HTTP://www.Example.co.uk:80/a/../%7eb#c","href":"http://www.example.co.uk/%7eb#c",)"
                  R"("canonical":"http://www.example.co.uk/~b","host":"www.example.co.uk","domain":"example.co.uk",)"
                  R"("hash":")"))
      << result.lines[0];
  EXPECT_TRUE(has(result.lines[1], R"("canonical":"http://example.com/x/d?sid=1")")) << result.lines[1];
}

TEST(UrlCommand, an_invalid_url_is_an_error_on_its_line_and_exit_code_1) {
  UrlCommandOptions options;
  options.urls = {"http://a b/", "http://example.com/"};
  const Outcome result = run(options);
  EXPECT_EQ(result.exit_code, 1);
  ASSERT_EQ(result.lines.size(), 2u);
  EXPECT_TRUE(has(result.lines[0], R"({"input":"http://a b/","error":)")) << result.lines[0];
  EXPECT_TRUE(has(result.lines[1], R"("canonical":"http://example.com/")")) << result.lines[1];
}

TEST(UrlCommand, reads_json_lines_with_their_bases) {
  UrlCommandOptions options;
  options.jsonl = true;
  options.base = "http://default.example/";
  const Outcome result = run(options,
                             "{\"input\":\"x\",\"base\":\"http://a.example/b/\"}\n"
                             "{\"input\":\"x\",\"base\":null}\n"
                             "\n"
                             "{\"input\":\"\\ud800\"}\r\n");
  EXPECT_EQ(result.exit_code, 0);
  ASSERT_EQ(result.lines.size(), 3u);
  EXPECT_TRUE(has(result.lines[0], R"("href":"http://a.example/b/x")")) << result.lines[0];
  EXPECT_TRUE(has(result.lines[1], R"("href":"http://default.example/x")")) << result.lines[1];
  EXPECT_TRUE(has(result.lines[2], R"("href":"http://default.example/%EF%BF%BD")")) << result.lines[2];
}

TEST(UrlCommand, a_bad_line_is_named_by_its_number_and_the_next_is_read) {
  UrlCommandOptions options;
  options.jsonl = true;
  const Outcome result = run(options, "{}\n{\"input\":7}\nnonsense\n{\"input\":\"http://example.com\"}\n");
  EXPECT_EQ(result.exit_code, 1);
  ASSERT_EQ(result.lines.size(), 4u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(has(result.lines[i], "{\"error\":\"line " + std::to_string(i + 1) + ": ")) << result.lines[i];
  }
  EXPECT_TRUE(has(result.lines[3], R"("canonical":"http://example.com/")")) << result.lines[3];
}

}  // namespace
}  // namespace aduana
