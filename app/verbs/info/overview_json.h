#pragma once

#include <string>

#include "app/verbs/info/figures.h"
#include "app/verbs/info/json_writer.h"
#include "core/words/narration.h"

namespace warpwalk::verbs {

/// Writes members of an object that is open: the idle times of the GPUs by cause.
void write_idle(JsonWriter& json, InfoFigures& figures);
/// The figures of the lab "overview": the GPUs' time by class of work, communication, work and ops by name, the
/// critical path, steps.
void write_overview(JsonWriter& json, InfoFigures& figures);

/// What to change first, with what it can save at most; empty if the assets with the words are not found (advice.cpp).
std::string advice_table(InfoFigures& figures);
/// The same as the member `advice`. Without the assets, `action` and `unless` are null.
void write_advice(JsonWriter& json, InfoFigures& figures);
/// The same of a run of several ranks: what delays a rank, by what it costs the run at most. The table is empty if
/// nothing does.
std::string rank_advice_table(const words::Narration& words, const analysis::RankReport& report);
void write_rank_advice(JsonWriter& json, const analysis::RankReport& report);

/// The launches that Nsight Compute measured, with their main counters, as a table; empty if there are none
/// (measured.cpp).
std::string measured_table(const trace::Trace& trace);
/// `launches_measured`: all of them with all counters that have a name in the reports of `simulate`; nothing if there
/// are none.
void write_measured_launches(JsonWriter& json, const trace::Trace& trace);

/// How another trace differs, as the member `compare` (comparison.cpp).
void write_comparison(JsonWriter& json, const analysis::TraceComparison& comparison);

}  // namespace warpwalk::verbs
