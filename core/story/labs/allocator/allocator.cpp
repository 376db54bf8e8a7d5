#include "core/story/labs/allocator/allocator.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/gpu/device/device.h"
#include "core/records/hardware.h"

namespace warpwalk::story::allocator_lab {
namespace {

constexpr std::size_t own_steps = 8;
constexpr std::size_t most_history_stops = 480;  // of the history's slider

// The plan of its own before anything was changed: bytes, or the number of the step that is freed, negative.
constexpr std::int64_t own_defaults[own_steps] = {24 * mib, 24 * mib, 24 * mib, -1, -2, 16 * mib, 16 * mib, 24 * mib};

}  // namespace

ops::AllocatorSettings with_limit(ops::AllocatorSettings rules, std::int64_t limit) {
  rules.limit = static_cast<std::uint64_t>(limit);
  return rules;
}

std::string size_text(std::int64_t bytes) {
  static constexpr std::string_view units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; unit + 1 < std::size(units) && value >= 1024; ++unit) value /= 1024;
  if (value >= 1000) return fmt::format("{} {}", with_thousands(std::llround(value)), units[unit]);
  return with_marks(fmt::format("{:.4g} {}", value, units[unit]));
}

std::string AllocatorLab::word(std::string_view key, const Narration::Values& values) const {
  return input.narration.text("lab/allocator.word", key, values);
}

bool AllocatorLab::measured() const { return call_time(input.hardware.core_times, cuda_malloc, mib).has_value(); }

AllocatorLab::AllocatorLab(const SceneInput& in, const AllocatorStart& start) : input(in) {
  make_model(start);
  snapshot = trace::memory_snapshot(in.trace);
  if (snapshot) make_snapshot(start);
}

Plan AllocatorLab::own_plan() {
  const auto edited =
      static_cast<std::size_t>(controls.slider("edit", steps_by(1, static_cast<double>(own_steps), 1), 1, "example"));
  Plan own;
  for (std::size_t i = 0; i < own_steps; ++i) {
    const std::string what = fmt::format("what_{}", i + 1), size = fmt::format("size_{}", i + 1);
    const std::int64_t before = own_defaults[i];
    const std::size_t usual = before > 0 ? 0 : static_cast<std::size_t>(-before);
    const std::int64_t usual_mib = before > 0 ? before / mib : 16;
    std::size_t chosen = usual;
    std::int64_t amount = usual_mib;
    if (i + 1 == edited) {
      std::vector<std::string> words = {word("allocate")};
      for (std::size_t earlier = 1; earlier <= i; ++earlier)
        words.push_back(word("free_step", {{"n", fmt::to_string(earlier)}}));
      words.push_back(word("empty_cache"));
      chosen = controls.choice(what, std::move(words), std::min(usual, i), "example");
      if (chosen == 0) amount = controls.slider(size, steps_growing(1, 128), usual_mib, "example", "MiB");
    } else {
      // Set before, while another step is edited.
      if (const auto set = input.set(name, what); set && std::isfinite(*set))
        chosen = static_cast<std::size_t>(std::clamp(*set, 0.0, static_cast<double>(i + 1)));
      if (const auto set = input.set(name, size); set && std::isfinite(*set))
        amount = std::llround(std::clamp(*set, 1.0, 128.0));
    }
    if (chosen == 0)
      own.push_back({Action::Kind::allocate, amount * mib, 0});
    else if (chosen <= i)
      own.push_back({Action::Kind::free, 0, chosen - 1});
    else
      own.push_back({Action::Kind::empty_cache, 0, 0});
  }
  return own;
}

void AllocatorLab::make_model(const AllocatorStart& start) {
  request = 4 * controls.slider("elements",
                                {10, 100, 250, 1000, 2500, 10000, 25000, 100000, 262144, 300000, 1000000, 2500000,
                                 2621440, 5000000, 10000000, 25000000, 100000000},
                                300000, "example");
  std::vector<std::string> plans, settings;
  for (const std::string_view key : plan_keys) plans.push_back(word(key));
  for (const auto& one : allocator_settings) settings.push_back(word(fmt::format("short_{}", one.key)));
  const bool kept_first = start.plan != AllocatorStart::Plan::any;
  plan_choice = start.plan == AllocatorStart::Plan::only_kept
                    ? 2
                    : controls.choice("plan", std::move(plans), kept_first ? 2 : 0, "example");
  if (start.setting == AllocatorStart::Setting::pointed)
    setting = static_cast<std::size_t>(controls.pointed("setting", static_cast<std::int64_t>(settings.size()) - 1, 0));
  else if (start.setting == AllocatorStart::Setting::chosen)
    setting = controls.choice("setting", std::move(settings), 0, "example");
  limit = controls.slider("limit", steps_by(128, 1024, 32), kept_first ? 608 : 1024, "example", "MiB") * mib;
  if (plan_choice == 0) plan = training_plan();
  if (plan_choice == 1) plan = growing_plan();
  if (plan_choice == 2) {
    const std::int64_t batches = controls.slider("batches", steps_by(1, 10, 1), 8, "example");
    const std::int64_t batch = controls.slider("batch", steps_by(12, 96, 4), 64, "example", "MiB");
    const std::int64_t kept = controls.slider("kept", steps_by(4, 96, 4), 40, "example", "MiB");
    wanted = controls.slider("wanted", steps_by(8, 512, 8), 104, "example", "MiB") * mib;
    plan = kept_plan(batches, batch * mib, kept * mib, wanted);
  }
  if (plan_choice == 3) plan = own_plan();
  shots = run_plan(plan, with_limit(allocator_settings[setting].rules, limit));
  // Until a step is chosen, the beat's motion goes to the last one at which most is in use.
  std::size_t fullest = 0;
  for (std::size_t i = 0; i < shots.size(); ++i)
    if (shots[i].allocated >= shots[fullest].allocated) fullest = i;
  const auto usual = static_cast<std::int64_t>(fullest + 1);
  steps = static_cast<std::size_t>(
      controls.slider("step", steps_by(1, static_cast<double>(plan.size()), 1), usual, "most_in_use"));
  if (!start.by_step) {
    steps = plan.size();
  } else if (!input.set(name, "step")) {
    const double shown = std::clamp(input.moment.phase / 0.9, 0.0, 1.0);
    steps = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(shown * static_cast<double>(usual))));
  }
}

void AllocatorLab::make_snapshot(const AllocatorStart& start) {
  const std::vector<std::int64_t> devices = snapshot_devices(input.trace, *snapshot);
  std::size_t chosen = 0;
  if (devices.size() > 1) {
    std::vector<std::string> words;
    for (const std::int64_t one : devices) words.push_back(fmt::to_string(one));
    chosen = controls.choice("device", std::move(words), 0, "snapshot");
  }
  device = devices[chosen];
  const std::size_t all = input.trace.memory.size();
  const std::size_t every = std::max<std::size_t>(1, (all + most_history_stops - 1) / most_history_stops);
  for (std::size_t at = 0; at < all; at += every) stops.push_back(static_cast<double>(at));
  stops.push_back(static_cast<double>(all));
  entries = all;
  if (all > 0) {
    const std::int64_t set = controls.slider("entry", stops, static_cast<std::int64_t>(all), "end");
    if (start.by_entry) entries = static_cast<std::size_t>(set);
  }
  if (start.outer_frames)
    callers = static_cast<std::size_t>(controls.slider("callers", steps_by(0, 6, 1), 0, "innermost"));
  if (start.at_refusal) refusal = last_refusal(input.trace, *snapshot, device);
  held = refusal ? refusal->held : held_at(input.trace, *snapshot, device, entries);
  if (held.segments.empty()) return;
  // The largest block in use, until another one is chosen.
  std::size_t largest_segment = 0, largest_block = 0;
  std::int64_t largest = -1;
  for (std::size_t s = 0; s < held.segments.size(); ++s)
    for (std::size_t b = 0; b < held.segments[s].blocks.size(); ++b)
      if (const auto& one = held.segments[s].blocks[b];
          one.state != MemorySnapshot::State::inactive && one.bytes > largest) {
        largest = one.bytes;
        largest_segment = s;
        largest_block = b;
      }
  segment = static_cast<std::size_t>(controls.pointed("segment", static_cast<std::int64_t>(held.segments.size()) - 1,
                                                      static_cast<std::int64_t>(largest_segment)));
  const auto blocks = static_cast<std::int64_t>(held.segments[segment].blocks.size());
  block = static_cast<std::size_t>(
      controls.pointed("block", std::max<std::int64_t>(0, blocks - 1),
                       segment == largest_segment ? static_cast<std::int64_t>(largest_block) : 0));
}

const MemorySnapshot::Block* AllocatorLab::followed() const {
  if (held.segments.empty() || held.segments[segment].blocks.empty()) return nullptr;
  return &held.segments[segment].blocks[block];
}

}  // namespace warpwalk::story::allocator_lab
