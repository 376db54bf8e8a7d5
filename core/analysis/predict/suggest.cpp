#include "core/analysis/predict/suggest.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/modules/code_place.h"
#include "core/analysis/predict/prediction.h"
#include "core/analysis/slices.h"

namespace warpwalk::analysis {
namespace {

// "drop-sync:train.py:41" of "train.py(41): step".
std::string drop_sync_text(std::string_view line) {
  const auto frame = parse_frame_name(line);
  if (!frame) return "drop-sync:all";
  const std::string_view file = frame->file;
  return fmt::format("drop-sync:{}:{}", file.substr(file.find_last_of('/') + 1), frame->line);
}

bool in_op_or_call(const Trace& trace, SliceId slice) {
  if (slice == no_slice) return false;
  const trace::SliceKind kind = trace.slices.kind[slice];
  return kind == trace::SliceKind::op || trace::is_call(kind);
}

std::string suggested_text(const Trace& trace, const Advice& advice) {
  switch (advice.kind) {
    case AdviceKind::synchronise: return drop_sync_text(advice.line);
    case AdviceKind::pageable: return "pinned";
    case AdviceKind::copy: return "stream:copies";
    // A graph leaves out ops and launches, not the rest of a program.
    case AdviceKind::host: return in_op_or_call(trace, advice.slice) ? "graph:step" : "";
    case AdviceKind::small_kernels:
    case AdviceKind::launch:
    case AdviceKind::between: return "graph:step";
    case AdviceKind::fuse: return "compile";
    case AdviceKind::kernel:
    case AdviceKind::layout: return fmt::format("kernel:{}:roofline", advice.name);
    case AdviceKind::blocked:
    case AdviceKind::loading:
    case AdviceKind::allocation:
    case AdviceKind::profiler:
    case AdviceKind::communication:
    case AdviceKind::unrecorded_cpu:
    case AdviceKind::unrecorded_gpu: break;
  }
  return {};
}

bool reads_result(const Trace& trace, SliceId op) {
  constexpr std::array<std::string_view, 3> readers = {"aten::item", "aten::_local_scalar_dense", "aten::is_nonzero"};
  return op != no_slice && (std::ranges::find(readers, trace.name(op)) != readers.end() || is_wait(trace, op));
}

}  // namespace

std::optional<Change> change_of(const Trace& trace, const Advice& advice) {
  const std::string text = suggested_text(trace, advice);
  if (text.empty()) return {};
  auto change = parse_change(text);
  return change ? std::optional(*std::move(change)) : std::nullopt;
}

std::vector<Suggestion> suggested_changes(const Trace& trace, std::span<const Advice> advice, SliceId kernel,
                                          SliceId op) {
  std::vector<Suggestion> all;
  const auto add = [&](std::optional<Change> change, std::optional<std::size_t> number) {
    const auto same = std::ranges::find_if(
        all, [&](const Suggestion& one) { return change && one.change && one.change->text == change->text; });
    Suggestion& row = same != all.end() ? *same : all.emplace_back(Suggestion{std::move(change), {}});
    if (number) row.advice.push_back(*number);
  };
  const auto add_text = [&](const std::string& text) {
    if (auto change = parse_change(text)) add(*std::move(change), {});
  };
  for (std::size_t i = 0; i < advice.size(); ++i) add(change_of(trace, advice[i]), i);
  if (reads_result(trace, op)) add_text(drop_sync_text(CodePlaces(trace).line_text(op)));
  if (kernel != no_slice && trace.slices.kind[kernel] == trace::SliceKind::kernel)
    for (const std::string_view what : {"roofline", "x2"})
      add_text(fmt::format("kernel:{}:{}", label_of(trace, kernel), what));
  for (const std::string_view usual :
       {"graph:step", "compile", "fused-optimizer", "dtype:bf16", "batch:x2", "batch:x4", "cpu:x2"})
    add_text(std::string(usual));
  return all;
}

std::vector<AdvicePrediction> predict_advice(const Trace& trace, std::span<const Advice> advice,
                                             std::span<const gpu::Device> known, const std::atomic<bool>* cancel) {
  std::vector<AdvicePrediction> all;
  if (advice.empty()) return all;
  Predictor predictor(trace, known);
  std::map<std::string, AdvicePrediction> by_change;
  for (const Advice& line : advice) {
    const std::optional<Change> change = change_of(trace, line);
    if (!change) {
      all.push_back({});
      continue;
    }
    const auto [found, fresh] = by_change.try_emplace(change->text);
    AdvicePrediction& one = found->second;
    if (fresh) {
      one.change = change->text;
      const auto prediction = predictor.predict({&*change, 1}, cancel);
      if (cancel != nullptr && *cancel) return {};
      if (prediction) {
        one.before = prediction->before;
        one.step = prediction->step;
        one.low = prediction->low;
        one.high = prediction->high;
        one.cannot = prediction->cannot;
      } else {
        one.cannot = prediction.error();
      }
    }
    all.push_back(one);
  }
  return all;
}

}  // namespace warpwalk::analysis
