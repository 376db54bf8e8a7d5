// Scene 1: the CPU submits. The op descends through nested calls to the launch; the call returns while the GPU still
// works.
#include <fmt/format.h>

#include <algorithm>

#include "core/story/names.h"
#include "core/story/receipt.h"
#include "core/story/rows.h"
#include "core/story/scene.h"

namespace warpwalk::story {
namespace {

using trace::SliceKind;

struct Span {
  double from;
  double to;
};

// What the CPU did after the launch returned, on the same thread.
struct Aftermath {
  SliceId next_op = no_slice;  // the first op that starts before the kernel ends
  SliceId wait = no_slice;     // the first call that waits for the GPU
};

Aftermath aftermath_of(const Trace& trace, const Walk& walk, const Receipt& receipt) {
  const auto& rows = trace.slices;
  Aftermath found;
  const trace::Track& track = trace.tracks[rows.track[walk.launch]];
  constexpr SliceId look_ahead = 200000;  // a wait that is further away explains nothing here
  const SliceId last = std::min<SliceId>(track.last, walk.launch + look_ahead);
  for (SliceId s = walk.launch + 1; s < last && found.wait == no_slice; ++s) {
    if (rows.start[s] < receipt.launch_end) continue;
    if (found.next_op == no_slice && rows.kind[s] == SliceKind::op && rows.start[s] < receipt.kernel_end) found.next_op = s;
    if (is_wait(trace, s)) found.wait = s;
  }
  return found;
}

Span padded(double from, double to, double before, double after) {
  const double length = std::max(to - from, 100.0);
  return {from - before * length, to + after * length};
}

// The stretch of time that a beat shows: the whole op, or the launch and what it started.
Span window_of(const Trace& trace, const Walk& walk, const std::optional<Receipt>& receipt, std::string_view beat) {
  const auto& rows = trace.slices;
  const SliceId root = !walk.ops.empty() ? walk.ops.front() : walk.op != no_slice ? walk.op : walk.kernel;
  if (root == no_slice) return {0, 1};
  double from = static_cast<double>(rows.start[root]);
  double to = static_cast<double>(rows.end(root));
  if (receipt) {
    from = std::min(from, static_cast<double>(receipt->kernel_start));
    to = std::max(to, static_cast<double>(receipt->kernel_end));
  }
  const Span whole = padded(from, to, 0.04, 0.08);
  if (!receipt || beat == "call" || beat == "descend") return whole;
  double near_from = static_cast<double>(std::min(receipt->launch_start, receipt->kernel_start));
  double near_to = static_cast<double>(std::max(receipt->launch_end, receipt->kernel_end));
  if (beat == "meanwhile") {
    constexpr double furthest = 8;  // a wait further away than this would press everything else flat
    const Aftermath after = aftermath_of(trace, walk, *receipt);
    for (const SliceId s : {after.next_op, after.wait})
      if (s != no_slice && static_cast<double>(rows.end(s)) - near_from < furthest * (near_to - near_from))
        near_to = std::max(near_to, static_cast<double>(rows.end(s)));
  }
  return padded(near_from, near_to, 0.25, 0.12);
}

Figure time_figure(const Trace& trace, SliceId s) {
  return Figure::recorded(static_cast<double>(trace.slices.duration[s]), Unit::nanoseconds, trace.records.time_origin());
}

Figure difference(std::int64_t ns, std::string formula) {
  return Figure::derived(static_cast<double>(ns), Unit::nanoseconds, std::move(formula));
}

void add_op_facts(const Trace& trace, const Walk& walk, Stage& stage) {
  const Origin origin = trace.records.time_origin();
  const SliceId root = walk.ops.empty() ? walk.op : walk.ops.front();
  if (root == no_slice) return;
  stage.facts.push_back({fmt::format("{}, on the CPU", label_of(trace, root)), time_figure(trace, root)});
  const trace::OpDetail& op = trace.ops[trace.slices.detail[root]];
  if (const std::string shapes = shapes_text(trace.text(op.input_dims)); !shapes.empty())
    stage.facts.push_back({"Shapes of its inputs", Figure::recorded(shortened(shapes, 44), origin)});
  else if (op.input_dims == 0)
    stage.missing.emplace_back("Input shapes: not recorded. Profile with record_shapes=True.");
  if (!walk.frames.empty())
    stage.facts.push_back({"Called from", Figure::recorded(shortened(short_frame_name(trace.name(walk.frames.back())), 40), origin)});
  else
    stage.missing.emplace_back("The Python line: not recorded. Profile with with_stack=True.");
}

void add_descend_facts(const Trace& trace, const Walk& walk, const std::optional<Receipt>& receipt, Stage& stage) {
  if (walk.ops.size() > 1)
    stage.facts.push_back({"Nested ops", Figure::derived(static_cast<double>(walk.ops.size()), Unit::count,
                                                         "ops from the outermost to the one that launches, counted")});
  for (const SliceId op : walk.ops) {
    if (stage.facts.size() >= 4) break;
    stage.facts.push_back({label_of(trace, op), time_figure(trace, op)});
  }
  if (!receipt) return;
  stage.facts.push_back({"Before the launch", difference(receipt->cpu(), "start of the launch call − start of the op")});
  if (receipt->overhead > 0)
    stage.facts.push_back({"of it, the profiler itself",
                           difference(receipt->overhead, fmt::format("the profiler's \"{}\" records that lie before the launch, added",
                                                                     trace.name(receipt->overhead_slice)))});
}

void add_launch_facts(const Trace& trace, const Walk& walk, const Receipt& receipt, Stage& stage) {
  const Origin origin = trace.records.time_origin();
  stage.facts.push_back({label_of(trace, walk.launch), time_figure(trace, walk.launch)});
  if (const trace::KernelDetail* kernel = kernel_detail(trace, walk); kernel != nullptr) {
    if (kernel->grid[0] > 0) {
      stage.facts.push_back({"Grid", Figure::recorded(shape_text(kernel->grid) + " blocks", origin)});
      stage.facts.push_back({"Block", Figure::recorded(shape_text(kernel->block) + " threads", origin)});
    } else {
      stage.missing.emplace_back("Grid and block: not in this trace.");
    }
  } else if (const auto& copy = trace.transfers[trace.slices.detail[walk.kernel]]; copy.bytes != trace::absent) {
    stage.facts.push_back({"Bytes", Figure::recorded(static_cast<double>(copy.bytes), Unit::bytes, origin)});
  }
  if (receipt.skewed())
    stage.missing.emplace_back(fmt::format("Time from the call to the GPU: unknown. The GPU's clock says the work began {} before "
                                           "its launch did, so the two clocks differ.",
                                           time_text(static_cast<double>(receipt.launch_start - receipt.kernel_start))));
  else
    stage.facts.push_back({"From the call to the GPU's start",
                           difference(receipt.kernel_start - receipt.launch_start, "start on the GPU − start of the launch call")});
}

void add_return_facts(const Trace& trace, const Walk& walk, const Receipt& receipt, Stage& stage) {
  stage.facts.push_back({fmt::format("The {} on the GPU", trace::name_of(trace.slices.kind[walk.kernel])), time_figure(trace, walk.kernel)});
  stage.facts.push_back({label_of(trace, walk.launch), time_figure(trace, walk.launch)});
  if (receipt.kernel_end > receipt.launch_end)
    stage.facts.push_back({"The CPU is ahead by", difference(receipt.kernel_end - receipt.launch_end,
                                                             "end on the GPU − return of the launch call")});
  if (walk.gpu_pieces > 1)
    stage.facts.push_back({"The longest of the op's GPU work, in all", Figure::derived(fmt::format("{} pieces", walk.gpu_pieces),
                                                                                      "kernels, copies and fills whose launch lies in the op, counted")});
}

void add_meanwhile_facts(const Trace& trace, const Walk& walk, const Receipt& receipt, Stage& stage) {
  const Aftermath after = aftermath_of(trace, walk, receipt);
  const auto& rows = trace.slices;
  if (after.next_op != no_slice) {
    stage.facts.push_back({"Next op on this thread", Figure::recorded(label_of(trace, after.next_op), trace.records.time_origin())});
    stage.facts.push_back({"It starts before the GPU is done, by",
                           difference(receipt.kernel_end - rows.start[after.next_op], "end on the GPU − start of the next op")});
  }
  if (after.wait != no_slice) {
    stage.facts.push_back({"First call that waits", Figure::recorded(label_of(trace, after.wait), trace.records.time_origin())});
    stage.facts.push_back({"It comes after the return, by",
                           difference(rows.start[after.wait] - receipt.launch_end, "start of the wait − return of the launch call")});
    stage.facts.push_back({"and holds the CPU for", time_figure(trace, after.wait)});
  } else {
    stage.missing.emplace_back("No call on this thread waits for the GPU afterwards in this trace.");
  }
}

// Everything on the launching thread and on the streams, within the window.
TimelinePicture timeline(const SceneInput& input, const Span& window, std::string_view beat, double phase) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  const auto& rows = trace.slices;
  TimelinePicture picture;
  picture.from = window.from - static_cast<double>(trace.begin_ns);
  picture.to = window.to - static_cast<double>(trace.begin_ns);
  const auto from = static_cast<std::int64_t>(window.from);
  const auto to = static_cast<std::int64_t>(window.to) + 1;
  const std::int64_t finest = (to - from) / 400;
  std::vector<SliceId> path = walk.frames;
  path.insert(path.end(), walk.ops.begin(), walk.ops.end());
  path.push_back(walk.launch);
  path.push_back(walk.kernel);

  const int step = beat == "call" ? 0 : beat == "descend" ? 1 : beat == "nothing" ? 1 : 2;
  const SliceId cpu_slice = !walk.ops.empty() ? walk.ops.front() : walk.launch;
  if (cpu_slice != no_slice) {
    const trace::TrackId thread = rows.track[cpu_slice];
    RowGroup cpu;
    cpu.name = track_label(trace, thread);
    const auto add = [&](std::string name, double shown, const std::function<bool(SliceId)>& wanted, trace::TrackId track) {
      Row row{std::move(name), bars_of(trace, track, from, to, finest, path, wanted), shown};
      if (!row.bars.empty()) cpu.rows.push_back(std::move(row));
    };
    for (trace::TrackId t = 0; t < trace.tracks.size(); ++t)
      if (!trace.tracks[t].gpu)
        add("profiler", step == 0 ? 0 : step == 1 ? part(phase, 0.6, 1) : 1, [&](SliceId s) { return rows.kind[s] == SliceKind::overhead; }, t);
    // The outermost and the innermost frame tell where we are; those between would only be high.
    std::vector<SliceId> frames;
    if (!walk.frames.empty()) frames.push_back(walk.frames.front());
    if (walk.frames.size() > 1) frames.push_back(walk.frames.back());
    for (const SliceId frame : frames) add("Python", 1, [=](SliceId s) { return s == frame; }, thread);
    constexpr std::size_t most_ops = 5;
    const std::size_t shown_ops = std::min(walk.ops.size(), most_ops);
    for (std::size_t i = 0; i < shown_ops; ++i) {
      // With more than fit, the outermost and the innermost ones are kept.
      const std::size_t depth = i + 1 < shown_ops ? i : walk.ops.size() - 1;
      const double appears = step > 1 ? 1 : step == 1 ? (depth == 0 ? 1 : part(phase, 0.15 * static_cast<double>(i), 0.15 * static_cast<double>(i) + 0.4)) : depth == 0 ? 1 : 0;
      const bool outermost = depth == 0;
      add(depth > i ? fmt::format("op, {} deeper", depth - i) : outermost ? "op" : "calls op", appears,
          [&trace, depth](SliceId s) { return trace.slices.kind[s] == SliceKind::op && op_depth(trace, s) == depth; }, thread);
    }
    add("calls CUDA", step > 1 ? 1 : 0, [&](SliceId s) { return trace::is_call(rows.kind[s]); }, thread);
    if (!cpu.rows.empty()) picture.groups.push_back(std::move(cpu));
  }

  if (walk.kernel != no_slice) {
    const trace::TrackId followed = rows.track[walk.kernel];
    RowGroup gpu;
    gpu.name = device_label(trace, trace.tracks[followed].device);
    std::vector<trace::TrackId> streams = {followed};
    for (trace::TrackId t = 0; t < trace.tracks.size(); ++t)
      if (trace.tracks[t].gpu && t != followed && trace.tracks[t].device == trace.tracks[followed].device) streams.push_back(t);
    constexpr std::size_t most_streams = 4;
    for (const trace::TrackId t : streams) {
      Row row{fmt::format("stream {}", trace.tracks[t].stream == trace::absent ? std::string(trace.text(trace.tracks[t].tid)) : std::to_string(trace.tracks[t].stream)),
              bars_of(trace, t, from, to, finest, path, [&](SliceId s) { return trace::is_gpu_work(rows.kind[s]); }),
              step < 2 ? 0.0 : beat == "launch" ? part(phase, 0.8, 1) : 1.0};
      if ((t == followed || !row.bars.empty()) && gpu.rows.size() < most_streams) gpu.rows.push_back(std::move(row));
    }
    picture.groups.push_back(std::move(gpu));
  }
  return picture;
}

std::int64_t since_start(const Trace& trace, std::int64_t ns) { return ns - trace.begin_ns; }

}  // namespace

std::vector<Beat> boardroom_beats(const Trace& trace, const Walk& walk) {
  const auto& rows = trace.slices;
  if (walk.empty()) return {{"empty", 0}};
  const std::optional<Receipt> receipt = receipt_of(trace, walk);
  std::vector<Beat> beats;
  if (!walk.ops.empty()) {
    beats.push_back({"call", since_start(trace, rows.start[walk.ops.front()])});
    if (walk.ops.size() > 1) beats.push_back({"descend", since_start(trace, rows.start[walk.ops.back()])});
  }
  if (!receipt) {
    beats.push_back({walk.kernel != no_slice ? "unlaunched" : "nothing",
                     since_start(trace, walk.kernel != no_slice ? rows.start[walk.kernel] : rows.end(walk.op))});
    return beats;
  }
  beats.push_back({"launch", since_start(trace, receipt->launch_start)});
  beats.push_back({"return", since_start(trace, receipt->launch_end)});
  beats.push_back({"meanwhile", since_start(trace, receipt->kernel_end)});
  return beats;
}

Stage boardroom(const SceneInput& input) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  const std::vector<Beat> beats = boardroom_beats(trace, walk);
  const auto index = static_cast<std::size_t>(input.moment.value - 1);
  const std::string& beat = beats[index].key;
  const std::optional<Receipt> receipt = receipt_of(trace, walk);

  Narration::Values values = common_values(trace, walk);
  const auto put_time = [&](std::string_view key, std::int64_t ns) { values[std::string(key)] = time_text(static_cast<double>(ns)); };
  values["depth"] = std::to_string(walk.ops.size());
  std::string variant;  // which of two sentences is true
  if (receipt) {
    put_time("before", receipt->cpu());
    put_time("overhead", receipt->overhead);
    put_time("ahead", receipt->kernel_end - receipt->launch_end);
    put_time("late", receipt->launch_end - receipt->kernel_end);
    put_time("to_gpu", receipt->kernel_start - receipt->launch_start);
    const Aftermath after = aftermath_of(trace, walk, *receipt);
    if (after.next_op != no_slice) values["next"] = label_of(trace, after.next_op);
    if (after.wait != no_slice) values["wait"] = label_of(trace, after.wait);
    if (beat == "descend") variant = receipt->overhead > receipt->cpu() / 10 ? "overhead" : "";
    if (beat == "return") variant = receipt->kernel_end > receipt->launch_end ? "" : "late";
    if (beat == "meanwhile") variant = after.next_op != no_slice ? "" : after.wait != no_slice ? "waits" : "idle";
    if (beat == "launch" && kernel_detail(trace, walk) == nullptr) variant = "copy";
  }

  std::vector<Beat> named = beats;
  if (!variant.empty()) named[index].key += "." + variant;
  Stage stage = common_stage(input, "boardroom", named, values,
                             beat == "call" || beat == "nothing" ? "op" : beat == "descend" ? "dispatch" : beat == "launch" ? "driver" : "stream");

  if (beat == "call") add_op_facts(trace, walk, stage);
  if (beat == "descend") add_descend_facts(trace, walk, receipt, stage);
  if (beat == "launch") add_launch_facts(trace, walk, *receipt, stage);
  if (beat == "return") add_return_facts(trace, walk, *receipt, stage);
  if (beat == "meanwhile") add_meanwhile_facts(trace, walk, *receipt, stage);
  if (beat == "unlaunched") {
    stage.facts.push_back({"On the GPU", time_figure(trace, walk.kernel)});
    stage.missing.emplace_back("Its launch: outside the recorded window, so the op and the line of Python are unknown.");
  }
  if (beat == "nothing") {
    stage.facts.push_back({fmt::format("{}, on the CPU", label_of(trace, walk.op)), time_figure(trace, walk.op)});
    stage.missing.emplace_back(trace.launched.empty() ? "GPU work: none in this trace. A CPU-only run, or a profile without ProfilerActivity.CUDA."
                                                      : "GPU work: this op started none.");
  }
  if (beat == "empty") {
    stage.missing.emplace_back("Ops and GPU work: none in this trace.");
    return stage;
  }

  // First the eye moves (the axis), then what happens happens.
  const Span target = window_of(trace, walk, receipt, beat);
  const Span source = index == 0 ? target : window_of(trace, walk, receipt, beats[index - 1].key);
  const double moved = eased(part(input.moment.phase, 0, 0.45));
  const Span window = {source.from + (target.from - source.from) * moved, source.to + (target.to - source.to) * moved};
  TimelinePicture picture = timeline(input, window, beat, input.moment.phase);

  if (receipt && (beat == "launch" || beat == "return" || beat == "meanwhile")) {
    picture.arrows.push_back({walk.launch, walk.kernel, beat == "launch" ? eased(part(input.moment.phase, 0.45, 0.95)) : 1});
    if (beat == "launch" && !receipt->skewed())
      picture.measures.push_back({fmt::format("{} from the call to the GPU", values["to_gpu"]), since_start(trace, receipt->launch_start),
                                  since_start(trace, receipt->kernel_start), part(input.moment.phase, 0.8, 1)});
    if (beat != "launch" && receipt->kernel_end > receipt->launch_end)
      picture.measures.push_back({fmt::format("{}: the CPU is ahead", values["ahead"]), since_start(trace, receipt->launch_end),
                                  since_start(trace, receipt->kernel_end), beat == "return" ? part(input.moment.phase, 0.5, 1) : 1});
  }
  stage.picture = std::move(picture);
  return stage;
}

}  // namespace warpwalk::story
