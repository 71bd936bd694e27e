// A page as the commands print it: as a line of text, or as JSON.
#pragma once

#include <string>

#include "aduana/page_info.h"

namespace aduana {

std::string hex_of(uint64_t hash);        // 16 digits
std::string seconds_of(Instant t);        // since the epoch, with 3 decimals
std::string brief_line(const PageInfo&);  // "hash url\n"
std::string dump_line(const PageInfo&);   // "hash idx url first last n_changes n_crawls depth score\n"
std::string brief_json(const PageInfo&);  // {"idx":…,"hash":…,"url":…}
std::string full_json(const PageInfo&);   // everything that is known

}  // namespace aduana
