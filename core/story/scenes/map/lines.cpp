#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/slices.h"
#include "core/story/facts/words/common_stage.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/map/map.h"

namespace warpwalk::story {

bool shares_launch(const Receipt& receipt, const LaunchCall& call) {
  return call.graph && call.pieces > 1 && !receipt.skewed();
}
std::int64_t own_launch(const Receipt& receipt, const LaunchCall& call) {
  return shares_launch(receipt, call) ? receipt.launch() / static_cast<std::int64_t>(call.pieces) : receipt.launch();
}
std::int64_t total_of(const Receipt& receipt, const LaunchCall& call) {
  return receipt.total() - receipt.launch() + own_launch(receipt, call);
}

std::int64_t without_profiler(const Receipt& receipt) { return receipt.total() - receipt.overhead; }

bool has_op(const Walk& walk) { return !walk.ops.empty(); }

std::vector<ReceiptLine> receipt_lines(const SceneInput& input, const Receipt& receipt, const ReceiptReach& reach,
                                       double phase) {
  const Trace& trace = input.trace;
  const LaunchCall call = launch_call_of(trace, input.walk);
  const auto total = static_cast<double>(total_of(receipt, call));
  std::vector<ReceiptLine> lines;
  Narration::Values values = common_values(input);
  values["n"] = std::to_string(call.pieces);
  values["nodes"] = counted_words(input.narration, "nodes", call.pieces);
  const auto formula_text = [&](std::string_view key) { return input.narration.text("formula", key); };
  const auto add = [&](ReceiptPart part, std::int64_t start, std::int64_t ns, Role role, std::string formula) {
    constexpr std::string_view keys[] = {"cpu", "launch", "queue", "kernel"};
    ReceiptLine line;
    line.key = keys[static_cast<std::size_t>(part)];
    line.label = input.narration.text(fmt::format("map.line.{}", line.key), "label", values);
    line.note = input.narration.text(fmt::format("map.line.{}", line.key), "note", values);
    line.start = analysis::since_start(trace, start);
    line.end = line.start + ns;
    line.role = role;
    line.time = formula.empty()
                    ? Figure::recorded(static_cast<double>(ns), Unit::nanoseconds, trace.records.time_origin())
                    : Figure::derived(static_cast<double>(ns), Unit::nanoseconds, std::move(formula));
    if (total > 0 && !receipt.skewed())
      line.share = Figure::derived(100 * static_cast<double>(ns) / total, Unit::percent, formula_text("share"));
    line.shown = reach.shown(part, reach.line, phase);
    line.current = part == reach.line;
    lines.push_back(std::move(line));
  };
  if (has_op(input.walk)) {
    add(ReceiptPart::cpu, receipt.op_start, receipt.cpu(), Role::op, formula_text("before_launch"));
    if (receipt.overhead > 0) lines.back().note = input.narration.text("map.line.cpu", "note.overhead", values);
    for (const auto& [from, to] : receipt.overheads)
      lines.back().hatched_parts.emplace_back(analysis::since_start(trace, from), analysis::since_start(trace, to));
    lines.back().hatched = input.narration.text("map.head", "profiler");
  }
  if (receipt.skewed()) {
    add(ReceiptPart::launch, receipt.launch_start, receipt.launch_end - receipt.launch_start, Role::launch, "");
  } else if (shares_launch(receipt, call)) {
    add(ReceiptPart::launch, receipt.launch_start, own_launch(receipt, call), Role::launch,
        input.narration.text("map.formula", "launch_shared", values));
    ReceiptLine& line = lines.back();
    line.note = input.narration.text("map.line.launch", "note.graph", values);
    const std::int64_t own_end = line.end;
    line.end = analysis::since_start(trace, receipt.launch_start + receipt.launch());
    line.hatched_parts.emplace_back(own_end, line.end);
    line.hatched = input.narration.text("map.head", "others");
  } else {
    add(ReceiptPart::launch, receipt.launch_start, receipt.launch(), Role::launch,
        receipt.launch_end <= receipt.kernel_start ? "" : formula_text("launch_until_gpu"));
    if (receipt.launch_end > receipt.kernel_start)
      lines.back().note = input.narration.text("map.line.launch", "note.overlap", values);
  }
  if (!receipt.skewed())
    add(ReceiptPart::queue, receipt.kernel_start - receipt.queue(), receipt.queue(), Role::wait, formula_text("queue"));
  add(ReceiptPart::kernel, receipt.kernel_start, receipt.kernel(), role_of(trace, input.walk.kernel, {}), "");
  return lines;
}

}  // namespace warpwalk::story
