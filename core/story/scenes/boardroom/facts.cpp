#include <fmt/format.h>

#include "core/story/facts/kernel_counters.h"
#include "core/story/facts/launch_call.h"
#include "core/story/facts/names.h"
#include "core/story/facts/rows.h"
#include "core/story/facts/typed_line.h"
#include "core/story/scenes/boardroom/boardroom.h"
#include "core/story/scenes/launch/parts.h"
#include "core/story/stage/fact_writer.h"

namespace warpwalk::story {
namespace {

void tell_call(const Trace& trace, const Walk& walk, Teller& teller) {
  const SliceId root = walk.ops.empty() ? walk.op : walk.ops.front();
  if (root == no_slice) return;
  teller.lasts("on_cpu", root);
  const trace::OpDetail& op = trace.ops[trace.slices.detail[root]];
  if (const std::string shapes = shapes_text(trace.text(op.input_dims)); !shapes.empty())
    teller.fact("shapes", teller.recorded(shortened(shapes, 44)));
  else if (op.input_dims == 0)
    teller.lacks("shapes");
  if (is_typed(trace)) {
    if (!walk.frames.empty()) teller.fact("typed", Figure::explained(shortened(trace.records.expression, 40)));
  } else if (!walk.frames.empty())
    teller.fact("called_from", teller.recorded(shortened(short_frame_name(trace.name(walk.frames.back())), 40)));
  else
    teller.lacks("python");
}

void tell_descend(const Trace& trace, const Walk& walk, const std::optional<Receipt>& receipt, Teller& teller) {
  if (walk.ops.size() > 1) teller.counted("nested", walk.ops.size());
  constexpr std::size_t most_ops = 3;
  for (std::size_t i = 0; i < walk.ops.size() && i < most_ops; ++i)
    teller.lasts_named(label_of(trace, walk.ops[i]), walk.ops[i]);
  if (!receipt) return;
  teller.difference("before_launch", receipt->cpu());
  if (receipt->overhead > 0) teller.difference("profiler", receipt->overhead);
}

// One call starts all nodes of a graph; other launches of the same graph show what a launch costs later on.
void tell_graph(const LaunchCall& call, const Narration& narration, Teller& teller) {
  if (!call.graph) return;
  teller.derived("nodes", counted_words(narration, "nodes", call.pieces));
  if (call.others == 0) return;
  const std::string shortest = time_text(static_cast<double>(call.shortest_other)),
                    longest = time_text(static_cast<double>(call.longest_other));
  teller.derived("other_launches", shortest == longest ? shortest : fmt::format("{} – {}", shortest, longest));
}

void tell_launch(const Trace& trace, const Walk& walk, const std::optional<Receipt>& receipt,
                 const Narration& narration, Teller& teller) {
  teller.lasts_named(label_of(trace, walk.launch), walk.launch);
  if (const trace::KernelDetail* kernel = kernel_detail(trace, walk); kernel != nullptr) {
    const auto put = [&](std::string_view key, const std::array<std::int32_t, 3>& shape) {
      if (shape[0] <= 0) return;
      teller.fact(key, teller.recorded(narration.text("shape", shape_key(key, shape), {{"n", shape_text(shape)}})));
    };
    put("grid", kernel->grid);
    put("block", kernel->block);
    if (kernel->grid[0] == 0 || kernel->block[0] == 0) teller.lacks("grid");
  } else if (const auto& copy = trace.transfers[trace.slices.detail[walk.kernel]]; copy.bytes != trace::absent) {
    teller.fact("bytes", Figure::recorded(static_cast<double>(copy.bytes), Unit::bytes, teller.origin()));
  }
  tell_graph(launch_call_of(trace, walk), narration, teller);
  if (!receipt) return;
  if (receipt->skewed())
    teller.lacks("skew");
  else
    teller.difference("to_gpu", receipt->kernel_start - receipt->launch_start);
}

void tell_return(const Trace& trace, const Walk& walk, const std::optional<Receipt>& receipt, Teller& teller) {
  teller.lasts("on_gpu", walk.kernel);
  teller.lasts_named(label_of(trace, walk.launch), walk.launch);
  if (receipt && receipt->kernel_end > receipt->launch_end && !receipt->skewed())
    teller.difference("ahead", receipt->kernel_end - receipt->launch_end);
  if (walk.gpu_pieces > 1) teller.counted("pieces", walk.gpu_pieces);
}

void tell_meanwhile(const Trace& trace, const Walk& walk, const Receipt& receipt, Teller& teller) {
  const Aftermath after = aftermath_of(trace, walk, receipt);
  if (after.next_op != no_slice && !receipt.skewed()) {
    teller.fact("next_op", teller.recorded(label_of(trace, after.next_op)));
    teller.difference("next_before_end", receipt.kernel_end - trace.slices.start[after.next_op]);
  }
  if (after.wait == no_slice) {
    teller.lacks("wait");
    return;
  }
  teller.fact("wait", teller.recorded(label_of(trace, after.wait)));
  teller.difference("wait_after", trace.slices.start[after.wait] - receipt.launch_end);
  teller.lasts("wait_holds", after.wait);
}

}  // namespace

void boardroom_facts(const SceneInput& input, const std::optional<Receipt>& receipt, std::string_view beat,
                     const Narration::Values& values, Stage& stage) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  Teller teller(input, values, stage);
  if (beat == "call") tell_call(trace, walk, teller);
  if (beat == "descend") tell_descend(trace, walk, receipt, teller);
  if (beat == "launch") tell_launch(trace, walk, receipt, input.narration, teller);
  if (beat == "return") tell_return(trace, walk, receipt, teller);
  if (beat == "return") counted_facts(input, CountedGroup::instructions, stage);
  if (beat == "meanwhile") tell_meanwhile(trace, walk, *receipt, teller);
  if (beat == "unlaunched") {
    teller.lasts("on_gpu", walk.kernel);
    teller.lacks("launch");
  }
  if (beat == "nothing") {
    teller.lasts("on_cpu", walk.op);
    teller.lacks(trace.launched.empty() ? "any_gpu_work" : "gpu_work");
  }
  if (beat == "empty") teller.lacks("anything");
  if (beat == "launch" || beat == "return" || beat == "unlaunched") teller.lacks_times(walk);
}

}  // namespace warpwalk::story
