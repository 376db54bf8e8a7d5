#pragma once

#include <cstdint>
#include <functional>

namespace warpwalk::instrumentation {

/// Starts the recorder's thread, which calls `flush` ten times per second, so a killed program loses at most the last
/// tenth of a second. Fatal signals (faults, abort, Ctrl-C, termination) that the program does not handle itself call
/// `end` with the signal's number first and then have their default effect. There is one thread per process: further
/// calls have the thread that sleeps continue.
void start_recorder_thread(std::function<void()> flush, std::function<void(std::uint32_t signal)> end);

/// The thread sleeps until the next call of start_recorder_thread.
void pause_recorder_thread();

}  // namespace warpwalk::instrumentation
