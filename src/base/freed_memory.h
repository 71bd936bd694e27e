// What becomes of memory that was freed.
#pragma once

namespace aduana {

// From now on large blocks go back to the system when they are freed. Without this the allocator takes them for blocks
// that come again, and keeps those of every thread: a server holds the largest bodies that ever came several times
// over.
void give_back_large_blocks();

}  // namespace aduana
