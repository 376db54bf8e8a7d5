#include "core/story/facts/analysis/idle_words.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/story/elements/figure.h"

namespace warpwalk::story {
namespace {

// A name as a key of the narration.
std::string key_of(std::string_view name) {
  std::string key(name);
  std::ranges::replace(key, ' ', '_');
  std::ranges::replace(key, '-', '_');
  return key;
}

}  // namespace

std::string cause_text(const Narration& narration, IdleCause cause) {
  return narration.text("idle_cause", key_of(name_of(cause)));
}

std::string share_text(std::int64_t part, std::int64_t whole) {
  const double share = 100 * static_cast<double>(part) / static_cast<double>(std::max<std::int64_t>(1, whole));
  return share > 0 && share < 0.05 ? "< 0.1 %" : fmt::format("{:.1f} %", share);
}

std::string verdict_text(const Narration& narration, const IdleReport& report) {
  const std::int64_t span = report.span(), launch = report.of(IdleCause::late_launch) + report.of(IdleCause::latency);
  return narration.text("idle_verdict", key_of(name_of(report.verdict())),
                        {{"span", time_text(static_cast<double>(span))},
                         {"computing", share_text(report.computing, span)},
                         {"copying", share_text(report.copying + report.of(IdleCause::copy), span)},
                         {"launching", share_text(launch, span)},
                         {"waiting", share_text(report.of(IdleCause::synchronisation), span)},
                         {"depending", share_text(report.of(IdleCause::dependency), span)},
                         {"profiling", share_text(report.of(IdleCause::profiler), span)},
                         {"unknown", share_text(report.of(IdleCause::unknown), span)}});
}

}  // namespace warpwalk::story
