// The example of aduana/frontier.h as a program: a seed goes in, and comes out as the first request.

#include <cstdio>

#include "aduana/frontier.h"

namespace {

int fail(const aduana::Error& error) {
  std::fprintf(stderr, "first_request: %s\n", error.message().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  auto frontier = aduana::Frontier::open(argc > 1 ? argv[1] : "crawl.db", {});
  if (!frontier) return fail(frontier.error());
  const aduana::Discovery seed{.url = "https://example.com/"};
  const auto found = (*frontier)->discover({&seed, 1});
  if (!found) return fail(found.error());
  const auto requests = (*frontier)->request(10);
  if (!requests) return fail(requests.error());
  for (const aduana::Request& request : *requests) {
    std::printf("%s\n", request.url.c_str());
    // Here a crawler would fetch it.
    aduana::ReportedPage page;
    page.url = request.url;
    const auto reported = (*frontier)->report({&page, 1});
    if (!reported) return fail(reported.error());
  }
  const aduana::Status closed = (*frontier)->close();
  return closed ? 0 : fail(closed.error());
}
