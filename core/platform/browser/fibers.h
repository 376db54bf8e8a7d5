#pragma once

// Threads in a browser. A page that is opened from disk gets no shared memory, so there are no threads of the system.
// Each thread is a fiber instead: a call of WebAssembly on a stack of its own, which the browser suspends and resumes
// (JavaScript Promise Integration). Fibers take turns: one runs until it waits, ends or gives way. The functions of
// pthread.h that the C++ library calls are defined here, so that std::thread, std::mutex and the others work as usual.

namespace warpwalk::platform {

/// Suspends the running fiber until wake() is called with the same place, or for `milliseconds`; 0: without a limit.
/// Returns false after the time limit.
bool sleep_at(const void* place, double milliseconds);

/// Calls a function of the page that suspends the caller, in the same way.
void suspend_in(void (*function)(double), double argument);

/// Wakes fibers that sleep at the place: the one that has waited longest, or all of them.
void wake(const void* place, bool all);

}  // namespace warpwalk::platform
