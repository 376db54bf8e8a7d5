// The receipt of a walk without times: its counters, line by line.
#include <algorithm>
#include <iterator>

#include "core/story/elements/walk.h"
#include "core/story/facts/simulated/kernel_counters.h"
#include "core/story/scenes/map/map.h"

namespace warpwalk::story {
namespace {

struct Part {
  std::string_view beat;
  CountedGroup group;
};
constexpr Part parts[] = {
    {"instructions", CountedGroup::instructions}, {"global", CountedGroup::global}, {"shared", CountedGroup::shared}};

bool counts(const trace::KernelRecord& record, std::string_view name) {
  return std::any_of(record.counters.begin(), record.counters.end(),
                     [&](const trace::NamedCounter& counter) { return counter.name == name && counter.value > 0; });
}

}  // namespace

std::vector<Beat> counted_beats(const Trace& trace, const Walk& walk) {
  std::vector<Beat> beats = {{"fold", 0}};
  if (const trace::KernelRecord* record = kernel_record(trace, walk)) {
    if (counts(*record, "warp_instructions") && counts(*record, "thread_instructions"))
      beats.push_back({"instructions", 0});
    if (counts(*record, "global_load_requests") || counts(*record, "global_store_requests"))
      beats.push_back({"global", 0});
    if (counts(*record, "shared_load_wavefronts") || counts(*record, "shared_store_wavefronts"))
      beats.push_back({"shared", 0});
  }
  const bool counted = beats.size() > 1;
  beats.push_back({counted ? "counted" : "untimed", 0});
  if (ends_simulated(trace, walk)) beats.push_back({"simulated", 0, true});
  return beats;
}

std::string counted_beat_variant(const SceneInput& input, std::string_view beat) {
  for (const Part& part : parts)
    if (part.beat == beat) return std::string(counted_variant(input, part.group));
  return "";
}

void add_counted_beat(const SceneInput& input, const std::vector<Beat>& beats, std::string_view beat, Stage& stage,
                      ReceiptPicture& picture) {
  picture.head_receipt = input.narration.text("map.head", "counted");
  picture.head_time = input.narration.text("map.head", "count");
  picture.head_share = input.narration.text("map.head", "each");
  const auto place_of = [&](std::string_view key) {
    return std::find_if(beats.begin(), beats.end(), [&](const Beat& one) { return one.key == key; });
  };
  const auto now = place_of(beat);
  for (const Part& part : parts) {
    const auto place = place_of(part.beat);
    if (place == beats.end()) continue;
    for (CountedLine& line : counted_lines(input, part.group)) {
      line.current = place == now;
      line.shown = place < now ? 1 : line.current ? eased(input.moment.phase) : 0;
      // The facts repeat the current line in its own beat; in the last beat they show the more telling figure of each
      // line.
      if (line.current || (beat == "counted" && !line.each)) stage.facts.push_back({line.label, line.count});
      if ((line.current || beat == "counted") && line.each) stage.facts.push_back({line.each_label, *line.each});
      picture.counted.push_back(std::move(line));
    }
  }
  if (beat == "fold" || beat == "simulated") return;
  stage.missing.push_back(input.narration.text(
      "missing",
      time_record_of(input.trace, input.walk) == TimeRecord::unclocked ? "times_unclocked" : "times_unrecorded"));
}

}  // namespace warpwalk::story
