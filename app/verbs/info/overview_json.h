#pragma once

#include "app/verbs/info/figures.h"
#include "app/verbs/info/json_writer.h"

namespace warpwalk::verbs {

/// Writes members of an object that is open: the idle times of the GPUs by cause.
void write_idle(JsonWriter& json, InfoFigures& figures);
/// The figures of the lab "overview": the GPUs' time by class of work, communication, work and ops by name, the
/// critical path, steps.
void write_overview(JsonWriter& json, InfoFigures& figures);

}  // namespace warpwalk::verbs
