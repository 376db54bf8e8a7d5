#include <fmt/format.h>

#include "core/analysis/names/names.h"
#include "core/analysis/slices.h"
#include "core/story/elements/walk.h"
#include "core/story/facts/launch/launch_call.h"
#include "core/story/facts/simulated/kernel_counters.h"
#include "core/story/facts/words/fact_writer.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/boardroom/boardroom.h"

namespace warpwalk::story {
namespace {

void add_call(const Trace& trace, const Walk& walk, FactWriter& facts) {
  const SliceId root = walk.ops.empty() ? walk.op : walk.ops.front();
  if (root == no_slice) return;
  facts.duration("on_cpu", root);
  const trace::OpDetail& op = trace.ops[trace.slices.detail[root]];
  if (const std::string shapes = shapes_text(trace.text(op.input_dims)); !shapes.empty())
    facts.fact("shapes", facts.recorded(analysis::shortened(shapes, 44)));
  else if (op.input_dims == 0)
    facts.missing("shapes");
  if (analysis::is_typed(trace)) {
    if (!walk.frames.empty()) facts.fact("typed", Figure::explained(analysis::shortened(trace.records.expression, 40)));
  } else if (!walk.frames.empty())
    facts.fact("called_from",
               facts.recorded(analysis::shortened(analysis::short_frame_name(trace.name(walk.frames.back())), 40)));
  else
    facts.missing("python");
}

void add_descend(const Trace& trace, const Walk& walk, const std::optional<Receipt>& receipt, FactWriter& facts) {
  if (walk.ops.size() > 1) facts.counted("nested", walk.ops.size());
  constexpr std::size_t max_ops = 3;
  for (std::size_t i = 0; i < walk.ops.size() && i < max_ops; ++i)
    facts.duration_named(analysis::label_of(trace, walk.ops[i]), walk.ops[i]);
  if (!receipt) return;
  facts.difference("before_launch", receipt->cpu());
  if (receipt->overhead > 0) facts.difference("profiler", receipt->overhead);
}

// One call starts all nodes of a graph; other launches of the same graph show what a launch costs later on.
void add_graph(const LaunchCall& call, const Narration& narration, FactWriter& facts) {
  if (!call.graph) return;
  facts.derived("nodes", counted_words(narration, "nodes", call.pieces));
  if (call.others == 0) return;
  const std::string shortest = time_text(static_cast<double>(call.shortest_other)),
                    longest = time_text(static_cast<double>(call.longest_other));
  facts.derived("other_launches", shortest == longest ? shortest : fmt::format("{} – {}", shortest, longest));
}

void add_launch(const Trace& trace, const Walk& walk, const std::optional<Receipt>& receipt, const Narration& narration,
                FactWriter& facts) {
  facts.duration_named(analysis::label_of(trace, walk.launch), walk.launch);
  if (const trace::KernelDetail* kernel = kernel_detail(trace, walk); kernel != nullptr) {
    const auto put = [&](std::string_view key, const std::array<std::int32_t, 3>& shape) {
      if (shape[0] <= 0) return;
      std::string name = analysis::shape_key(key, shape);
      if (name == "block" && shape[1] == 1 && shape[2] == 1) name = "block.line";
      const std::int64_t threads = std::int64_t{shape[0]} * shape[1] * shape[2];
      facts.fact(key, facts.recorded(narration.text(
                          "shape", name, {{"n", analysis::shape_text(shape)}, {"threads", with_thousands(threads)}})));
    };
    put("grid", kernel->grid);
    put("block", kernel->block);
    if (kernel->grid[0] == 0 || kernel->block[0] == 0) facts.missing("grid");
  } else if (const auto& copy = trace.transfers[trace.slices.detail[walk.kernel]]; copy.bytes != trace::absent) {
    facts.fact("bytes", Figure::recorded(static_cast<double>(copy.bytes), Unit::bytes, facts.origin()));
  }
  const LaunchCall call = launch_call_of(trace, walk);
  if (const std::optional<FirstLaunch> first = first_launch_of(trace, walk); first && !call.graph)
    facts.difference("usual_launch", first->usual);
  add_graph(call, narration, facts);
  if (!receipt) return;
  if (receipt->skewed())
    facts.missing("skew");
  else
    facts.difference("to_gpu", receipt->kernel_start - receipt->launch_start);
}

void add_return(const Trace& trace, const Walk& walk, const std::optional<Receipt>& receipt, FactWriter& facts) {
  facts.duration("on_gpu", walk.kernel);
  facts.duration_named(analysis::label_of(trace, walk.launch), walk.launch);
  if (receipt && receipt->kernel_end > receipt->launch_end && !receipt->skewed())
    facts.difference("ahead", receipt->kernel_end - receipt->launch_end);
  if (walk.gpu_pieces > 1) facts.counted("pieces", walk.gpu_pieces);
}

void add_meanwhile(const SceneInput& input, const Receipt& receipt, FactWriter& facts) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  const Aftermath after = aftermath_of(trace, walk, receipt);
  if (after.next_op != no_slice && !receipt.skewed()) {
    facts.fact("next_op", facts.recorded(analysis::label_of(trace, after.next_op)));
    facts.difference("next_before_end", receipt.kernel_end - trace.slices.start[after.next_op]);
  }
  if (after.wait == no_slice) {
    facts.missing("wait");
    return;
  }
  facts.fact("wait", facts.recorded(analysis::label_of(trace, after.wait)));
  facts.difference("wait_after", trace.slices.start[after.wait] - receipt.launch_end);
  const auto awaited = awaited_work(trace, after.wait, trace.tracks[trace.slices.track[walk.kernel]].device);
  facts.duration(awaited || after.waited || receipt.skewed() ? "wait_holds" : "wait_finds", after.wait);
  if (awaited) facts.fact("wait_for", facts.recorded(awaited_text(input, *awaited)));
}

}  // namespace

void boardroom_facts(const SceneInput& input, const std::optional<Receipt>& receipt, std::string_view beat,
                     const Narration::Values& values, Stage& stage) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  FactWriter facts(input, values, stage);
  if (beat == "call") add_call(trace, walk, facts);
  if (beat == "descend") add_descend(trace, walk, receipt, facts);
  if (beat == "launch") add_launch(trace, walk, receipt, input.narration, facts);
  if (beat == "return") add_return(trace, walk, receipt, facts);
  if (beat == "return") counted_facts(input, CountedGroup::instructions, stage);
  if (beat == "meanwhile") add_meanwhile(input, *receipt, facts);
  if (beat == "unlaunched") {
    facts.duration("on_gpu", walk.kernel);
    facts.missing("launch");
  }
  if (beat == "nothing") {
    facts.duration("on_cpu", walk.op);
    facts.missing(trace.launched.empty() ? "any_gpu_work" : "gpu_work");
  }
  if (beat == "empty") facts.missing("anything");
  if (beat == "launch" || beat == "return" || beat == "unlaunched") facts.missing_times(walk);
  if (time_record_of(trace, walk) == TimeRecord::unclocked && walk.launch != no_slice && has_time(trace, walk.launch))
    facts.missing("times_modelled");
}

}  // namespace warpwalk::story
