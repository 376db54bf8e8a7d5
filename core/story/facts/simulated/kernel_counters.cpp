// The counters of a kernel's record: requests, sectors, wavefronts, instructions. None of them needs a time.
#include "core/story/facts/simulated/kernel_counters.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/slices.h"
#include "core/run/record/scaled_figures.h"
#include "core/story/facts/launch/launch_plan.h"

namespace warpwalk::story {
namespace {

constexpr double warp_lanes = 32;

using Counters = std::span<const trace::NamedCounter>;

Counters recorded(const SceneInput& input) {
  const trace::KernelRecord* record = kernel_record(input.trace, input.walk);
  return record == nullptr ? Counters() : Counters(record->counters);
}

const trace::NamedCounter* counter_of(Counters counters, std::string_view name) {
  for (const trace::NamedCounter& counter : counters)
    if (counter.name == name && counter.value >= 0) return &counter;
  return nullptr;
}

double value_of(Counters counters, std::string_view name) {
  const trace::NamedCounter* counter = counter_of(counters, name);
  return counter == nullptr ? 0 : counter->value;
}
double value_of(const SceneInput& input, std::string_view name) { return value_of(recorded(input), name); }

std::string whole(double value) { return Figure::derived(value, Unit::count, "-").text(); }

// Whole numbers are written without decimals; others with one, or with more if one would round to a whole number.
std::string mean(double value) {
  if (std::floor(value) == value) return whole(value);
  std::string text = with_marks(fmt::format("{:.1f}", value));
  for (int decimals = 2; decimals <= 4 && text.ends_with("0"); ++decimals)
    text = with_marks(fmt::format("{:.{}f}", value, decimals));
  return text;
}

/// Builds lines with the narration's words.
class Lines {
 public:
  Lines(const Narration& narration, Counters counters) : narration_(narration), counters_(counters) {}

  std::string word(std::string_view key, std::string_view which, const Narration::Values& values = {}) const {
    return narration_.text(fmt::format("counted.{}", key), which, values);
  }
  double value(std::string_view key) const { return value_of(counters_, key); }
  bool has(std::string_view key) const { return counter_of(counters_, key) != nullptr; }
  bool add(std::string_view key) {
    const trace::NamedCounter* counter = counter_of(counters_, key);
    if (counter == nullptr) return false;
    lines_.push_back({std::string(key), word(key, "label"), word(key, "note"), figure(*counter), {}, {}, 1, false});
    return true;
  }
  /// Adds a ratio to the line that was added last.
  void each(std::string_view key, const Narration::Values& values) {
    lines_.back().each_label = word(key, "each_label");
    lines_.back().each = Figure::derived(word(key, "each", values), word(key, "formula"));
  }
  std::vector<CountedLine> take() { return std::move(lines_); }

 private:
  /// Counters of a launch that the host computed are scaled from a sample of its blocks.
  Figure figure(const trace::NamedCounter& counter) const {
    const double some = value("sampled_blocks");
    if (some == 0) return Figure::recorded(counter.value, Unit::count, counter.origin);
    const Narration::Values values{{"some", whole(some)}, {"all", whole(value("sampled_blocks_of"))}};
    return Figure::derived(counter.value, Unit::count, narration_.text("counted.scaled", "formula", values));
  }

  const Narration& narration_;
  const Counters counters_;
  std::vector<CountedLine> lines_;
};

void add_instructions(Lines& lines) {
  lines.add("warp_instructions");
  const double warps = lines.value("warp_instructions");
  if (lines.add("thread_instructions") && warps > 0)
    lines.each("thread_instructions", {{"n", mean(lines.value("thread_instructions") / warps)}});
}

void add_global(Lines& lines) {
  for (const auto& [requests, sectors] : {std::pair{"global_load_requests", "global_load_sectors"},
                                          std::pair{"global_store_requests", "global_store_sectors"}})
    if (lines.add(requests) && lines.has(sectors) && lines.value(requests) > 0)
      lines.each(requests, {{"n", mean(lines.value(sectors) / lines.value(requests))}});
}

double wavefronts(Counters counters) {
  return value_of(counters, "shared_load_wavefronts") + value_of(counters, "shared_store_wavefronts");
}

}  // namespace

std::vector<CountedLine> counted_lines(const Narration& narration, std::span<const trace::NamedCounter> counters,
                                       CountedGroup group) {
  Lines lines(narration, counters);
  switch (group) {
    case CountedGroup::instructions: add_instructions(lines); break;
    case CountedGroup::global: add_global(lines); break;
    case CountedGroup::shared:
      if (wavefronts(counters) <= 0) break;
      for (const char* key : {"shared_load_wavefronts", "shared_store_wavefronts", "shared_bank_conflicts"})
        lines.add(key);
      break;
  }
  return lines.take();
}

std::vector<CountedLine> counted_lines(const SceneInput& input, CountedGroup group) {
  return counted_lines(input.narration, recorded(input), group);
}

void add_scaled_notes(const SceneInput& input, Stage& stage) {
  const trace::KernelRecord* const record = kernel_record(input.trace, input.walk);
  if (record == nullptr) return;
  const run::ScaledFigures scaled = run::scaled_figures(*record);
  const auto add = [&](std::string_view which, std::uint64_t some) {
    if (some != 0)
      stage.missing.push_back(input.narration.text(
          "counted.scaled", which,
          {{"some", whole(static_cast<double>(some))}, {"all", whole(static_cast<double>(scaled.blocks))}}));
  };
  add("host", scaled.blocks_simulated);
  add("cycles_blocks", scaled.blocks_timed);
  add("cycles_instructions", scaled.warp_instructions_timed);
  add("cycles_earlier", scaled.cycles_of);
}

void counted_facts(const SceneInput& input, CountedGroup group, Stage& stage) {
  add_scaled_notes(input, stage);
  for (CountedLine& line : counted_lines(input, group)) {
    stage.facts.push_back({std::move(line.label), std::move(line.count)});
    if (line.each) stage.facts.push_back({std::move(line.each_label), std::move(*line.each)});
  }
}

std::optional<Figure> instructions_a_block(const SceneInput& input) {
  const trace::KernelDetail* kernel = kernel_detail(input.trace, input.walk);
  if (kernel == nullptr || counter_of(recorded(input), "warp_instructions") == nullptr) return {};
  const std::optional<std::uint64_t> blocks = analysis::blocks_of(kernel->grid);
  if (!blocks) return {};
  return Figure::derived(mean(value_of(input, "warp_instructions") / static_cast<double>(*blocks)),
                         input.narration.text("counted.warp_instructions", "block_formula"));
}

void add_counted_values(const SceneInput& input, Narration::Values& values) {
  const auto put = [&](std::string_view key, std::string text) { values[std::string(key)] = std::move(text); };
  const double warps = value_of(input, "warp_instructions");
  put("warp_instructions", whole(warps));
  if (warps > 0) put("lanes_active", mean(value_of(input, "thread_instructions") / warps));
  const double loads = value_of(input, "global_load_requests"), stores = value_of(input, "global_store_requests");
  put("loads", whole(loads));
  put("stores", whole(stores));
  if (loads + stores > 0)
    put("sectors_each",
        mean((value_of(input, "global_load_sectors") + value_of(input, "global_store_sectors")) / (loads + stores)));
  put("wavefronts", whole(wavefronts(recorded(input))));
  put("conflicts", whole(value_of(input, "shared_bank_conflicts")));
}

std::string_view counted_variant(const SceneInput& input, CountedGroup group) {
  switch (group) {
    case CountedGroup::instructions:
      return value_of(input, "thread_instructions") == warp_lanes * value_of(input, "warp_instructions") ? "full" : "";
    case CountedGroup::global: return "";
    case CountedGroup::shared: return value_of(input, "shared_bank_conflicts") > 0 ? "" : "free";
  }
  return "";
}

}  // namespace warpwalk::story
