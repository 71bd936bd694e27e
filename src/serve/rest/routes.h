// Which handler answers which path, and who may ask it. Filled before the server starts, then only read.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/http/message.h"

namespace aduana {

// Whether an answer may take long: because it waits for the disk, or looks at very much.
enum class Pace : uint8_t { quick, slow };

// Who may do it. (What a spider may do and what a reader may do are different things; an admin may do all.)
enum class For : uint8_t { anyone, spiders, readers, admins };

// That the query may have. Nothing: whatever comes is passed over.
using Parameters = std::optional<std::vector<std::string_view>>;

struct Route {
  Method method;
  std::string path;
  For allowed;
  Parameters parameters;
  std::function<HttpResponse(const HttpRequest&)> answer;
  Pace pace = Pace::quick;

  // What a spider gets it has to do something about: HEAD is for what is only looked at.
  bool answers_head() const { return method == Method::get && allowed != For::spiders; }
};

class Routes {
 public:
  void add(Method method, std::string path, For allowed, std::function<HttpResponse(const HttpRequest&)> answer,
           Parameters parameters = std::vector<std::string_view>(), Pace pace = Pace::quick) {
    routes_.push_back({method, std::move(path), allowed, std::move(parameters), std::move(answer), pace});
  }

  const Route* find(Method method, std::string_view path) const;
  // The methods that the path has, as the header Allow wants them; empty: there is no such path.
  std::string methods_of(std::string_view path) const;
  const std::vector<Route>& all() const { return routes_; }

 private:
  std::vector<Route> routes_;
};

}  // namespace aduana
