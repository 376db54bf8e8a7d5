#include "app/shell/asked_trail.h"

#include <algorithm>

#include "core/story/scenes/lanes/asked_control.h"

namespace warpwalk::shell {
namespace {

constexpr std::size_t kept_views = 100;
constexpr std::string_view asked_control = "lanes.asked";

bool asks_about_value(const pictures::Touch& touched) {
  return std::ranges::any_of(touched.set, [](const auto& set) { return set.first == asked_control; });
}

}  // namespace

bool leads_to_writer(const pictures::Touch& touched) { return touched.cycle && asks_about_value(touched); }

void AskedTrail::note(const pages::Opened& opened, const pictures::Touch& touched) {
  if (!asks_about_value(touched)) return;
  if (views_.size() == kept_views) views_.erase(views_.begin());
  views_.push_back(opened.view);
}

void AskedTrail::ask(Parts& parts) {
  const pages::Opened& opened = parts.opened();
  document::View view = opened.view;
  const bool of_kernel = view.scene == "lanes" || view.scene == "schedulers";
  std::optional<story::AskedPlace> place;
  bool cycles = false;
  if (of_kernel && opened.stage && opened.document) {
    const story::SceneInput input = parts.stages.input_at(opened, view.moment);
    cycles = input.history.travel != nullptr;
    if (!opened.stage->cycle && opened.stage->key == story::sum_beat_key) place = story::asked_place_of_sum(input);
  }
  if (!place && (!of_kernel || !opened.stage || !opened.stage->cycle)) {
    parts.messages.fail(of_kernel && !cycles ? "asked_without_cycles" : "no_instruction",
                        {{"key", pages::key_of(pages::Action::who_wrote, parts.words)}});
    return;
  }
  if (!place && view.scene == "lanes" && view.controls.get("lanes", "asked").value_or(0) != 0) {
    view.controls.clear(asked_control);
  } else {
    views_.push_back(opened.view);
    view.controls.set(asked_control, story::AskedAbout::result);
    // The warp of the schedulers is that of the lanes, unless another one was chosen there.
    if (view.scene == "schedulers") view.controls.clear("lanes.warp");
  }
  if (place) {
    view.controls.set("lanes.sm", place->sm);
    view.controls.set("lanes.warp", place->slot);
    view.controls.set("lanes.asked_lane", place->lane);
  }
  view.scene = "lanes";
  view.moment = {story::Moment::Kind::cycle, place ? place->cycle : opened.stage->cycle->at, 1};
  parts.session.go(view);
}

bool AskedTrail::back(Parts& parts) {
  if (views_.empty()) return false;
  const document::View view = std::move(views_.back());
  views_.pop_back();
  parts.session.go(view);
  return true;
}

}  // namespace warpwalk::shell
