#include "core/words/prediction_text.h"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "core/analysis/names/short_names.h"
#include "core/base/quantity_text.h"

namespace warpwalk::words {
namespace {

std::string_view key_of_change(const analysis::Change& change) {
  using analysis::ChangeKind;
  switch (change.kind) {
    case ChangeKind::drop_sync: return change.name.empty() ? "drop_sync.all" : "drop_sync";
    case ChangeKind::pinned: return "pinned";
    case ChangeKind::stream: return "stream";
    case ChangeKind::graph: return "graph";
    case ChangeKind::compile: return "compile";
    case ChangeKind::fused_optimizer: return "fused_optimizer";
    case ChangeKind::dtype: return "dtype";
    case ChangeKind::batch: return "batch";
    case ChangeKind::sequence: return "sequence";
    case ChangeKind::hidden: return "hidden";
    case ChangeKind::fuse: return "fuse";
    case ChangeKind::ranks: return "ranks";
    case ChangeKind::link: return "link";
    case ChangeKind::kernel: return change.roofline ? "kernel.roofline" : "kernel";
    case ChangeKind::gpu: return "gpu";
    case ChangeKind::launch_us: return "launch_us";
    case ChangeKind::cpu: return "cpu";
  }
  return "";
}

}  // namespace

std::string change_text(const Narration& narration, const analysis::Change& change) {
  constexpr std::size_t most_letters = 44;
  std::string name = analysis::shortened(change.name, most_letters);
  if (change.kind == analysis::ChangeKind::drop_sync) name = fmt::format("{}:{}", change.name, change.line);
  return narration.text("change", key_of_change(change),
                        {{"name", name},
                         {"n", base::with_marks(fmt::format("{:g}", change.factor))},
                         {"type", std::string(name_of(change.type))}});
}

std::string prediction_text(const Narration& narration, const analysis::Prediction& prediction) {
  if (!prediction.step) return narration.text("prediction", "cannot", {{"why", prediction.cannot}});
  const double before = prediction.before, after = *prediction.step, saved = (before - after) / before;
  const bool can_be_equal = *prediction.low < before && before < *prediction.high;
  const std::string_view key = can_be_equal && std::abs(saved) < 0.03 ? "as_long" : saved > 0 ? "less" : "more";
  return narration.text("prediction", fmt::format("{}{}", key, prediction.step_name.empty() ? ".trace" : ""),
                        {{"before", base::time_text(before)},
                         {"after", base::time_text(after)},
                         {"low", base::time_text(*prediction.low)},
                         {"high", base::time_text(*prediction.high)},
                         {"share", base::with_marks(fmt::format("{:.0f} %", 100 * std::abs(saved)))}});
}

}  // namespace warpwalk::words
