// For tests of the server's answers: requests go straight to the handler, on a frontier on a simulated disk.
#pragma once

#include <gtest/gtest.h>
#include <simdjson.h>

#include <memory>
#include <string>

#include "frontier/frontier_fixture.h"
#include "serve/rest/api.h"

namespace aduana {

class RestTest : public FrontierTest {
 protected:
  void SetUp() override {
    open();
    api_ = std::make_unique<Api>(*frontier_, clock_, ApiOptions{10, "/nowhere", "test"});
  }

  HttpResponse ask(Method method, const std::string& target, const std::string& body = "",
                   const std::string& content_type = "", const std::string& accept = "") {
    HttpRequest request;
    request.method = method;
    const size_t question = std::min(target.find('?'), target.size());
    request.path = std::string_view(target).substr(0, question);
    request.query = std::string_view(target).substr(std::min(question + 1, target.size()));
    request.content_type = content_type;
    request.accept = accept;
    request.client = "127.0.0.1";
    const std::string padded = body + std::string(kBodyPadding, '\0');
    request.body = std::string_view(padded).substr(0, body.size());
    if (auto refused = api_->refuse(request)) return *refused;
    return api_->answer(request);
  }
  HttpResponse get(const std::string& target) { return ask(Method::get, target); }
  HttpResponse post(const std::string& target, const std::string& body, const std::string& content_type = "") {
    return ask(Method::post, target, body, content_type);
  }
  simdjson::dom::element json(const HttpResponse& response) {
    simdjson::dom::element element;
    EXPECT_EQ(parser_.parse(response.body).get(element), simdjson::SUCCESS) << response.body;
    return element;
  }
  static simdjson::dom::array list(const simdjson::simdjson_result<simdjson::dom::element>& element) {
    return simdjson::dom::array(element);
  }
  PageState state(const std::string& url) { return frontier_->page({url})->state; }

  std::unique_ptr<Api> api_;
  simdjson::dom::parser parser_;
};

}  // namespace aduana
