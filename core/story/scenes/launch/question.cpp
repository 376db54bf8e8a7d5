#include <algorithm>
#include <memory>
#include <set>

#include "core/story/facts/words/rows.h"
#include "core/story/scenes/launch/launch.h"

namespace warpwalk::story {

std::optional<Ask> place_question(const LaunchSubject& s) {
  if (!s.plan || s.plan->what_if || !s.plan->counted() || !s.plan->placeable() || !s.plan->device) return {};
  const LaunchPlan& plan = *s.plan;
  const auto sms = static_cast<std::uint64_t>(*plan.device->sm_count);
  const auto per_sm = static_cast<std::uint64_t>(std::max<std::int64_t>(1, plan.occupancy.blocks_per_sm));
  const std::uint64_t right = s.sms_used();
  // One SM alone, as few as can hold the blocks, one block for each, all of them.
  const std::set<std::uint64_t> numbers = {1, std::min(sms, (plan.blocks + per_sm - 1) / per_sm),
                                           std::min(sms, plan.blocks), sms, right};
  Options options;
  for (const std::uint64_t number : numbers) {
    if (number == right) options.right = options.words.size();
    options.keys.emplace_back(number == 1 ? "one" : number == sms ? "all" : "few");
    options.words.push_back(counted_words(s.input.narration, "sms", number));
  }
  if (options.words.size() < 3) return {};
  return Ask{"place", "", std::move(options), {"per_sm"}, [&s](Stage& stage) {
               stage.picture = std::make_shared<const LaunchPicture>(grid_picture(s, 1));
             }};
}

}  // namespace warpwalk::story
