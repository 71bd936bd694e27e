// Asks whoever runs the program for a new password: twice and unseen on a terminal, else one line of standard input.
//
// The terminal shows what is typed again when this is over, however it ends: Ctrl-C is noted only (interrupt.h), and
// Ctrl-Z and Ctrl-\ do nothing meanwhile. Used by the main thread only.
#pragma once

#include <memory>
#include <string>

#include "aduana/result.h"
#include "serve/access/openssl.h"

namespace aduana {

// Null when a signal came instead. Code::invalid when the two are not the same; what makes a good password is not
// judged here.
Result<std::unique_ptr<Secret>> ask_for_password(const std::string& user);

}  // namespace aduana
