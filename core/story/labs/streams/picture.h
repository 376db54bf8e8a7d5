#pragma once

// Pictures of the lab "streams".
#include "core/story/labs/streams/streams.h"
#include "core/story/labs/streams/window.h"
#include "core/story/pictures/panels.h"

namespace warpwalk::story {

/// The program: calls across, streams below one another, and below them what the chosen call can be. A click chooses a
/// call, moves it to another stream, or says what it is.
Panel program_panel(const Streams& lab);
/// The CPU, the streams and the units of the GPU over time. `shown`: 0 to 1.
Panel schedule_panel(const Streams& lab, double shown);
/// The streams of the open walk around the first operations that overlap.
Panel walk_panel(const Streams& lab, const StreamWindow& window);
/// A recorded program: the CPU and its streams.
Panel recorded_panel(const Streams& lab, const RecordedProgram& program, std::string heading, double to, double shown);
/// A program of the record as the scheduler expects it.
Panel expected_panel(const Streams& lab, const RecordedProgram& program, std::string heading, double to, double shown);
/// The program of a beat for the legacy default stream and the kind beside it, scheduled or as measured.
Panel modes_panel(const Streams& lab, std::string_view program, bool measured, double shown);
/// Kernels across, time upwards: the series "sync_after_each" or "graph" beside launches one by one.
Panel series_panel(const Streams& lab, std::string_view series, double shown);
/// The CPU time of single calls.
Panel costs_panel(const Streams& lab);
/// The settings' times, for the tasks.
Panel result_panel(const Streams& lab);

/// The end of the later of the two, with some room: one axis for both pictures.
double common_end(const Streams& lab, const RecordedProgram& program);
/// The rules under which a recorded program ran.
StreamRules rules_of(const Streams& lab, const RecordedProgram& program);
/// ns from the first call to the end of the last operation or call.
double measured_end(const RecordedProgram& program);
/// ns in which at least two copies or kernels of it ran.
double measured_overlap(const RecordedProgram& program);

}  // namespace warpwalk::story
