// Scene 8: the map back. The company turns into the hardware, and a receipt shows where the time went.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "core/analysis/slices.h"
#include "core/run/replay/history.h"
#include "core/story/elements/walk.h"
#include "core/story/facts/launch/launch_call.h"
#include "core/story/facts/launch/receipt.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/facts/simulated/kernel_counters.h"
#include "core/story/facts/simulated/kernel_cycles.h"
#include "core/story/facts/words/ask.h"
#include "core/story/facts/words/common_stage.h"
#include "core/story/facts/words/opening_line.h"
#include "core/story/facts/words/rows.h"
#include "core/story/records/hardware.h"
#include "core/story/scenes/map/map.h"
#include "core/story/scenes/scenes.h"

namespace warpwalk::story {
namespace {

double percent(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? 100 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

// The total without the profiler's own work.
std::int64_t without_profiler(const Receipt& receipt) { return receipt.total() - receipt.overhead; }

// A compiled op launches its kernel without PyTorch's dispatcher.
bool is_compiled(const Trace& trace, const Walk& walk) {
  return std::ranges::any_of(walk.ops, [&](SliceId op) { return trace.name(op).starts_with("triton_"); });
}

// The verdict of the last beat. The profiler's own work must not decide it.
std::string total_variant(const Receipt& receipt, const LaunchCall& call, bool first, std::size_t pieces) {
  if (receipt.skewed()) return "skew";
  if (shares_launch(receipt, call)) return "graph";
  std::string variant = pieces > 1 ? "pieces" : "";
  const auto add = [&](std::string_view word) { variant.append(variant.empty() ? "" : ".").append(word); };
  constexpr std::int64_t worth_saying = 20;  // a twentieth of the total
  if (2 * receipt.kernel() >= receipt.total()) {
    add("kernel");
  } else if (receipt.overhead > receipt.total() / worth_saying) {
    add("overhead");
    if (2 * receipt.kernel() >= without_profiler(receipt)) add("kernel");
  }
  if (variant.empty() && first && 2 * receipt.launch() >= receipt.total()) return "first";
  return variant;
}

// The beats of the receipt, without the closing page.
std::vector<Beat> receipt_beats(const Trace& trace, const Walk& walk) {
  const std::optional<Receipt> receipt = receipt_of(trace, walk);
  const bool kernel = kernel_detail(trace, walk) != nullptr;
  if (is_untimed(trace, walk) && walk.launch != no_slice) {
    std::vector<Beat> beats = counted_beats(trace, walk);
    if (kernel) beats.push_back({"gpu", 0, true});
    return beats;
  }
  if (!receipt) return {{walk.empty() ? "empty" : walk.kernel == no_slice ? "nothing" : "unlaunched", 0}};
  std::vector<Beat> beats = {{"fold", analysis::since_start(trace, receipt->op_start)}};
  if (has_op(walk)) beats.push_back({"cpu", analysis::since_start(trace, receipt->op_start)});
  beats.push_back({"launch", analysis::since_start(trace, receipt->launch_start)});
  if (!receipt->skewed())
    beats.push_back({"queue", analysis::since_start(trace, receipt->kernel_start - receipt->queue())});
  beats.push_back({"kernel", analysis::since_start(trace, receipt->kernel_start)});
  beats.push_back({"total", analysis::since_start(trace, receipt->kernel_end)});
  if (ends_simulated(trace, walk))
    beats.push_back({"simulated", analysis::since_start(trace, std::max(trace.end_ns, receipt->kernel_end)), true});
  if (kernel) beats.push_back({"gpu", analysis::since_start(trace, std::max(trace.end_ns, receipt->kernel_end)), true});
  return in_order(std::move(beats));
}

}  // namespace

std::vector<Beat> map_beats(const Trace& trace, const Walk& walk) {
  std::vector<Beat> beats = receipt_beats(trace, walk);
  if (followed_number(trace, walk, {}) && opening_line(trace, walk))
    beats.push_back({"answer", beats.back().anchor, true});
  if (!walk.empty())
    beats.push_back({"closing", std::max(beats.back().anchor, analysis::since_start(trace, trace.end_ns))});
  return beats;
}

Stage map_back(const SceneInput& input) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  const std::vector<Beat> beats = map_beats(trace, walk);
  const auto index = static_cast<std::size_t>(input.moment.value - 1);
  const std::string& beat = beats[index].key;
  const std::optional<Receipt> receipt = receipt_of(trace, walk);

  Narration::Values values = common_values(input);
  std::string variant;
  if (beat == "answer") return answer_stage(input, beats, std::move(values));
  const bool untimed = is_untimed(trace, walk) && walk.launch != no_slice;
  if (untimed) {
    add_counted_values(input, values);
    variant = counted_beat_variant(input, beat);
  }
  if (receipt) {
    const auto put_time = [&](std::string_view key, std::int64_t ns) {
      values[std::string(key)] = time_text(static_cast<double>(ns));
    };
    put_time("cpu", receipt->cpu());
    put_time("overhead", receipt->overhead);
    put_time("launch", receipt->skewed() ? receipt->launch_end - receipt->launch_start : receipt->launch());
    put_time("queue", receipt->queue());
    const LaunchCall call = launch_call_of(trace, walk);
    const std::optional<FirstLaunch> first = first_launch_of(trace, walk);
    if (first) put_time("usual", first->usual);
    put_time("total", total_of(*receipt, call));
    put_time("early", receipt->launch_end - receipt->kernel_start);
    put_time("skew", receipt->launch_start - receipt->kernel_start);
    if (receipt->overhead_slice != no_slice)
      values["overhead_name"] = analysis::label_of(trace, receipt->overhead_slice);
    add_work_ahead(trace, receipt->ahead, values);
    if (beat == "cpu")
      variant = receipt->overhead > receipt->cpu() / 10 ? "overhead" : is_compiled(trace, walk) ? "compiled" : "";
    if (beat == "launch")
      variant = receipt->skewed()                             ? "skew"
                : shares_launch(*receipt, call)               ? "graph"
                : receipt->launch_end > receipt->kernel_start ? "overlap"
                                                              : "";
    values["nodes"] = counted_words(input.narration, "nodes", call.pieces);
    put_time("launch_each", own_launch(*receipt, call));
    values["share"] = Figure::derived(percent(receipt->kernel(), receipt->total()), Unit::percent, "-").text();
    values["share_without"] =
        Figure::derived(percent(receipt->kernel(), without_profiler(*receipt)), Unit::percent, "-").text();
    constexpr std::int64_t usual = 20000;  // ns; a launch without waiting takes a few thousand
    // The model starts a kernel that need not wait as soon as its launch call returns.
    const bool modelled = trace.records.time_origin() == Origin::simulated && receipt->ahead.count == 0 &&
                          receipt->kernel_start >= receipt->launch_end && receipt->queue() < clock_accuracy;
    if (beat == "queue")
      variant = modelled                            ? "modelled"
                : receipt->queue() == 0             ? "none"
                : receipt->ahead.count > 1          ? "behind.many"
                : receipt->ahead.count == 1         ? "behind"
                : receipt->queue() > usual          ? "unexplained"
                : receipt->queue() < clock_accuracy ? "together"
                                                    : "";
    if (beat == "total") variant = total_variant(*receipt, call, first.has_value(), walk.gpu_pieces);
    values["waiting"] = with_thousands(static_cast<std::int64_t>(receipt->ahead.count));
    values["pieces"] = std::to_string(walk.gpu_pieces);
  }
  if (beat == "simulated") {
    variant = simulated_variant(input);
    add_history_values(input, values);
  }
  if (beat == "gpu") variant = gpu_variant(input, values);
  std::vector<Beat> named = beats;
  if (!variant.empty()) named[index].key += "." + variant;
  Stage stage = common_stage(input, "map", named, values,
                             beat == "cpu" || beat == "nothing" ? "op"
                             : beat == "launch"                 ? "driver"
                             : beat == "queue"                  ? "stream"
                             : beat == "kernel"                 ? "front_end"
                             : beat == "instructions"           ? "warp"
                             : beat == "global"                 ? "memory"
                             : beat == "shared"                 ? "sm"
                             : beat == "simulated"              ? "warp"
                             : beat == "gpu"                    ? "sm"
                                                                : "");

  if (beat == "closing") {
    add_closing(input, values, stage);
    return stage;
  }
  if (untimed && input.naming != Naming::company) {
    const std::string hardware = input.narration.text("map", "hardware.untimed");
    stage.scene_label = input.naming == Naming::hardware
                            ? hardware
                            : fmt::format("{}: {}", input.narration.text("map", "company"), hardware);
  }

  ReceiptPicture picture;
  picture.head_receipt = input.narration.text("map.head", "receipt");
  picture.head_time = input.narration.text("map.head", "time");
  picture.head_share = input.narration.text("map.head", "share");
  picture.word_total = input.narration.text("map.head", "total");
  const bool both = input.naming == Naming::both;
  picture.stations = map_stations(input, both && beat == "fold" ? eased(input.moment.phase) : 1);
  for (Station& station : picture.stations) {
    if (input.naming == Naming::company) station.hardware = station.company;
    if (!both) station.company.clear();
  }
  const bool nothing_simulated =
      beat == "gpu" || (beat == "simulated" && input.history.state != HistoryView::State::ready);
  if ((receipt || untimed) && beat != "fold" && !nothing_simulated)
    for (Station& station : picture.stations) station.task.clear();
  if (receipt) {
    picture.lines = receipt_lines(input, *receipt, beat, input.moment.phase);
    picture.from = analysis::since_start(trace, std::min(receipt->op_start, receipt->kernel_start));
    picture.to = analysis::since_start(trace, std::max(receipt->kernel_end, receipt->launch_end));
    const LaunchCall call = launch_call_of(trace, walk);
    const bool shared = shares_launch(*receipt, call);
    picture.total = Figure::derived(static_cast<double>(total_of(*receipt, call)), Unit::nanoseconds,
                                    shared         ? input.narration.text("map.formula", "total_shared")
                                    : has_op(walk) ? input.narration.text("formula", "total")
                                                   : input.narration.text("map.formula", "total_launch"));
    picture.total_shown = beat == "total" ? eased(input.moment.phase) : 0;
    for (const ReceiptLine& line : picture.lines)
      if (line.shown > 0) {
        stage.facts.push_back({line.label, *line.time});
        if (line.key == "cpu" && receipt->overhead > 0)
          stage.facts.push_back({input.narration.text("fact", "profiler"),
                                 Figure::derived(static_cast<double>(receipt->overhead), Unit::nanoseconds,
                                                 input.narration.text("formula", "profiler", values))});
      }
    if (beat == "kernel") cycle_facts(input, stage);
    if (beat == "total") {
      stage.facts.push_back({input.narration.text("fact", "total"), *picture.total});
      if (!receipt->skewed() && !shared) {
        const auto share = [&](std::string_view key, std::int64_t whole) {
          stage.facts.push_back(
              {input.narration.text("map.fact", key), Figure::derived(percent(receipt->kernel(), whole), Unit::percent,
                                                                      input.narration.text("map.formula", key))});
        };
        share("share", receipt->total());
        if (receipt->overhead > 0) share("share_without", without_profiler(*receipt));
      }
      const bool simulated = input.history.timing != nullptr || trace.records.time_origin() == Origin::simulated;
      if (!simulated) stage.missing.push_back(input.narration.text("missing", "simulated"));
    }
    if (receipt->skewed()) stage.missing.push_back(input.narration.text("missing", "skew", values));
  } else if (untimed) {
    add_counted_beat(input, beats, beat, stage, picture);
  } else {
    stage.missing.push_back(input.narration.text("missing", "receipt_" + beat));
  }
  if (beat == "fold" || (!receipt && !untimed)) {
    for (const Station& station : picture.stations)
      if (!station.value.empty())
        stage.facts.push_back({station.hardware, station.formula.empty()
                                                     ? Figure::recorded(station.value, station.origin)
                                                     : Figure::derived(station.value, station.formula)});
  }
  if (beat == "simulated") add_simulated_beat(input, stage, picture);
  if (beat == "gpu") add_gpu_beat(input, !ends_simulated(trace, walk), stage, picture);
  // The whole GPU is drawn in place of the receipt.
  if (!std::holds_alternative<std::monostate>(stage.picture)) return stage;
  if (beat != "total" || receipt->skewed() || shares_launch(*receipt, launch_call_of(trace, walk))) {
    stage.picture = std::make_shared<const ReceiptPicture>(std::move(picture));
    return stage;
  }
  // Before the answer, the kernel's line and all shares are left out.
  ReceiptPicture before = picture;
  before.total_shown = 0;
  for (ReceiptLine& line : before.lines) {
    line.share.reset();
    if (line.key == "kernel") line.shown = 0;
  }
  stage.picture = std::make_shared<const ReceiptPicture>(std::move(picture));
  ask(input, values,
      {"share",
       "",
       range_options(input.narration, percent(receipt->kernel(), receipt->total()), {10, 25, 50, 75}, "%"),
       {},
       [&](Stage& asked) { asked.picture = std::make_shared<const ReceiptPicture>(std::move(before)); }},
      stage);
  return stage;
}

}  // namespace warpwalk::story
