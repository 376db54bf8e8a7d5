#include <algorithm>

#include "core/story/facts/simulated/followed_number.h"
#include "core/story/scenes/launch/launch.h"

namespace warpwalk::story {

LaunchSubject launch_subject(const SceneInput& input, std::string_view beat) {
  LaunchSubject subject;
  subject.queue = stream_queue_of(input.trace, input.walk);
  subject.transfer = input.trace.slices.kind[input.walk.kernel] != trace::SliceKind::kernel;
  subject.plan = launch_plan(input, beat == "queue" || beat == "cross"                    ? Placed::none
                                    : beat == "grid" || beat == "tile" || beat == "place" ? Placed::first_wave
                                                                                          : Placed::several_waves);
  if (!subject.plan) return subject;
  const LaunchPlan& plan = *subject.plan;
  subject.followed = followed_block(input, plan.blocks);
  return subject;
}

const PlacedBlock* LaunchSubject::followed_block() const {
  if (!plan) return nullptr;
  for (const PlacedBlock& block : plan->placed)
    if (block.block == followed) return &block;
  return nullptr;
}

std::uint64_t LaunchSubject::sms_used() const {
  // One for each SM: an SM's slots fill from the first one on.
  return static_cast<std::uint64_t>(std::count_if(plan->placed.begin(), plan->placed.end(),
                                                  [](const PlacedBlock& b) { return b.slot == 0 && b.turn == 0; }));
}

std::uint64_t LaunchSubject::sms_idle() const {
  const std::uint64_t sms = plan->device ? static_cast<std::uint64_t>(*plan->device->sm_count) : 0;
  return sms - std::min(sms, sms_used());
}

std::uint64_t LaunchSubject::reused() const { return plan->recorded ? plan->placed.size() - first_fill() : 0; }

std::uint64_t LaunchSubject::first_fill() const {
  return static_cast<std::uint64_t>(
      std::count_if(plan->placed.begin(), plan->placed.end(), [](const PlacedBlock& b) { return b.turn == 0; }));
}

}  // namespace warpwalk::story
