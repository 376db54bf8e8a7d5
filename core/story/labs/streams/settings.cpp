// The settings of the lab "streams".
#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "core/records/hardware.h"
#include "core/story/labs/streams/streams.h"

namespace warpwalk::story {
namespace {

std::vector<std::string> words_of(const Streams& lab, std::string_view prefix, std::span<const std::string_view> keys) {
  std::vector<std::string> words;
  for (const std::string_view key : keys) words.push_back(lab.word(fmt::format("{}{}", prefix, key)));
  return words;
}

}  // namespace

Streams::Streams(const SceneInput& in) : input(in), record(in.hardware.streams.get()) {
  std::vector<std::string> presets;
  for (const StreamPreset& one : stream_presets()) presets.push_back(word(fmt::format("preset_{}", one.key)));
  preset = controls.choice("preset", std::move(presets), 1, "example");
  streams = static_cast<int>(controls.slider("streams", steps_by(1, most_streams, 1), chosen().streams, "preset_own"));
  rules.mode = static_cast<DefaultStream>(controls.choice("default", words_of(*this, "short_", modes),
                                                          static_cast<std::size_t>(chosen().mode), "preset_own"));
  rules.pageable = controls.choice("host", {word("pinned"), word("pageable")}, chosen().pageable, "preset_own") == 1;
  rules.copy_engines = 1 + static_cast<int>(controls.choice("engines", {"1", "2"}, 1, "example"));
  rules.call = 1000 * controls.slider("call", {1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100},
                                      std::max<std::int64_t>(1, (measured_call() + 500) / 1000),
                                      record == nullptr ? "example" : "measured_call", "µs");
  make_program();
  inside = controls.choice("inside", words_of(*this, "inside_", insides), 0, "example");
  other = controls.choice("other", words_of(*this, "short_", std::span(modes).subspan(1)), 0, "example");
  event = controls.choice("events", words_of(*this, "events_", events), 0, "example");
  std::vector<std::string> times;
  for (const double ns : kernel_times) times.push_back(ns > 0 ? time_text(ns) : word("empty_kernel"));
  kernel_ns = kernel_times[controls.choice("kernel", std::move(times), 1, "example")];
  run = schedule(program, rules);
}

void Streams::make_program() {
  // By the number of its line, from 1.
  step = static_cast<std::size_t>(std::max<std::int64_t>(1, controls.pointed("step", most_steps, 1)) - 1);
  std::vector<std::string> calls;
  for (const StreamChoice& choice : stream_choices) calls.push_back(word(fmt::format("call_{}", choice.key)));
  for (std::size_t i = 0; i < most_steps; ++i) {
    const StreamStep own = i < chosen().steps.size() ? chosen().steps[i] : StreamStep{};
    const std::string op_control = step_control("op", i), stream_control = step_control("stream", i);
    std::size_t op = 0;
    std::int64_t stream = 0;
    if (i == step) {
      op = controls.choice(op_control, calls, choice_of(own), "preset_own");
      std::vector<std::string> names = {word("default_stream")};
      for (int n = 1; n <= streams; ++n) names.push_back(fmt::to_string(n));
      stream = static_cast<std::int64_t>(controls.choice(
          stream_control, std::move(names), static_cast<std::size_t>(std::min(own.stream, streams)), "preset_own"));
    } else {
      op = static_cast<std::size_t>(
          controls.pointed(op_control, std::size(stream_choices) - 1, static_cast<std::int64_t>(choice_of(own))));
      stream = controls.pointed(stream_control, most_streams, own.stream);
    }
    StreamStep& made = program.emplace_back();
    made.op = stream_choices[op].op;
    made.quarters = stream_choices[op].quarters;
    made.stream = static_cast<int>(std::min<std::int64_t>(stream, streams));
    const std::int64_t us = std::max<std::int64_t>(10, own.ns > 1000 ? own.ns / 1000 : 200);
    const std::string control = step_control("us", i);
    if (i == step) {
      made.ns = 1000 *
                controls.slider(control, {10, 20, 50, 100, 150, 200, 300, 400, 500, 700, 1000}, us, "preset_own", "µs");
    } else {
      // The sliders of the other steps are not there, but their values count.
      const auto set = input.set(name, control);
      made.ns = 1000 * (set && std::isfinite(*set) ? std::clamp<std::int64_t>(std::llround(*set), 10, 1000) : us);
    }
  }
}

std::int64_t Streams::measured_call() const {
  const records::RecordedCalls* const launch = record == nullptr ? nullptr : record->find("launch");
  return launch == nullptr ? 3000 : static_cast<std::int64_t>(launch->cpu_ns);
}

std::string Streams::step_control(std::string_view what, std::size_t i) const {
  return fmt::format("p{}_{}{}", preset, what, i);
}

std::string Streams::word(std::string_view key, const Narration::Values& values) const {
  return input.narration.text(fmt::format("{}.word", name), key, values);
}

std::string Streams::step_word(const StreamStep& one) const {
  return word(fmt::format("op_{}", stream_choices[choice_of(one)].key));
}

std::string Streams::stream_word(int stream, DefaultStream mode) const {
  if (stream == 0) return word(mode == DefaultStream::per_thread ? "own_default" : "default_stream");
  return word("stream", {{"n", fmt::to_string(stream)}});
}

std::size_t Streams::calls() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(program, [](const StreamStep& one) { return one.op != StreamOp::none; }));
}

bool Streams::as_recorded() const {
  if (record == nullptr || chosen().recorded.empty() || rules.mode != chosen().mode ||
      rules.pageable != chosen().pageable || rules.copy_engines != 2)
    return false;
  for (std::size_t i = 0; i < program.size(); ++i) {
    const StreamStep own = i < chosen().steps.size() ? chosen().steps[i] : StreamStep{};
    if (program[i].op != own.op) return false;
    if (own.op == StreamOp::none) continue;
    if (program[i].stream != own.stream && own.op != StreamOp::sync_device) return false;
    if (is_work(own.op) && program[i].ns != own.ns) return false;
    if (own.op == StreamOp::kernel && program[i].quarters != own.quarters) return false;
  }
  return true;
}

}  // namespace warpwalk::story
