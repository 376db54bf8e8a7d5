#include <algorithm>

#include "core/story/beats/beat_of.h"

namespace warpwalk::story {

std::vector<Beat> BeatTable::beats(const Trace& trace, const Walk& walk) const {
  const WalkTimes times(trace, walk);
  std::vector<Beat> beats;
  for (const auto& each : beats_)
    if (std::optional<Beat> beat = each->in(times)) beats.push_back(std::move(*beat));
  return in_order(std::move(beats));
}

std::vector<std::string_view> BeatTable::keys() const {
  std::vector<std::string_view> keys;
  for (const auto& each : beats_) keys.push_back(each->key());
  return keys;
}

Here BeatTable::here(const SceneInput& input) const {
  Here here{input, scene_, {}, static_cast<std::size_t>(input.moment.value - 1), {}};
  std::vector<Beat> beats;
  for (const auto& each : beats_)
    if (std::optional<Beat> beat = each->in(here.times)) {
      here.beats.push_back(each.get());
      beats.push_back(std::move(*beat));
    }
  for (const Beat& beat : in_order(std::move(beats))) here.anchors.push_back(beat.anchor);
  return here;
}

Stage BeatTable::stage(const SceneInput& input) const {
  const Here shown = here(input);
  return shown.beats[shown.index]->stage(shown);
}

std::optional<std::int64_t> BeatTable::next_cycle(const SceneInput& input, bool forward) const {
  const Here shown = here(input);
  return shown.beats[shown.index]->next_cycle(shown, forward);
}

bool BeatTable::has_cycles() const {
  return std::ranges::any_of(beats_, [](const auto& each) { return each->has_cycles(); });
}

bool BeatTable::needs_cycles() const {
  return std::ranges::any_of(beats_, [](const auto& each) { return each->needs() == Needs::cycles; });
}

Stage worded_stage(const Here& here, std::string_view section, const Narration::Values& values, std::string_view stop) {
  return common_stage(here.input, here.scene, here.beats.size(), section, values, stop);
}

}  // namespace warpwalk::story
