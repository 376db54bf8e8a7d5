#pragma once

#include "core/trace/trace.h"

namespace warpwalk::trace {

/// The profiler writes the Python frames of threads whose number it does not know to thread 0, so one track can hold
/// several stacks. Moves the frames of each further stack to a track of its own, whose tid is the text "0 #2", "0 #3"
/// and so on. Stacks are told apart by "Python thread" if the file has it. Otherwise by "Python parent id": two frames
/// without a parent that overlap in time are on different threads. Frames that name a parent which is not in the file
/// stay. Returns whether there are new tracks. Run after order_tracks() (tracks.h), and run that again if there are.
bool split_python_threads(Trace& trace);

}  // namespace warpwalk::trace
