#include "core/story/scene_list.h"

#include <algorithm>
#include <numeric>
#include <ranges>
#include <set>

#include <fmt/format.h>

#include "core/story/facts/simulated/followed_number.h"
#include "core/story/facts/words/gpu_words.h"
#include "core/story/labs/labs.h"
#include "core/story/scenes/scenes.h"

namespace warpwalk::story {

const std::vector<Scene>& scenes() {
  static const std::vector<Scene> list = {
      {1, "boardroom", boardroom_scene()},
      {2, "translator", translator_scene()},
      {3, "warehouse", warehouse_scene()},
      {4, "launch", launch_scene()},
      {5, "sm", sm_scene()},
      {6, "schedulers", schedulers_scene()},
      {7, "lanes", lanes_scene()},
      {8, "map", map_scene()},
  };
  return list;
}

const Scene& tour() {
  static const Scene scene = {0, "tour", tour_scene()};
  return scene;
}

const Scene* find_scene(std::string_view name) {
  for (const std::vector<Scene>* list : {&scenes(), &labs()})
    for (const Scene& scene : *list)
      if (scene.name == name) return &scene;
  return name == tour().name ? &tour() : nullptr;
}

namespace {

const TextControl* find_text_control(std::string_view name) {
  const std::size_t point = name.find('.');
  const Scene* const scene = point == std::string_view::npos ? nullptr : find_scene(name.substr(0, point));
  if (scene == nullptr) return nullptr;
  const auto at = std::ranges::find(scene->texts, name.substr(point + 1), &TextControl::name);
  return at == scene->texts.end() ? nullptr : &*at;
}

}  // namespace

base::Result<NamedSetting> parse_setting(std::string_view text) {
  auto parsed = parse_setting(text, find_text_control);
  if (!parsed) return parsed;
  const std::string_view name = parsed->name;
  const std::string_view scene = name.substr(0, name.find('.'));
  if (find_scene(scene) == nullptr)
    return base::Error{fmt::format("{}: {} is not a scene; see warpwalk render --list", name, scene)};
  return parsed;
}

bool is_text_control(std::string_view name) { return find_text_control(name) != nullptr; }

namespace {

// The number of the beat that is about any cycle, from 1.
std::int64_t beat_of_cycles(const std::vector<Beat>& beats) {
  const auto any = std::ranges::find(beats, true, &Beat::any_cycle);
  return any != beats.end() ? any - beats.begin() + 1 : static_cast<std::int64_t>(beats.size());
}

// 0 if there is no beat of this key.
std::int64_t number_of_key(const std::vector<Beat>& beats, std::string_view key) {
  const auto named = std::ranges::find(beats, key, &Beat::key);
  return named == beats.end() ? 0 : named - beats.begin() + 1;
}

std::int64_t number_of_beat(const std::vector<Beat>& beats, const Moment& moment) {
  switch (moment.kind) {
    case Moment::Kind::time: return beat_at(beats, moment.value);
    case Moment::Kind::cycle: return beat_of_cycles(beats);
    case Moment::Kind::named: return number_of_key(beats, moment.name);
    case Moment::Kind::beat: break;
  }
  return moment.value;
}

// The beat at a moment; null if the scene does not have it.
const Beat* find_beat(const std::vector<Beat>& beats, const Moment& moment) {
  const std::int64_t beat = number_of_beat(beats, moment);
  return beat >= 1 && beat <= static_cast<std::int64_t>(beats.size()) ? &beats[static_cast<std::size_t>(beat) - 1]
                                                                      : nullptr;
}

// The beat of a key by its number.
base::Result<Moment> numbered_moment(const Scene& scene, const std::vector<Beat>& beats, const Moment& named) {
  if (const std::int64_t number = number_of_key(beats, named.name); number > 0)
    return Moment{Moment::Kind::beat, number, named.phase};
  return base::Error{fmt::format("{}: the scene {} has no such beat here; it has {}", named.name, scene.name,
                                 fmt::join(beats | std::views::transform(&Beat::key), ", "))};
}

// The numbers of the beats of the first route, from 1; the first beat, if none belongs to it.
std::vector<int> first_route(const Scene& scene, const std::vector<Beat>& beats) {
  std::vector<int> numbers;
  for (std::size_t i = 0; i < beats.size(); ++i)
    if (scene.number == 0 || beats[i].first_route) numbers.push_back(static_cast<int>(i) + 1);
  if (numbers.empty()) numbers.push_back(1);
  return numbers;
}

}  // namespace

std::vector<int> first_route(const Scene& scene, const Trace& trace, const Walk& walk) {
  return first_route(scene, scene.beats(trace, walk));
}

std::vector<int> beats_of(const Scene& scene, const Trace& trace, const Walk& walk, bool first_route_only) {
  if (first_route_only) return first_route(scene, trace, walk);
  std::vector<int> numbers(scene.beats(trace, walk).size());
  std::iota(numbers.begin(), numbers.end(), 1);
  return numbers;
}

std::int64_t beat_of(const Scene& scene, const Trace& trace, const Walk& walk, const Moment& moment) {
  return number_of_beat(scene.beats(trace, walk), moment);
}

std::optional<std::string> unknown_beat(const Scene& scene, const Moment& moment) {
  if (moment.kind != Moment::Kind::named) return {};
  const std::vector<std::string_view> keys = scene.contents.keys();
  if (std::ranges::find(keys, moment.name) != keys.end()) return {};
  return fmt::format("{}: the scene {} has no such beat; it has {}", moment.name, scene.name, fmt::join(keys, ", "));
}

base::Result<Moment> resolved_moment(const Scene& scene, const Trace& trace, const Walk& walk, const Moment& moment) {
  if (moment.kind != Moment::Kind::named) return moment;
  return numbered_moment(scene, scene.beats(trace, walk), moment);
}

bool uses_history(const Scene& scene, const Trace& trace, const Walk& walk, const Moment& moment) {
  const std::vector<Beat> beats = scene.beats(trace, walk);
  const Beat* const beat = find_beat(beats, moment);
  return beat != nullptr && beat->history;
}

bool needs_cycles(const Scene& scene) { return scene.contents.needs_cycles(); }

run::WhatIf what_if_of(const Scene& scene, const Trace& trace, const Walk& walk, const Moment& moment,
                       const Controls& controls) {
  const std::vector<Beat> beats = scene.beats(trace, walk);
  const Beat* const beat = find_beat(beats, moment);
  return beat != nullptr && beat->history && beat->what_if != nullptr ? beat->what_if(controls) : run::WhatIf{};
}

namespace {

// The stage of the beat at `input.moment`, one of `beats`.
Stage numbered_stage(const Scene& scene, const SceneInput& input, const std::vector<Beat>& beats) {
  const base::NumberMarks marks = words::number_marks(input.narration);
  const base::WithNumberMarks numbers(marks);
  Stage stage = scene.stage(input);
  stage.marks = marks;
  stage.scene_number = scene.number;
  stage.key = beats[static_cast<std::size_t>(stage.beat - 1)].key;
  // The line may have the answer of a question.
  if (scene.number > 0 && !(stage.question && stage.question->asked())) stage.number = number_line(input, scene.name);
  stage.first_route = first_route(scene, beats);
  return stage;
}

// The same in the words of the vendor of the trace's GPU. Labs, and beats that show another GPU, keep NVIDIA's.
Stage worded_stage(const Scene& scene, const SceneInput& input, const std::vector<Beat>& beats) {
  const GpuWords words = gpu_words(input.trace, input.walk);
  if (scene.is_lab() || words.nvidia()) return numbered_stage(scene, input, beats);
  const bool history = find_beat(beats, input.moment)->history;
  if (shows_other_gpu(input, scene.name, history)) {
    Stage stage = numbered_stage(scene, input, beats);
    if (history) add_other_gpu(input, words, stage);
    return stage;
  }
  const Narration& usual = input.narration;
  const Narration narration = usual.in_words_of(words.vendor, gpu_word_values(usual, words));
  SceneInput worded = input;
  worded.narration = narration;
  return numbered_stage(scene, worded, beats);
}

SceneInput input_at_cycle(const std::vector<Beat>& beats, const SceneInput& input) {
  SceneInput at = input;
  at.cycle = input.moment.value;
  at.moment = {Moment::Kind::beat, beat_of_cycles(beats), 1};
  return at;
}

}  // namespace

std::optional<std::int64_t> next_stop(const Scene& scene, const SceneInput& input, bool forward) {
  if (!scene.contents.has_cycles()) return {};
  const std::vector<Beat> beats = scene.beats(input.trace, input.walk);
  if (input.moment.kind == Moment::Kind::cycle) return scene.contents.next_cycle(input_at_cycle(beats, input), forward);
  if (input.moment.kind == Moment::Kind::beat && find_beat(beats, input.moment) != nullptr)
    return scene.contents.next_cycle(input, forward);
  return {};
}

std::optional<std::string> unknown_setting(const Scene& scene, const SceneInput& input) {
  const std::string prefix = std::string(scene.name) + ".", labels = prefix + "control";
  // Controls without a label are set in the picture itself; only the beats know them.
  std::vector<std::string_view> unlabelled;
  for (const auto& [name, setting] : input.controls.all())
    if (name.starts_with(prefix) && !input.narration.has(labels, std::string_view(name).substr(prefix.size())))
      unlabelled.push_back(std::string_view(name).substr(prefix.size()));
  if (unlabelled.empty()) return {};
  std::set<std::string> all, shown;
  SceneInput unset = input;
  unset.controls = {};
  unset.predictions = {};  // a question hides the controls
  SceneInput set = unset;
  set.controls = input.controls;
  const auto beats = static_cast<std::int64_t>(scene.beats(input.trace, input.walk).size());
  for (const SceneInput& one : {set, unset})
    for (std::int64_t beat = 1; beat <= beats; ++beat) {
      SceneInput at = one;
      at.moment = {Moment::Kind::beat, beat, 1};
      for (const Control& control : scene.stage(at).controls) {
        all.insert(control.name);
        if (control.kind != Control::Kind::hidden) shown.insert(control.name);
      }
    }
  for (const std::string_view name : unlabelled)
    if (!all.contains(std::string(name)))
      return fmt::format("{}{}: the scene {} has no such control; {}", prefix, name, scene.name,
                         shown.empty() ? "it has none" : fmt::format("it has {}", fmt::join(shown, ", ")));
  return {};
}

base::Result<Stage> stage_at(const Scene& scene, const SceneInput& input) {
  const std::vector<Beat> beats = scene.beats(input.trace, input.walk);
  if (beats.empty())
    return base::Error{
        fmt::format("the scene {} has nothing to show of this walk; see warpwalk render --list", scene.name)};
  SceneInput at_beat = input;
  switch (input.moment.kind) {
    case Moment::Kind::cycle:
      if (scene.contents.has_cycles()) return worded_stage(scene, input_at_cycle(beats, input), beats);
      return base::Error{fmt::format("{}: the scene {} shows no kernel cycles; give a beat (b1 to b{}) or a time",
                                     text_of(input.moment), scene.name, beats.size())};
    case Moment::Kind::named: {
      const auto moment = numbered_moment(scene, beats, input.moment);
      if (!moment) return base::Error{moment.error()};
      at_beat.moment = *moment;
      return worded_stage(scene, at_beat, beats);
    }
    case Moment::Kind::beat:
      if (find_beat(beats, input.moment) == nullptr)
        return base::Error{
            fmt::format("{}: the scene {} has the beats b1 to b{}", text_of(input.moment), scene.name, beats.size())};
      return worded_stage(scene, at_beat, beats);
    case Moment::Kind::time: break;
  }
  at_beat.moment = {Moment::Kind::beat, beat_at(beats, input.moment.value), 1};
  at_beat.now = input.moment.value;
  Stage stage = worded_stage(scene, at_beat, beats);
  stage.now = input.moment.value;
  return stage;
}

}  // namespace warpwalk::story
