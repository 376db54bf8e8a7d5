#pragma once

namespace warpwalk::recording {

class Session;

/// Starts the recorder's thread, which flushes the session ten times per second, so a killed program loses at most the
/// last tenth of a second. Fatal signals (faults, abort, Ctrl-C, termination) that the program does not handle itself
/// close the recording first and then have their default effect. Call once per process.
void watch(Session& session);

}  // namespace warpwalk::recording
