// Answers come in pieces of any size; what is no answer is told.
#include "http_answer.h"

#include <gtest/gtest.h>

namespace aduana::bench {
namespace {

constexpr std::string_view kAnswer =
    "HTTP/1.1 201 Created\r\nDate: today\r\nX-Content-Length: 7\r\ncontent-LENGTH:  5\r\nServer: a\r\n\r\nhello";

TEST(AnswerReader, ReadsAnswersInPiecesOfAnySize) {
  for (size_t piece = 1; piece <= kAnswer.size(); ++piece) {
    AnswerReader reader;
    for (int again = 0; again < 2; ++again) {
      for (size_t at = 0; at < kAnswer.size(); at += piece) {
        const auto answer = reader.add(kAnswer.substr(at, piece));
        ASSERT_TRUE(answer) << answer.error().message();
        ASSERT_EQ(answer->has_value(), at + piece >= kAnswer.size()) << piece << ", " << at;
        if (!*answer) continue;
        EXPECT_EQ((*answer)->status, 201u);
        EXPECT_EQ((*answer)->body, "hello");
      }
    }
  }
}

TEST(AnswerReader, ReadsAnswersWithoutBody) {
  AnswerReader reader;
  const auto answer = reader.add("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  ASSERT_TRUE(answer && *answer);
  EXPECT_EQ((*answer)->status, 200u);
  EXPECT_EQ((*answer)->body, "");
}

TEST(AnswerReader, RefusesWhatIsNoAnswer) {
  for (const char* bytes : {
           "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
           "SSH-2.0\r\n\r\n",
           "HTTP/1.1 abc\r\nContent-Length: 0\r\n\r\n",
           "HTTP/1.1 200 OK\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab",
       }) {
    AnswerReader reader;
    EXPECT_FALSE(reader.add(bytes)) << bytes;
  }
}

}  // namespace
}  // namespace aduana::bench
