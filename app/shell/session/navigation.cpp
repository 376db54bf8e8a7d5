#include "app/shell/session/navigation.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/shell/session/lesson_place.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/labs/labs.h"
#include "core/story/pictures/panels.h"
#include "core/story/scene_list.h"
#include "core/story/stage/stage.h"
#include "core/story/transcript.h"

namespace warpwalk::shell {

void Navigation::go(std::string_view scene, const story::Moment& moment) {
  View view = opened().view;
  view.scene = scene;
  view.moment = moment;
  session_.go(view);
}

void Navigation::step(std::int64_t steps) {
  if (!opened().lesson) {
    if (std::abs(steps) == 1 && in_tour()) return step_tour(steps > 0);
    session_.go(document::stepped(opened().view, steps, opened().document->trace(), opened().walk));
    return;
  }
  if (std::abs(steps) == 1 && away_from_step(opened())) {
    session_.go_to_step(opened().lesson_step, false);
    return;
  }
  const auto at = static_cast<std::int64_t>(opened().lesson_step);
  const auto last = static_cast<std::int64_t>(opened().lesson->steps.size()) - 1;
  const std::int64_t to = std::clamp<std::int64_t>(at + steps, 0, last);
  if (to != at) session_.go_to_step(static_cast<std::size_t>(to), steps > 0);
}

bool Navigation::in_tour() const { return opened().view.scene == story::tour().name; }

bool Navigation::plays_backwards() const { return backwards_ && in_tour() && *backwards_ == opened().view.moment; }

void Navigation::land_on_step_before() {
  backwards_.reset();
  go(opened().view.scene, {story::Moment::Kind::beat, opened().view.moment.value - 1, 1});
}

void Navigation::step_tour(bool forward) {
  const story::Moment was = opened().view.moment;
  const bool back = plays_backwards();
  backwards_.reset();
  if (forward && back) return;  // its motion goes on from where it is
  if (back) land_on_step_before();
  const story::Moment& moment = opened().view.moment;
  if (!forward && moment.kind == story::Moment::Kind::beat && moment.value > 1 &&
      !session_.transport().reduced_motion) {
    session_.go(opened().view);
    backwards_ = opened().view.moment;
    return;
  }
  const int last = opened().stage ? opened().stage->beats : 0;
  if (!back || forward)
    session_.go(document::stepped(opened().view, forward ? 1 : -1, opened().document->trace(), opened().walk));
  if (forward && was.kind == story::Moment::Kind::beat && was.value == last) messages_.tell("tour_end");
}

std::optional<story::StepPlace> Navigation::step_place(std::int64_t beat) const {
  const auto stage = story::stage_at(story::tour(), stages_.input_at(opened(), {story::Moment::Kind::beat, beat, 1}));
  return stage ? stage->step : std::nullopt;
}

std::optional<story::StepPlace> Navigation::step_place() const {
  if (!in_tour()) return {};
  return step_place(story::beat_of(story::tour(), opened().document->trace(), opened().walk, opened().view.moment));
}

void Navigation::step_chapter(bool forward) {
  const trace::Trace& trace = opened().document->trace();
  const auto last = static_cast<std::int64_t>(story::tour().beats(trace, opened().walk).size());
  const std::int64_t from = story::beat_of(story::tour(), trace, opened().walk, opened().view.moment);
  const auto chapter = [&](std::int64_t beat) {
    const auto place = step_place(beat);
    return place ? place->chapter : std::string();
  };
  std::int64_t to = from;
  if (forward) {
    for (const std::string here = chapter(from); to <= last && chapter(to) == here;) ++to;
    if (to > last) return;
  } else {
    to = std::max<std::int64_t>(1, from - 1);
    for (const std::string there = chapter(to); to > 1 && chapter(to - 1) == there;) --to;
  }
  go(opened().view.scene, {story::Moment::Kind::beat, to, forward ? 0.0 : 1.0});
}

bool Navigation::go_deeper() {
  if (const auto place = step_place()) {
    if (place->deeper.empty()) {
      messages_.tell("no_deeper");
      return true;
    }
    go_to_card(place->deeper);
    session_.opened().view.first_route = false;
    return true;
  }
  return way_back_.step(opened()) != nullptr && go_out(false);
}

bool Navigation::go_to_lab_of_step() {
  const auto place = step_place();
  if (!place || place->lab.empty()) return false;
  go_to_card(place->lab);
  return true;
}

bool Navigation::go_out(bool anywhere) {
  std::optional<View> view = way_back_.view(opened());
  if (!view && anywhere) view = scene_of_lab(opened());
  if (view) session_.go(*view);
  return view.has_value();
}

void Navigation::step_scene(int steps) {
  if (in_tour()) return step_chapter(steps > 0);
  session_.go(document::scene_stepped(opened().view, steps, opened().document->trace(), opened().walk));
}

void Navigation::follow(const std::string& what) {
  if (what.empty()) return;
  const trace::Trace& trace = opened().document->trace();
  auto walk = story::chosen_walk(trace, what);
  if (!walk) {
    messages_.error(walk.error());
    return;
  }
  std::string key;  // of the beat
  const story::Scene* const scene = story::find_scene(opened().view.scene);
  if (scene != nullptr && opened().stage) {
    const std::vector<story::Beat> beats = scene->beats(trace, opened().walk);
    if (const auto at = static_cast<std::size_t>(opened().stage->beat); at >= 1 && at <= beats.size())
      key = beats[at - 1].key;
  }
  View view = opened().view;
  view.follow = what;
  view.moment = {story::Moment::Kind::beat, 1, 1};
  if (!key.empty()) {
    const std::vector<story::Beat> beats = scene->beats(trace, *walk);
    const auto same = std::ranges::find(beats, key, &story::Beat::key);
    if (same != beats.end()) view.moment.value = same - beats.begin() + 1;
  }
  view.controls = {};  // they were set for what was followed before
  session_.opened().walk = *std::move(walk);
  session_.go(view);
}

bool Navigation::moving() const {
  const story::Moment& moment = opened().view.moment;
  return session_.transport().playing || plays_backwards() ||
         (opened().document && moment.kind == story::Moment::Kind::beat && moment.phase < 1);
}

void Navigation::advance(double seconds) {
  story::Moment& moment = session_.opened().view.moment;
  if (!opened().document || moment.kind != story::Moment::Kind::beat) return;
  panels::TransportState& transport = session_.transport();
  const double length = opened().stage ? opened().stage->motion_seconds : story::usual_motion_seconds;
  if (plays_backwards()) {
    moment.phase = transport.reduced_motion ? 0 : std::max(0.0, moment.phase - seconds * transport.speed / length);
    backwards_ = moment;
    if (moment.phase <= 0) land_on_step_before();
    return;
  }
  if (moment.phase < 1) {
    moment.phase = transport.reduced_motion ? 1 : std::min(1.0, moment.phase + seconds * transport.speed / length);
    return;
  }
  if (!transport.playing || session_.reading() != nullptr || questions_.asks()) return;
  session_.rested() += seconds * transport.speed;
  if (opened().stage && session_.rested() < story::pause_seconds_of(*opened().stage)) return;
  const View before = opened().view;
  const std::size_t step_before = opened().lesson_step;
  step(1);
  if (opened().view.scene == before.scene && moment.value == before.moment.value && opened().lesson_step == step_before)
    transport.playing = false;
}

std::int64_t Navigation::moment() const {
  const story::Moment& moment = opened().view.moment;
  if (moment.kind == story::Moment::Kind::time) return moment.value;
  const story::Scene* const scene = story::find_scene(opened().view.scene);
  const std::vector<story::Beat> beats = scene->beats(opened().document->trace(), opened().walk);
  const auto last = static_cast<std::int64_t>(beats.size());
  const std::int64_t beat = story::beat_of(*scene, opened().document->trace(), opened().walk, moment);
  return beats[static_cast<std::size_t>(std::clamp<std::int64_t>(beat, 1, last)) - 1].anchor;
}

void Navigation::go_to_time(std::int64_t time) { go(opened().view.scene, {story::Moment::Kind::time, time, 1}); }

void Navigation::go_to_cycle(std::int64_t cycle) {
  if (!opened().stage || !opened().stage->cycle) return;
  go(opened().view.scene,
     {story::Moment::Kind::cycle, std::clamp<std::int64_t>(cycle, 0, opened().stage->cycle->end), 1});
}

bool Navigation::step_control(std::int64_t by) {
  if (!opened().stage) return false;
  const std::vector<story::Control>& all = opened().stage->controls;
  const auto control = std::ranges::find(all, true, &story::Control::stepped);
  if (control == all.end() || control->steps.empty()) return false;
  const auto last = static_cast<std::int64_t>(control->steps.size()) - 1;
  const auto at = static_cast<std::int64_t>(story::step_at(control->steps, control->value));
  View view = opened().view;
  view.controls.set(fmt::format("{}.{}", opened().stage->scene, control->name),
                    control->steps[static_cast<std::size_t>(std::clamp<std::int64_t>(at + by, 0, last))]);
  view.moment.phase = 1;
  session_.go(view);
  return true;
}

void Navigation::go_to_stop_cycle(bool forward) {
  if (step_control(forward ? 1 : -1)) return;
  const story::Scene* const scene = story::find_scene(opened().view.scene);
  if (scene == nullptr || !opened().stage || !opened().stage->cycle) return;
  if (const auto cycle = story::next_stop(*scene, stages_.input_at(opened(), opened().view.moment), forward))
    go_to_cycle(*cycle);
  else
    messages_.tell(forward ? "no_stop_ahead" : "no_stop_behind");
}

void Navigation::scrub(double hundredths) {
  if (step_control(static_cast<std::int64_t>(hundredths))) return;
  if (opened().stage && opened().stage->cycle) {
    if (opened().stage->cycle->by_stops) return go_to_stop_cycle(hundredths > 0);
    return go_to_cycle(opened().stage->cycle->at + static_cast<std::int64_t>(hundredths));
  }
  const trace::Trace& trace = opened().document->trace();
  const std::int64_t length = trace.end_ns - trace.begin_ns;
  const double shown = strip_.to > strip_.from ? strip_.to - strip_.from : static_cast<double>(length);
  const auto by = static_cast<std::int64_t>(hundredths * std::max(1.0, shown / 100));
  go_to_time(std::clamp<std::int64_t>(moment() + by, 0, length));
}

void Navigation::go_to_stop(std::size_t stop) {
  const trace::Trace& trace = opened().document->trace();
  const std::vector<document::Place> places = document::places_of(trace, opened().walk);
  const std::size_t from = document::place_index(places, opened().view, trace, opened().walk);
  std::vector<std::size_t> order;
  for (std::size_t i = 1; i <= places.size(); ++i) order.push_back((from + i) % places.size());
  // The open scene comes first, unless it is about this stop already.
  if (!opened().stage->route[stop].here)
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t i) { return places[i].scene->name == opened().view.scene; });
  for (const std::size_t i : order) {
    const document::Place& place = places[i];
    const auto stage =
        story::stage_at(*place.scene, stages_.input_at(opened(), {story::Moment::Kind::beat, place.beat, 1}));
    if (!stage || !stage->route[stop].here) continue;
    go(place.scene->name, {story::Moment::Kind::beat, place.beat, 0});
    return;
  }
  messages_.fail("no_stop", {{"stop", opened().stage->route[stop].name}});
}

void Navigation::go_to_card(const story::CardLink& link) {
  const story::Scene* const scene = story::find_scene(link.scene);
  if (scene == nullptr || !opened().document) return;
  way_back_.leave(opened(), link.scene);
  View view = opened().view;
  view.scene = link.scene;
  view.moment = {story::Moment::Kind::beat, 1, session_.transport().reduced_motion ? 1.0 : 0.0};
  const std::vector<story::Beat> beats = scene->beats(opened().document->trace(), opened().walk);
  for (std::size_t b = 0; b < beats.size(); ++b)
    if (beats[b].key == link.beat) view.moment.value = static_cast<std::int64_t>(b) + 1;
  for (const std::string& setting : link.settings)
    if (const auto set = story::parse_setting(setting)) view.controls.set(set->name, set->value);
  session_.go(view);
}

std::optional<std::string_view> Navigation::lab_from_here() const {
  if (const auto place = step_place(); place && !place->lab.empty()) return story::find_scene(place->lab.scene)->name;
  const story::Scene* const here = story::find_scene(opened().view.scene);
  const std::vector<story::Scene>& labs = story::labs();
  const bool in_lab = here != nullptr && here->is_lab();
  const auto after = in_lab ? std::ranges::find(labs, here->name, &story::Scene::name) + 1 : labs.begin();
  const std::string_view scene = in_lab ? here->opens_from : std::string_view(opened().view.scene);
  const auto lab = std::ranges::find(after, labs.end(), scene, &story::Scene::opens_from);
  if (lab != labs.end()) return lab->name;
  return in_lab ? std::optional(scene) : std::nullopt;
}

}  // namespace warpwalk::shell
