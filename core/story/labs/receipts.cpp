// Lab: the receipts of two launches side by side, over one axis of time.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/analysis/slices.h"
#include "core/records/hardware.h"
#include "core/story/facts/words/rows.h"
#include "core/story/labs/lab_parts.h"
#include "core/story/scenes/map/map.h"
#include "core/words/time_column.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view receipts_name = "lab/receipts";
constexpr std::string_view receipt_words = "lab/receipts.word";

/// A launch with its receipt.
struct Paid {
  std::string label;  ///< "relu 3": the kernel's name and its number
  std::vector<ReceiptLine> lines;
  std::int64_t total = 0;  ///< ns
};

std::optional<Paid> paid_by(const SceneInput& input, const Walk& walk) {
  const std::optional<Receipt> receipt = receipt_of(input.trace, walk);
  if (!receipt || receipt->skewed() || walk.kernel == no_slice) return {};
  const SceneInput there = {.trace = input.trace,
                            .walk = walk,
                            .narration = input.narration,
                            .hardware = input.hardware,
                            .moment = input.moment,
                            .naming = input.naming};
  Paid paid;
  paid.label = analysis::label_of(input.trace, walk.kernel);
  if (input.trace.slices.kind[walk.kernel] == trace::SliceKind::kernel)
    paid.label += fmt::format(" {}", number_of(input.trace, walk.kernel));
  paid.lines = receipt_lines(there, *receipt, {}, 1);
  paid.total = total_of(*receipt, launch_call_of(input.trace, walk));
  return paid;
}

Walk walk_of_kernel(const Trace& trace, std::size_t number) { return *follow(trace, fmt::format("kernel:{}", number)); }

/// The kernel to compare with at first: the next launch of the same kernel, else the next kernel; the first ones come
/// after the last. The trace has at least two kernels.
std::size_t usual_other(const Trace& trace, SliceId followed) {
  if (trace.slices.kind[followed] != trace::SliceKind::kernel) return 0;
  const std::size_t kernels = trace.kernel_order.size(), own = number_of(trace, followed);
  for (std::size_t i = 1; i < kernels; ++i)
    if (const std::size_t other = (own + i) % kernels;
        trace.slices.name[trace.kernel_order[other]] == trace.slices.name[followed])
      return other;
  return (own + 1) % kernels;
}

RowGroup bars_of(const Paid& paid) {
  Row row;
  std::int64_t at = 0;  // both begin at 0, so that lengths can be compared
  for (const ReceiptLine& line : paid.lines) {
    const auto length = static_cast<std::int64_t>(line.time->value());
    row.bars.push_back({no_slice, line.label, at, at + length, line.role, false, 1});
    at += length;
  }
  return {paid.label, {std::move(row)}};
}

const ReceiptLine* line_of(const Paid& paid, std::string_view key) {
  const auto found = std::ranges::find(paid.lines, key, &ReceiptLine::key);
  return found == paid.lines.end() ? nullptr : &*found;
}

std::int64_t time_of(const ReceiptLine* line) {
  return line == nullptr ? 0 : static_cast<std::int64_t>(line->time->value());
}

// With a sign, in the unit of the column.
std::string difference_text(const words::TimeColumn& column, std::int64_t ns) {
  return (ns > 0 ? "+" : ns < 0 ? "−" : "") + column.text(std::abs(ns));
}

constexpr std::string_view parts[] = {"cpu", "launch", "queue", "kernel"};

/// The part that differs most; one that at least one of the two has.
std::string_view largest_difference(const Paid& a, const Paid& b) {
  return *std::ranges::max_element(parts, {}, [&](std::string_view key) {
    const ReceiptLine *const left = line_of(a, key), *const right = line_of(b, key);
    return left == nullptr && right == nullptr ? -1 : std::abs(time_of(left) - time_of(right));
  });
}

TablePicture table_of(const SceneInput& input, const Paid& a, const Paid& b) {
  const auto word = [&](std::string_view key) { return input.narration.text(receipt_words, key); };
  TablePicture table;
  table.columns = {{word("part"), 4},  {a.label, 3, true},       {word("share"), 2, true},
                   {b.label, 3, true}, {word("share"), 2, true}, {word("difference"), 3, true}};
  const std::string_view most = largest_difference(a, b);
  std::int64_t largest = std::abs(b.total - a.total);
  for (const std::string_view key : parts)
    largest = std::max(largest, std::abs(time_of(line_of(b, key)) - time_of(line_of(a, key))));
  const words::TimeColumn column(largest);
  for (const std::string_view key : parts) {
    const ReceiptLine *const left = line_of(a, key), *const right = line_of(b, key);
    if (left == nullptr && right == nullptr) continue;
    std::vector<TableCell> cells = {word_cell((left != nullptr ? left : right)->label)};
    for (const ReceiptLine* const line : {left, right}) {
      cells.push_back(line != nullptr ? figure_cell(*line->time) : word_cell("–"));
      cells.push_back(line != nullptr && line->share ? figure_cell(*line->share) : word_cell("–"));
    }
    cells.push_back(figure_cell(
        Figure::derived(difference_text(column, time_of(right) - time_of(left)), word("difference_formula"))));
    table.rows.push_back({std::move(cells), key == most});
  }
  const auto total = [&](const Paid& paid) {
    return figure_cell(Figure::derived(static_cast<double>(paid.total), Unit::nanoseconds, word("total_formula")));
  };
  table.rows.push_back(
      {{word_cell(word("total")), total(a), word_cell(""), total(b), word_cell(""),
        figure_cell(Figure::derived(difference_text(column, b.total - a.total), word("difference_formula")))}});
  return table;
}

// The receipt of the followed launch, and that of the launch chosen by the control.
struct Receipts {
  const SceneInput& input;
  ControlSet controls{input, receipts_name};
  std::optional<Paid> own, other;
  std::string other_name;

  explicit Receipts(const SceneInput& in) : input(in), own(paid_by(in, in.walk)) {
    const auto& kernels = input.trace.kernel_order;
    if (!own || kernels.size() < 2) return;
    std::vector<double> numbers(kernels.size());
    std::iota(numbers.begin(), numbers.end(), 0.0);
    const std::int64_t chosen = controls.slider(
        "other", std::move(numbers), static_cast<std::int64_t>(usual_other(input.trace, input.walk.kernel)), "next");
    other = paid_by(input, walk_of_kernel(input.trace, static_cast<std::size_t>(chosen)));
    other_name =
        fmt::format("{} {}", analysis::label_of(input.trace, kernels[static_cast<std::size_t>(chosen)]), chosen);
  }
};

std::string receipts_section(const Receipts& r) {
  if (!r.own) return "none";
  if (r.input.trace.kernel_order.size() < 2) return "alone";
  if (!r.other) return "unknown";
  const std::int64_t difference = r.other->total - r.own->total;
  return difference > 0 ? "compare.longer" : difference < 0 ? "compare.shorter" : "compare.equal";
}

Narration::Values receipts_values(const Receipts& r) {
  Narration::Values values;
  if (!r.other_name.empty()) values["other"] = r.other_name;
  if (!r.own) return values;
  values["own"] = r.own->label;
  values["own_time"] = time_text(static_cast<double>(r.own->total));
  if (!r.other) return values;
  values["other_time"] = time_text(static_cast<double>(r.other->total));
  values["difference"] = time_text(static_cast<double>(std::abs(r.other->total - r.own->total)));
  const std::string_view most = largest_difference(*r.own, *r.other);
  const ReceiptLine *const own = line_of(*r.own, most), *const other = line_of(*r.other, most);
  values["part"] = (own != nullptr ? own : other)->label;
  const std::int64_t part = time_of(other) - time_of(own);
  values["part_difference"] = r.input.narration.text(receipt_words, part < 0 ? "less" : "more",
                                                     {{"time", time_text(static_cast<double>(std::abs(part)))}});
  return values;
}

void receipts_facts(const Receipts& r, FactWriter& facts) {
  if (!r.own || !r.other) return;
  facts.derived("own", time_text(static_cast<double>(r.own->total)));
  facts.derived("other", time_text(static_cast<double>(r.other->total)));
  facts.derived("ratio",
                with_marks(fmt::format("{:.2f}", static_cast<double>(r.other->total) /
                                                     static_cast<double>(std::max<std::int64_t>(1, r.own->total)))));
}

PanelRows receipts_panels(const Receipts& r) {
  if (!r.own || !r.other) return {};
  TimelinePicture bars;
  bars.to = static_cast<double>(std::max({r.own->total, r.other->total, std::int64_t{1}}));
  bars.groups = {bars_of(*r.own), bars_of(*r.other)};
  bars.scale_note = r.input.narration.text(receipt_words, "scale");
  return {{1, {{{}, 1, std::move(bars)}}}, {1, {{{}, 1, table_of(r.input, *r.own, *r.other)}}}};
}

constexpr Frame<Receipts> receipts_frame = {.subject = [](const Here& here) { return Receipts(here.input); },
                                            .stop = "op",
                                            .values = receipts_values,
                                            .facts = receipts_facts,
                                            .complete = take_controls};
constexpr BeatOf<Receipts> receipts_beats[] = {
    {.key = "compare", .section = receipts_section, .panels = receipts_panels}};

}  // namespace

const Contents& receipts_lab() {
  static const BeatTable table(receipts_name, receipts_frame, receipts_beats);
  return table;
}

}  // namespace warpwalk::story
