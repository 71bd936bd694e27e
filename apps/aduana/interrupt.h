// Ctrl-C as a question that a loop asks, so that it can stop between two steps and leave everything in order.
//
// The first SIGINT or SIGTERM is only noted, and ends a wait for input; a second one ends the program at once.
#pragma once

namespace aduana {

void catch_interrupts();
// The signal that came, or 0.
int interrupted();

// Waits until a signal comes, or has come.
void wait_for_interrupt();

// Waits until `fd` can be read. False when a signal came, before or meanwhile.
bool wait_for_input(int fd);

}  // namespace aduana
