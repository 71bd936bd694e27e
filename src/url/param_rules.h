// Which parameters of a URL are left out of its canonical form, and whether the rest is sorted.
//
// Applying the rules twice changes nothing more. Immutable, so safe from any thread.
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aduana {

class ParamRules {
 public:
  // See CanonicalOptions for the meaning of both.
  ParamRules(bool sort_query, const std::vector<std::string>& strip_params);

  bool touch_query() const { return sort_query_ || !query_.empty(); }
  bool touch_path() const { return !path_.empty(); }

  // Whether a query, given without "?", or a path would come out different.
  bool change_query(std::string_view query) const;
  bool change_path(std::string_view path) const;

  // Appends what is left; `query` and `path` must be normalized, since names are compared as they stand.
  void append_query(std::string& out, std::string_view query) const;
  void append_path(std::string& out, std::string_view path) const;

 private:
  class Names {
   public:
    void add(std::string_view pattern);
    bool empty() const { return names_.empty() && prefixes_.empty(); }
    bool match(std::string_view name) const;

   private:
    std::vector<std::string> names_;
    std::vector<std::string> prefixes_;
    std::bitset<256> first_bytes_;  // of all of them: most names are settled by this
  };

  bool sort_query_;
  Names query_;
  Names path_;
};

}  // namespace aduana
