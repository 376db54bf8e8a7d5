// The receipt of a walk without times: its counters, line by line.
#include <algorithm>

#include "core/story/elements/walk.h"
#include "core/story/scenes/map/map.h"

namespace warpwalk::story {
namespace {

bool counts(const trace::KernelRecord& record, std::string_view name) {
  return std::any_of(record.counters.begin(), record.counters.end(),
                     [&](const trace::NamedCounter& counter) { return counter.name == name && counter.value > 0; });
}

}  // namespace

bool was_counted(const Trace& trace, const Walk& walk, CountedGroup group) {
  const trace::KernelRecord* const record = kernel_record(trace, walk);
  if (record == nullptr) return false;
  switch (group) {
    case CountedGroup::instructions:
      return counts(*record, "warp_instructions") && counts(*record, "thread_instructions");
    case CountedGroup::global:
      return counts(*record, "global_load_requests") || counts(*record, "global_store_requests");
    case CountedGroup::shared:
      return counts(*record, "shared_load_wavefronts") || counts(*record, "shared_store_wavefronts");
  }
  return false;
}

std::vector<CountedLine> map_counters(const SceneInput& input, const ReceiptReach& reach) {
  std::vector<CountedLine> lines;
  for (const CountedGroup group : {CountedGroup::instructions, CountedGroup::global, CountedGroup::shared}) {
    if (!was_counted(input.trace, input.walk, group)) continue;
    for (CountedLine& line : counted_lines(input, group)) {
      line.current = group == reach.group;
      line.shown = reach.shown(group, reach.group, input.moment.phase);
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

void counter_facts(const MapSubject& s, FactWriter& facts) {
  for (const CountedLine& line : s.picture.counted) {
    if (!line.current) continue;
    facts.named(line.label, line.count);
    if (line.each) facts.named(line.each_label, *line.each);
  }
  add_scaled_notes(s.input, facts.stage());
  facts.missing_times(s.walk());
}

void all_counters_facts(const MapSubject& s, FactWriter& facts) {
  for (const CountedLine& line : s.picture.counted)
    facts.named(line.each ? line.each_label : line.label, line.each ? *line.each : line.count);
  add_scaled_notes(s.input, facts.stage());
  facts.missing_times(s.walk());
}

}  // namespace warpwalk::story
