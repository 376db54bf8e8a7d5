#include "core/words/idle_text.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/slices.h"
#include "core/base/quantity_text.h"
#include "core/trace/stream_overlap.h"

namespace warpwalk::words {
namespace {

// A name as a key of the narration.
std::string key_of(std::string_view name) {
  std::string key(name);
  std::ranges::replace(key, ' ', '_');
  std::ranges::replace(key, '-', '_');
  return key;
}

}  // namespace

std::string key_of(analysis::IdleVerdict verdict) { return key_of(name_of(verdict)); }

std::string cause_text(const Narration& narration, analysis::IdleCause cause) {
  return narration.text("idle_cause", key_of(name_of(cause)));
}

std::string verdict_text(const Narration& narration, const analysis::IdleReport& report) {
  const std::int64_t span = report.span();
  const auto share = [&](std::int64_t part) { return base::share_text(part, span); };
  const analysis::IdleVerdict verdict = report.verdict(), known = report.largest_known();
  return narration.text(
      "idle_verdict", key_of(verdict),
      {{"span", base::time_text(static_cast<double>(span))},
       {"between", narration.text("idle", report.from_step ? "between.step" : "between")},
       {"gpu_between", narration.text("idle", report.from_step ? "gpu_between.step" : "gpu_between")},
       {"known", known == analysis::IdleVerdict::nothing ? "" : narration.text("idle_noun", key_of(known))},
       {"known_share", share(report.time_of(known))},
       {"pausing", share(report.of(analysis::IdleCause::between))},
       {"computing", share(report.computing)},
       {"communicating", share(report.time_of(analysis::IdleVerdict::communicating))},
       {"copying", share(report.time_of(analysis::IdleVerdict::copy_bound))},
       {"launching", share(report.time_of(analysis::IdleVerdict::launch_bound))},
       {"late", share(report.of(analysis::IdleCause::late_launch))},
       {"latency", share(report.of(analysis::IdleCause::latency))},
       {"waiting", share(report.time_of(analysis::IdleVerdict::synchronised))},
       {"depending", share(report.of(analysis::IdleCause::dependency))},
       {"blocked", share(report.of(analysis::IdleCause::blocked))},
       {"loading", share(report.of(analysis::IdleCause::loading))},
       {"allocating", share(report.of(analysis::IdleCause::allocation))},
       {"profiling", share(report.of(analysis::IdleCause::profiler))},
       {"unknown", share(report.time_of(analysis::IdleVerdict::unexplained))}});
}

std::string culprit_text(const Narration& narration, const analysis::IdleReport& report,
                         const analysis::IdleLine& culprit) {
  if (culprit.line.empty() || culprit.time <= 0) return {};
  const std::int64_t whole = report.time_of(report.cause());
  const bool busy = report.verdict() == analysis::IdleVerdict::busy;
  return " " + narration.text("idle", busy ? "culprit.busy" : "culprit",
                              {{"line", culprit.line},
                               {"what", narration.text("idle_noun", key_of(report.cause()))},
                               {"all", base::share_text(whole, report.span())},
                               {"share", base::share_text(std::min(culprit.time, whole), whole)}});
}

std::string doubt_text(const Narration& narration, const trace::Trace& trace) {
  const std::size_t count = trace::doubtful_durations(trace).size();
  if (count == 0) return {};
  return " " + narration.text("idle", count == 1 ? "doubt.one" : "doubt", {{"n", fmt::to_string(count)}});
}

std::string slowing_text(const Narration& narration, const trace::Trace& trace) {
  const std::vector<std::string_view> options = analysis::slowing_options(trace);
  if (options.empty() || analysis::is_typed(trace)) return {};
  return " " + narration.text("idle", options.size() == 1 ? "slowing.one" : "slowing",
                              {{"options", fmt::format("{}", fmt::join(options, ", "))}});
}

}  // namespace warpwalk::words
