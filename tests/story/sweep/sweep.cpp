#include "tests/story/sweep/sweep.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/facts/words/rows.h"
#include "core/story/labs/labs.h"
#include "core/story/scene_list.h"
#include "core/story/transcript.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

bool has_one_block(const SweptWalk& swept) {
  const trace::KernelDetail* const kernel = kernel_detail(swept.trace, swept.walk);
  return kernel != nullptr && kernel->grid == std::array<std::int32_t, 3>{1, 1, 1};
}

/// Which walks have their labs swept: those made for labs, and some of the others, among them launches of one block.
void choose_labs(std::vector<SweptWalk>& walks) {
  std::size_t others = 0, one_block = 0;
  for (SweptWalk& swept : walks) {
    swept.labs = swept.sample.empty() && swept.name.starts_with("lab");
    if (others++ % labs_stride == 0) swept.labs = true;
    if (has_one_block(swept) && one_block++ % labs_stride == 0) swept.labs = true;
  }
}

template <class Visit>
void for_each_check(const SweepChecks& checks, const Visit& visit) {
  for (const std::unique_ptr<SweepCheck>& check : checks) {
    SCOPED_TRACE(check->name());
    visit(*check);
  }
}

void sweep_scene(SweptWalk& swept, const Scene& scene, const SweepChecks& checks) {
  const auto beats = static_cast<std::int64_t>(scene.beats(swept.trace, swept.walk).size());
  const bool of_the_walk = is_of_the_walk(scene);
  for (std::int64_t beat = 1; beat <= beats; ++beat) {
    const Stage stage = stage_at_beat(scene, swept.trace, swept.walk, beat);
    if (of_the_walk) swept.said += stage.title + "\n" + stage.sentence + "\n";
    const SweptStage at{swept, scene, stage};
    for_each_check(checks, [&](SweepCheck& check) { check.look_at(at); });
    if (scene.is_lab() || beat == beats) continue;
    const std::function<Stage()> next = [&] { return stage_at_beat(scene, swept.trace, swept.walk, beat + 1, 0); };
    const SweptBoundary boundary{swept, scene, stage, next};
    for_each_check(checks, [&](SweepCheck& check) { check.look_at(boundary); });
  }
}

}  // namespace

std::string SweptStage::where() const { return fmt::format("{}, {} b{}", walk.name, scene.name, stage.beat); }

const std::string& SweptStage::everything() const {
  if (!everything_) everything_ = everything_on(stage);
  return *everything_;
}

const std::string& SweptStage::text() const {
  if (!text_) text_ = transcript(stage);
  return *text_;
}

std::string SweptBoundary::where() const {
  return fmt::format("{}, {} b{} to b{}", walk.name, scene.name, before.beat, before.beat + 1);
}

const Stage& SweptBoundary::after() const {
  if (!after_) after_ = make_after_();
  return *after_;
}

std::vector<SweptWalk> swept_walks() {
  std::vector<SweptWalk> walks;
  for (const Crafted& made : crafted()) walks.push_back({made.name, {}, made.trace, made.walk});
  const auto add = [&](std::string_view of, std::string_view sample, const Trace& trace) {
    for_each_walk(trace, [&](const std::string& what, const Walk& walk) {
      if (std::ranges::none_of(walks,
                               [&](const SweptWalk& other) { return &other.trace == &trace && other.walk == walk; }))
        walks.push_back({fmt::format("{} {}", of, what), sample, trace, walk});
    });
  };
  for (const std::string_view name : sample_names) add(name, name, sample(name));
  if (walk_stride == 1)
    for (const Crafted& made : crafted()) add(made.name, {}, made.trace);
  choose_labs(walks);
  return walks;
}

void sweep(std::vector<SweptWalk> walks, const SweepChecks& checks) {
  for (SweptWalk& swept : walks) {
    for (const std::vector<Scene>* const list : {&scenes(), &labs()})
      for (const Scene& scene : *list)
        if (swept.labs || is_of_the_walk(scene)) sweep_scene(swept, scene, checks);
    for_each_check(checks, [&](SweepCheck& check) { check.look_at(swept); });
    swept.said = {};
  }
  for_each_check(checks, [](SweepCheck& check) { check.end(); });
}

}  // namespace warpwalk::story::testing
