#include <fmt/format.h>

#include "core/analysis/modules/code_place.h"
#include "core/analysis/names/short_names.h"
#include "core/analysis/slices.h"
#include "core/story/elements/walk.h"
#include "core/story/facts/launch/launch_call.h"
#include "core/story/facts/simulated/kernel_counters.h"
#include "core/story/facts/words/fact_writer.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/boardroom/boardroom.h"

namespace warpwalk::story {
namespace {

// One call starts all nodes of a graph; other launches of the same graph show what a launch costs later on.
void add_graph(const LaunchCall& call, const Narration& narration, FactWriter& facts) {
  if (!call.graph) return;
  facts.derived("nodes", counted_words(narration, "nodes", call.pieces));
  if (call.others == 0) return;
  const std::string shortest = time_text(static_cast<double>(call.shortest_other)),
                    longest = time_text(static_cast<double>(call.longest_other));
  facts.derived("other_launches", shortest == longest ? shortest : fmt::format("{} – {}", shortest, longest));
}

}  // namespace

std::string line_of_call(const Boardroom& s) {
  const SliceId root = s.walk().ops.empty() ? s.walk().op : s.walk().ops.front();
  if (root == no_slice) return {};
  return analysis::innermost_line(s.trace().text(s.trace().ops[s.trace().slices.detail[root]].call_stack));
}

void call_facts(const Boardroom& s, FactWriter& facts) {
  const Trace& trace = s.trace();
  const Walk& walk = s.walk();
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
  else if (const std::string caller = line_of_call(s); !caller.empty())
    facts.fact("called_from", facts.recorded(analysis::shortened(caller, 40)));
  else
    facts.missing("python");
}

void descend_facts(const Boardroom& s, FactWriter& facts) {
  const Trace& trace = s.trace();
  const Walk& walk = s.walk();
  if (walk.ops.size() > 1) facts.counted("nested", walk.ops.size());
  constexpr std::size_t max_ops = 3;
  for (std::size_t i = 0; i < walk.ops.size() && i < max_ops; ++i)
    facts.duration_named(analysis::label_of(trace, walk.ops[i]), walk.ops[i]);
  if (!s.receipt) return;
  facts.difference("before_launch", s.receipt->cpu());
  if (s.receipt->overhead > 0) facts.difference("profiler", s.receipt->overhead);
}

void launch_call_facts(const Boardroom& s, FactWriter& facts) {
  const Trace& trace = s.trace();
  const Walk& walk = s.walk();
  const Narration& narration = s.input.narration;
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
  if (s.receipt && s.receipt->skewed())
    facts.missing("skew");
  else if (s.receipt)
    facts.difference("to_gpu", s.receipt->kernel_start - s.receipt->launch_start);
  facts.missing_times(walk);
}

void return_facts(const Boardroom& s, FactWriter& facts) {
  const Walk& walk = s.walk();
  facts.duration("on_gpu", walk.kernel);
  facts.duration_named(analysis::label_of(s.trace(), walk.launch), walk.launch);
  if (s.receipt && s.receipt->kernel_end > s.receipt->launch_end && !s.receipt->skewed())
    facts.difference("ahead", s.receipt->kernel_end - s.receipt->launch_end);
  if (walk.gpu_pieces > 1) facts.counted("pieces", walk.gpu_pieces);
  counted_facts(s.input, CountedGroup::instructions, facts.stage());
  facts.missing_times(walk);
}

void meanwhile_facts(const Boardroom& s, FactWriter& facts) {
  const Trace& trace = s.trace();
  const Walk& walk = s.walk();
  const Receipt& receipt = *s.receipt;
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
  if (awaited) facts.fact("wait_for", facts.recorded(awaited_text(s.input, *awaited)));
}

void unlaunched_facts(const Boardroom& s, FactWriter& facts) {
  facts.duration("on_gpu", s.walk().kernel);
  facts.missing("launch");
  facts.missing_times(s.walk());
}

void nothing_facts(const Boardroom& s, FactWriter& facts) {
  facts.duration("on_cpu", s.walk().op);
  facts.missing(s.trace().launched.empty() ? "any_gpu_work" : "gpu_work");
}

}  // namespace warpwalk::story
