// The body of a request, for the parser, in a string that grows with what has come: the length that was announced is
// only somebody's word, and no memory is set aside for it.
#pragma once

#include <boost/beast/core/buffers_range.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/optional.hpp>
#include <cstdint>
#include <string>

namespace aduana {

struct GrowingBody {
  using value_type = std::string;

  class reader {
   public:
    template <class Header>
    reader(Header&, std::string& body) : body_(body) {}

    void init(const boost::optional<uint64_t>&, boost::beast::error_code& error) { error = {}; }
    template <class Buffers>
    size_t put(const Buffers& buffers, boost::beast::error_code& error) {
      const size_t before = body_.size();
      for (const auto buffer : boost::beast::buffers_range_ref(buffers)) {
        body_.append(static_cast<const char*>(buffer.data()), buffer.size());
      }
      error = {};
      return body_.size() - before;
    }
    void finish(boost::beast::error_code& error) { error = {}; }

   private:
    std::string& body_;
  };
};

}  // namespace aduana
