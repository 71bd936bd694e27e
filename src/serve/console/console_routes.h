// The routes of the console's files.
#pragma once

#include "serve/rest/routes.h"

namespace aduana {

void add_console(Routes& routes);

}  // namespace aduana
