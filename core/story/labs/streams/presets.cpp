// The programs that the lab "streams" starts with; those with a name in the record are the same as in
// tests/cuda/microbench/streams.cu.
#include <algorithm>

#include "core/story/labs/streams/streams.h"

namespace warpwalk::story {
namespace {

StreamStep in(int stream, int us) { return {StreamOp::copy_in, stream, 1, us * 1000}; }
StreamStep out(int stream, int us) { return {StreamOp::copy_out, stream, 1, us * 1000}; }
StreamStep kernel(int stream, int quarters, int us) { return {StreamOp::kernel, stream, quarters, us * 1000}; }
StreamStep call(StreamOp op, int stream) { return {op, stream, 1, 0}; }

std::vector<StreamStep> chunks(bool depth_first) {
  std::vector<StreamStep> steps;
  for (int c = 1; c <= 4; ++c) {
    steps.push_back(in(c, 150));
    if (!depth_first) continue;
    steps.push_back(kernel(c, 2, 200));
    steps.push_back(out(c, 150));
  }
  if (depth_first) return steps;
  for (int c = 1; c <= 4; ++c) steps.push_back(kernel(c, 2, 200));
  for (int c = 1; c <= 4; ++c) steps.push_back(out(c, 150));
  return steps;
}

}  // namespace

const std::vector<StreamPreset>& stream_presets() {
  static const std::vector<StreamPreset> all = {
      {"serial",
       "serial",
       1,
       DefaultStream::legacy,
       false,
       {in(1, 200), kernel(1, 2, 300), out(1, 200), in(1, 200), kernel(1, 2, 300), out(1, 200)}},
      {"two_streams",
       "two_streams",
       2,
       DefaultStream::legacy,
       false,
       {in(1, 200), kernel(1, 2, 300), out(1, 200), in(2, 200), kernel(2, 2, 300), out(2, 200)}},
      {"depth_first", "depth_first", 4, DefaultStream::legacy, false, chunks(true), true},
      {"breadth_first", "breadth_first", 4, DefaultStream::legacy, false, chunks(false), true},
      {"default_between",
       "default_legacy",
       2,
       DefaultStream::legacy,
       false,
       {kernel(1, 1, 400), kernel(0, 1, 400), kernel(2, 1, 400)}},
      {"event",
       "event",
       2,
       DefaultStream::legacy,
       false,
       {in(1, 300), call(StreamOp::record, 1), kernel(2, 1, 150), call(StreamOp::wait, 2), kernel(2, 2, 300),
        in(1, 300), out(2, 200)}},
      {"sync",
       "sync_stream",
       2,
       DefaultStream::legacy,
       false,
       {kernel(1, 1, 300), kernel(2, 1, 700), call(StreamOp::sync_stream, 1), kernel(1, 1, 200)}},
      {"empty", "", 2, DefaultStream::legacy, false, {}},
  };
  return all;
}

RecordedProgram recorded_program(const records::StreamRecord& record, std::string_view name) {
  RecordedProgram made{record.program(name), {}};
  for (const records::RecordedStep& seen : made.seen) {
    StreamStep& step = made.program.emplace_back();
    step.op = seen.kind == "h2d"           ? StreamOp::copy_in
              : seen.kind == "kernel"      ? StreamOp::kernel
              : seen.kind == "d2h"         ? StreamOp::copy_out
              : seen.kind == "record"      ? StreamOp::record
              : seen.kind == "wait"        ? StreamOp::wait
              : seen.kind == "sync_stream" ? StreamOp::sync_stream
                                           : StreamOp::sync_device;
    step.stream = seen.stream;
    step.quarters = std::max(1, seen.quarters);
    step.ns = static_cast<std::int64_t>(seen.nominal);
    made.pageable = seen.pageable;
    made.mode = seen.mode == "legacy"         ? DefaultStream::legacy
                : seen.mode == "non_blocking" ? DefaultStream::non_blocking
                                              : DefaultStream::per_thread;
  }
  return made;
}

std::size_t choice_of(const StreamStep& step) {
  for (std::size_t i = 0; i < std::size(stream_choices); ++i)
    if (stream_choices[i].op == step.op && (step.op != StreamOp::kernel || stream_choices[i].quarters == step.quarters))
      return i;
  return 0;
}

}  // namespace warpwalk::story
