#pragma once

namespace warpwalk::recording {

class Session;

/// Starts the recorder's own thread, which flushes the session ten times a second, so that a program that is killed
/// loses no more than that. Where the program leaves a signal that ends it to the system (faults, abort, Ctrl-C,
/// termination), the recording is closed first; then the signal does what it always does. Once a process.
void watch(Session& session);

}  // namespace warpwalk::recording
