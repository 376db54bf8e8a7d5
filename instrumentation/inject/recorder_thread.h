#pragma once

#include <cstdint>
#include <functional>

namespace warpwalk::instrumentation {

/// Starts the recorder's thread, which calls `flush` ten times per second, so a killed program loses at most the last
/// tenth of a second. Fatal signals (faults, abort, Ctrl-C, termination) that the program does not handle itself call
/// `end` with the signal's number first and then have their default effect. Call once per process.
void start_recorder_thread(std::function<void()> flush, std::function<void(std::uint32_t signal)> end);

}  // namespace warpwalk::instrumentation
