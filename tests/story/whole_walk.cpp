#include "tests/story/whole_walk.h"

#include <stdexcept>
#include <string>
#include <utility>

#include "core/records/hardware.h"
#include "core/run/replay/history.h"
#include "core/run/replay/time_travel.h"
#include "core/story/scene_list.h"
#include "core/trace/read/read_trace.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
Crafted open_recorded(const std::string& name, const std::string& file) {
  trace::ReadResult read = trace::read_trace(std::string(WARPWALK_SOURCE_DIR "/assets/walks/") + file);
  if (read.error) throw std::runtime_error(*read.error);
  Crafted made{name, std::move(read.trace), {}, {}};
  made.walk = default_walk(made.trace);
  made.history = HistoryView::State::ready;
  run::HistoryOptions options;
  options.device = *hardware().find("h200");
  auto built = run::build_history(made.trace, made.walk.kernel, options);
  if (const auto* const none = std::get_if<run::NoHistory>(&built)) throw std::runtime_error(none->reason);
  made.simulated = std::get<0>(built);
  auto travel = run::TimeTravel::make(made.trace, made.walk.kernel, made.simulated, options);
  if (!travel) throw std::runtime_error(travel.error());
  made.travel = std::move(*travel);
  made.what_if.policy = gpu::IssuePolicy::one_at_a_time;
  auto changed = run::TimeTravel::make(made.trace, made.walk.kernel, made.simulated, options, made.what_if);
  if (!changed) throw std::runtime_error(changed.error());
  made.changed = std::move(*changed);
  return made;
}

const Crafted& opening_walk() {
  static const Crafted made = open_recorded("the opening walk", "h200_relu_matmul_inside.json.gz");
  return made;
}

void for_each_scene_beat(const Crafted& walk, const std::function<void(const Scene&, const Stage&)>& visit) {
  for (const Scene& scene : scenes()) {
    const auto beats = static_cast<std::int64_t>(scene.beats(walk.trace, walk.walk).size());
    for (std::int64_t beat = 1; beat <= beats; ++beat) {
      SceneInput input{walk.trace, walk.walk, english(), hardware(), {Moment::Kind::beat, beat, 1}, walk.controls};
      input.history = walk.view();
      visit(scene, stage_of(scene, input));
    }
  }
}

}  // namespace warpwalk::story::testing
