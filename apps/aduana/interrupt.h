// Ctrl-C as a question that a loop asks, so that it can stop between two steps and leave everything in order.
//
// The first SIGINT or SIGTERM is only noted, and ends a wait; a second one ends the program at once. SIGHUP, where it
// is caught, is a word of the administrator to a program that goes on.
#pragma once

namespace aduana {

void catch_interrupts();
// The signal that came, or 0.
int interrupted();

void catch_hang_ups();
// Waits until a signal comes, or has come. True for a SIGHUP, once for all that came; false: it is time to stop.
bool wait_for_hang_up();

// Waits until `fd` can be read. False when a signal came, before or meanwhile.
bool wait_for_input(int fd);

}  // namespace aduana
