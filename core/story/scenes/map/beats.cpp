// Scene 8: the map back. The company turns into the hardware, and a receipt shows where the time went.
#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/slices.h"
#include "core/run/replay/history.h"
#include "core/story/elements/walk.h"
#include "core/story/facts/simulated/kernel_cycles.h"
#include "core/story/scenes/map/map.h"
#include "core/story/scenes/scenes.h"

namespace warpwalk::story {
namespace {

// A compiled op launches its kernel without PyTorch's dispatcher.
bool is_compiled_call(const MapSubject& s) {
  return std::ranges::any_of(s.walk().ops, [&](SliceId op) { return s.trace().name(op).starts_with("triton_"); });
}

std::string cpu_section(const MapSubject& s) {
  if (s.receipt->overhead > s.receipt->cpu() / 10) return "cpu.overhead";
  return is_compiled_call(s) ? "cpu.compiled" : "cpu";
}

std::string launch_section(const MapSubject& s) {
  if (s.receipt->skewed()) return "launch.skew";
  if (shares_launch(*s.receipt, s.call)) return "launch.graph";
  return s.receipt->launch_end > s.receipt->kernel_start ? "launch.overlap" : "launch";
}

// The model starts a kernel that need not wait as soon as its launch call returns.
bool starts_modelled(const MapSubject& s) {
  const Receipt& receipt = *s.receipt;
  return s.trace().records.time_origin() == Origin::simulated && receipt.ahead.count == 0 &&
         receipt.kernel_start >= receipt.launch_end && receipt.queue() < clock_accuracy;
}

std::string queue_section(const MapSubject& s) {
  const Receipt& receipt = *s.receipt;
  constexpr std::int64_t usual = 20000;  // ns; a launch without waiting takes a few thousand
  if (starts_modelled(s)) return "queue.modelled";
  if (receipt.queue() == 0) return "queue.none";
  if (receipt.ahead.count > 0) return receipt.ahead.count > 1 ? "queue.behind.many" : "queue.behind";
  if (receipt.queue() > usual) return "queue.unexplained";
  return receipt.queue() < clock_accuracy ? "queue.together" : "queue";
}

// The verdict. The profiler's own work must not decide it.
std::string total_section(const MapSubject& s) {
  const Receipt& receipt = *s.receipt;
  if (receipt.skewed()) return "total.skew";
  if (shares_launch(receipt, s.call)) return "total.graph";
  std::string section = s.walk().gpu_pieces > 1 ? "total.pieces" : "total";
  constexpr std::int64_t worth_saying = 20;  // a twentieth of the total
  if (2 * receipt.kernel() >= receipt.total()) return section + ".kernel";
  // Most of the time, the GPU did what was queued before: more ops queued ahead would only make this one wait longer.
  if (receipt.ahead.count > 0 && 2 * receipt.queue() >= receipt.total()) return "total.queued";
  if (receipt.overhead > receipt.total() / worth_saying)
    return section + (2 * receipt.kernel() >= without_profiler(receipt) ? ".overhead.kernel" : ".overhead");
  if (s.walk().gpu_pieces <= 1 && first_launch_of(s.trace(), s.walk()) && 2 * receipt.launch() >= receipt.total())
    return "total.first";
  return section;
}

template <CountedGroup group>
std::string counter_section(const MapSubject& s) {
  constexpr std::string_view sections[] = {"instructions", "global", "shared"};
  const std::string_view section = sections[static_cast<std::size_t>(group)];
  const std::string_view variant = counted_variant(s.input, group);
  return variant.empty() ? std::string(section) : fmt::format("{}.{}", section, variant);
}

void station_facts(const MapSubject& s, FactWriter& facts) {
  for (const Station& station : s.picture.stations)
    if (!station.value.empty())
      facts.named(station.hardware, station.formula.empty() ? Figure::recorded(station.value, station.origin)
                                                            : Figure::derived(station.value, station.formula));
}

void missing_if_skewed(const MapSubject& s, FactWriter& facts) {
  if (s.receipt && s.receipt->skewed()) facts.missing("skew");
}

void fold_facts(const MapSubject& s, FactWriter& facts) {
  missing_if_skewed(s, facts);
  station_facts(s, facts);
}

void map_line_facts(const MapSubject& s, FactWriter& facts) {
  for (const ReceiptLine& line : s.picture.lines) {
    if (line.shown <= 0) continue;
    facts.named(line.label, *line.time);
    if (line.role == Role::op && s.receipt->overhead > 0) facts.difference("profiler", s.receipt->overhead);
  }
}

void part_facts(const MapSubject& s, FactWriter& facts) {
  map_line_facts(s, facts);
  missing_if_skewed(s, facts);
}

void kernel_facts(const MapSubject& s, FactWriter& facts) {
  part_facts(s, facts);
  cycle_facts(s.input, facts.stage());
}

void total_facts(const MapSubject& s, FactWriter& facts) {
  const Receipt& receipt = *s.receipt;
  map_line_facts(s, facts);
  facts.fact("total", *s.picture.total);
  if (!receipt.skewed() && !shares_launch(receipt, s.call)) {
    facts.derived("share", percent_of(receipt.kernel(), receipt.total()), Unit::percent);
    if (receipt.overhead > 0)
      facts.derived("share_without", percent_of(receipt.kernel(), without_profiler(receipt)), Unit::percent);
  }
  if (s.input.history.timing == nullptr && s.trace().records.time_origin() != Origin::simulated)
    facts.missing("simulated");
  missing_if_skewed(s, facts);
}

void last_facts(const MapSubject& s, FactWriter& facts) {
  missing_if_skewed(s, facts);
  simulated_facts(s, facts);
}

// Without a receipt: the desks alone.
void empty_facts(const MapSubject& s, FactWriter& facts) {
  facts.missing("receipt_empty");
  station_facts(s, facts);
}

void map_nothing_facts(const MapSubject& s, FactWriter& facts) {
  facts.missing("receipt_nothing");
  station_facts(s, facts);
}

void map_unlaunched_facts(const MapSubject& s, FactWriter& facts) {
  facts.missing("receipt_unlaunched");
  station_facts(s, facts);
}

void desks_picture(const MapSubject& s, Stage& stage) { show_receipt(s.picture, stage); }

void fold_picture(const MapSubject& s, Stage& stage) {
  ReceiptPicture picture = s.picture;
  if (s.input.naming == Naming::both)
    for (Station& station : picture.stations) station.folded = eased(s.input.moment.phase);
  show_receipt(std::move(picture), stage);
}

// The tasks of the desks make room for the receipt.
ReceiptPicture without_tasks(const MapSubject& s) {
  ReceiptPicture picture = s.picture;
  for (Station& station : picture.stations) station.task.clear();
  return picture;
}

void lines_picture(const MapSubject& s, Stage& stage) { show_receipt(without_tasks(s), stage); }

void total_picture(const MapSubject& s, Stage& stage) {
  ReceiptPicture picture = without_tasks(s);
  picture.total_shown = eased(s.input.moment.phase);
  show_receipt(std::move(picture), stage);
}

// Before the answer, the kernel's line and all shares are left out.
std::optional<Ask> share_question(const MapSubject& s) {
  if (s.receipt->skewed() || shares_launch(*s.receipt, s.call)) return {};
  const double share = percent_of(s.receipt->kernel(), s.receipt->total());
  return Ask{"share", "", range_options(s.input.narration, share, {10, 25, 50, 75}, "%"), {}, [&s](Stage& stage) {
               ReceiptPicture picture = without_tasks(s);
               for (ReceiptLine& line : picture.lines) line.share.reset();
               picture.lines.back().shown = 0;
               show_receipt(std::move(picture), stage);
             }};
}

void complete_map(MapSubject& s, const Narration::Values&, Stage& stage) {
  if (!s.untimed || s.input.naming == Naming::company) return;
  const std::string hardware = s.input.narration.text("map", "hardware.untimed");
  stage.scene_label = s.input.naming == Naming::hardware
                          ? hardware
                          : fmt::format("{}: {}", s.input.narration.text("map", "company"), hardware);
}

Narration::Values map_values(const MapSubject& s) { return s.values; }

constexpr Frame<MapSubject, ReceiptReach> map_frame = {
    .subject = map_subject, .values = map_values, .complete = complete_map};
constexpr Frame<MapSubject, ReceiptReach> closing_frame = {.subject = map_subject, .values = map_values};

using Anchor = std::optional<std::int64_t>;

// A time of the receipt.
template <std::int64_t Receipt::*time>
Anchor receipt_anchor(const WalkTimes& t) {
  if (!t.receipt()) return {};
  return analysis::since_start(t.trace, *t.receipt().*time);
}

Anchor fold_anchor(const WalkTimes& t) { return t.untimed_launch() ? 0 : receipt_anchor<&Receipt::op_start>(t); }

Anchor cpu_anchor(const WalkTimes& t) { return has_op(t.walk) ? receipt_anchor<&Receipt::op_start>(t) : Anchor(); }

Anchor map_queue_anchor(const WalkTimes& t) {
  if (!t.receipt() || t.receipt()->skewed()) return {};
  return analysis::since_start(t.trace, t.receipt()->kernel_start - t.receipt()->queue());
}

template <CountedGroup group>
Anchor counter_anchor(const WalkTimes& t) {
  if (!t.untimed_launch() || !was_counted(t.trace, t.walk, group)) return {};
  return 0;
}

bool was_anything_counted(const WalkTimes& t) {
  static constexpr CountedGroup groups[] = {CountedGroup::instructions, CountedGroup::global, CountedGroup::shared};
  return std::ranges::any_of(groups, [&](CountedGroup group) { return was_counted(t.trace, t.walk, group); });
}

Anchor counted_anchor(const WalkTimes& t) {
  if (!t.untimed_launch() || !was_anything_counted(t)) return {};
  return 0;
}

Anchor untimed_anchor(const WalkTimes& t) {
  if (!t.untimed_launch() || was_anything_counted(t)) return {};
  return 0;
}

// After the receipt; none without one.
Anchor after_receipt(const WalkTimes& t) {
  if (t.untimed_launch()) return 0;
  if (!t.receipt()) return {};
  return std::max(t.end_of_trace(), analysis::since_start(t.trace, t.receipt()->kernel_end));
}

Anchor simulated_anchor(const WalkTimes& t) {
  if (!ends_simulated(t.trace, t.walk)) return {};
  return after_receipt(t);
}

Anchor gpu_anchor(const WalkTimes& t) {
  if (kernel_detail(t.trace, t.walk) == nullptr) return {};
  return after_receipt(t);
}

bool without_receipt(const WalkTimes& t) { return !t.untimed_launch() && !t.receipt(); }

Anchor map_nothing_anchor(const WalkTimes& t) {
  if (!without_receipt(t) || t.walk.empty() || t.walk.kernel != no_slice) return {};
  return 0;
}

Anchor map_unlaunched_anchor(const WalkTimes& t) {
  if (!without_receipt(t) || t.walk.kernel == no_slice) return {};
  return 0;
}

Anchor closing_anchor(const WalkTimes& t) {
  if (t.walk.empty()) return {};
  return t.end_of_trace();
}

constexpr MapBeat map_empty_beat = {
    .key = "empty", .anchor = empty_anchor, .facts = empty_facts, .picture = desks_picture};
constexpr MapBeat map_nothing_beat = {
    .key = "nothing", .anchor = map_nothing_anchor, .stop = "op", .facts = map_nothing_facts, .picture = desks_picture};
constexpr MapBeat map_unlaunched_beat = {
    .key = "unlaunched", .anchor = map_unlaunched_anchor, .facts = map_unlaunched_facts, .picture = desks_picture};
constexpr MapBeat map_fold_beat = {
    .key = "fold", .anchor = fold_anchor, .facts = fold_facts, .picture = fold_picture, .more = {.started = false}};
constexpr MapBeat cpu_beat = {.key = "cpu",
                              .anchor = cpu_anchor,
                              .stop = "op",
                              .section = cpu_section,
                              .facts = part_facts,
                              .picture = lines_picture,
                              .more = {.line = ReceiptPart::cpu}};
constexpr MapBeat map_launch_beat = {.key = "launch",
                                     .anchor = receipt_anchor<&Receipt::launch_start>,
                                     .stop = "driver",
                                     .section = launch_section,
                                     .facts = part_facts,
                                     .picture = lines_picture,
                                     .more = {.line = ReceiptPart::launch}};
constexpr MapBeat map_queue_beat = {.key = "queue",
                                    .anchor = map_queue_anchor,
                                    .stop = "stream",
                                    .section = queue_section,
                                    .facts = part_facts,
                                    .picture = lines_picture,
                                    .more = {.line = ReceiptPart::queue}};
constexpr MapBeat kernel_beat = {.key = "kernel",
                                 .anchor = receipt_anchor<&Receipt::kernel_start>,
                                 .stop = "front_end",
                                 .facts = kernel_facts,
                                 .picture = lines_picture,
                                 .more = {.line = ReceiptPart::kernel}};
constexpr MapBeat total_beat = {.key = "total",
                                .anchor = receipt_anchor<&Receipt::kernel_end>,
                                .first_route = true,
                                .section = total_section,
                                .facts = total_facts,
                                .picture = total_picture,
                                .question = share_question};
constexpr MapBeat instructions_beat = {.key = "instructions",
                                       .anchor = counter_anchor<CountedGroup::instructions>,
                                       .stop = "warp",
                                       .section = counter_section<CountedGroup::instructions>,
                                       .facts = counter_facts,
                                       .picture = lines_picture,
                                       .more = {.group = CountedGroup::instructions}};
constexpr MapBeat global_beat = {.key = "global",
                                 .anchor = counter_anchor<CountedGroup::global>,
                                 .stop = "memory",
                                 .section = counter_section<CountedGroup::global>,
                                 .facts = counter_facts,
                                 .picture = lines_picture,
                                 .more = {.group = CountedGroup::global}};
constexpr MapBeat shared_beat = {.key = "shared",
                                 .anchor = counter_anchor<CountedGroup::shared>,
                                 .stop = "sm",
                                 .section = counter_section<CountedGroup::shared>,
                                 .facts = counter_facts,
                                 .picture = lines_picture,
                                 .more = {.group = CountedGroup::shared}};
constexpr MapBeat counted_beat = {
    .key = "counted", .anchor = counted_anchor, .facts = all_counters_facts, .picture = lines_picture};
constexpr MapBeat untimed_beat = {
    .key = "untimed", .anchor = untimed_anchor, .facts = all_counters_facts, .picture = lines_picture};
constexpr MapBeat simulated_beat = {
    .key = "simulated",
    .anchor = simulated_anchor,
    .needs = Needs::cycles,
    .stop = "warp",
    .section = simulated_section,
    .values = [](const MapSubject& s, Narration::Values& values) { add_history_values(s.input, values); },
    .facts = last_facts,
    .picture = simulated_picture};
constexpr MapBeat gpu_beat = {.key = "gpu",
                              .anchor = gpu_anchor,
                              .needs = Needs::cycles,
                              .stop = "sm",
                              .section = gpu_section,
                              .values = gpu_values,
                              .facts = gpu_facts,
                              .picture = gpu_picture};
constexpr MapBeat closing_beat = {
    .key = "closing", .anchor = closing_anchor, .first_route = true, .motion_seconds = 2.5, .picture = closing_picture};

}  // namespace

const Contents& map_scene() {
  static const BeatTable table(
      "map",
      {framed(map_frame, map_empty_beat), framed(map_frame, map_nothing_beat), framed(map_frame, map_unlaunched_beat),
       framed(map_frame, map_fold_beat), framed(map_frame, cpu_beat), framed(map_frame, map_launch_beat),
       framed(map_frame, map_queue_beat), framed(map_frame, kernel_beat), framed(map_frame, total_beat),
       framed(map_frame, instructions_beat), framed(map_frame, global_beat), framed(map_frame, shared_beat),
       framed(map_frame, counted_beat), framed(map_frame, untimed_beat), framed(map_frame, simulated_beat),
       framed(map_frame, gpu_beat), map_answer_beat(), framed(closing_frame, closing_beat)});
  return table;
}

}  // namespace warpwalk::story
