// The Python line and the nn.Module of ops, calls and GPU work, on traces of a few events.
#include "core/analysis/modules/code_place.h"

#include <string>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/trace/read/read_trace.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::analysis {
namespace {

// An arrow of the category "fwdbwd" between two times of two threads, in microseconds since the start.
std::string arrow(int id, double from, int from_thread, double to, int to_thread) {
  return fmt::format(
      R"({{"ph": "s", "cat": "fwdbwd", "name": "fwdbwd", "id": {0}, "pid": 10, "tid": {1}, "ts": {2:.3f}}},)"
      R"({{"ph": "f", "cat": "fwdbwd", "name": "fwdbwd", "id": {0}, "pid": 10, "tid": {3}, "ts": {4:.3f}, "bp": "e"}})",
      id, from_thread, 1000 + from, to_thread, 1000 + to);
}

trace::Trace read_with(const SmallTrace& made, const std::string& more_events) {
  std::string text = made.text();
  text.insert(text.rfind("\n]}"), ",\n" + more_events);
  trace::ReadResult result = trace::read_trace_text(text);
  EXPECT_FALSE(result.error) << *result.error << "\n" << text;
  return std::move(result.trace);
}

std::string name_or_none(const trace::Trace& trace, SliceId slice) {
  return slice == no_slice ? "none" : std::string(trace.name(slice));
}

std::string sequence(int number, int forward_thread) {
  return fmt::format(R"("Sequence number": {}, "Fwd thread id": {})", number, forward_thread);
}

constexpr int autograd_thread = 20;

// A script that calls a library, which calls a kernel through an nn.Module.
SmallTrace nested_frames() {
  return SmallTrace()
      .frame("train.py(20): <module>", 0, 1000)
      .frame("train.py(16): step", 10, 900)
      .frame("transformers/trainer.py(300): training_step", 12, 800)
      .frame("nn.Module: Sequential_0", 20, 500)
      .frame("torch/nn/modules/module.py(1783): _call_impl", 21, 490)
      .frame("nn.Module: Linear_1", 30, 200)
      .frame("torch/nn/modules/linear.py(130): forward", 31, 190)
      .frame("<built-in function linear>", 32, 180)
      .op("aten::addmm", 40, 100)
      .call("cudaLaunchKernel", 50, 5, 1)
      .kernel("gemm", 100, 50, 1);
}

TEST(CodePlace, TheFrameIsTheInnermostOneOfTheProgramsOwnCode) {
  const trace::Trace trace = nested_frames().read();
  const CodePlaces places(trace);
  for (const char* const what : {"gemm", "cudaLaunchKernel", "aten::addmm", "<built-in function linear>"}) {
    const SliceId slice = slice_named(trace, what);
    EXPECT_EQ(name_or_none(trace, places.of(slice).frame), "train.py(16): step") << what;
    EXPECT_EQ(name_or_none(trace, places.of(slice).module), "nn.Module: Linear_1") << what;
    EXPECT_EQ(places.of(slice).forward_op, no_slice) << what;
    EXPECT_EQ(places.line_text(slice), "train.py(16): step") << what;
    EXPECT_EQ(places.path_text(slice), "Sequential_0 / Linear_1") << what;
    EXPECT_EQ(places.module_path(slice).size(), 2u) << what;
  }
  EXPECT_EQ(name_or_none(trace, places.of(slice_named(trace, "train.py(20): <module>")).frame),
            "train.py(20): <module>");
  EXPECT_EQ(places.path_text(slice_named(trace, "train.py(16): step")), "");
}

TEST(CodePlace, OwnCodeInsideALibraryComesFirst) {
  const trace::Trace trace = SmallTrace()
                                 .frame("/home/me/train.py(16): step", 0, 900)
                                 .frame("nn.Module: Net_0", 20, 500)
                                 .frame("torch/nn/modules/module.py(1783): _call_impl", 21, 490)
                                 .frame("/home/me/models/net.py(40): forward", 30, 300)
                                 .frame("torch/nn/functional.py(1712): relu", 40, 100)
                                 .op("aten::relu", 50, 20)
                                 .read();
  EXPECT_EQ(CodePlaces(trace).line_text(slice_named(trace, "aten::relu")), "net.py(40): forward");
}

TEST(CodePlace, WithoutOwnFramesAnInstalledPackageThenARange) {
  const trace::Trace trace = SmallTrace()
                                 .frame("threading.py(1030): _bootstrap", 0, 900)
                                 .frame("vllm/worker.py(8): run", 10, 300)
                                 .frame("torch/nn/functional.py(1712): relu", 20, 100)
                                 .op("aten::relu", 30, 20)
                                 .frame("torch/nn/functional.py(9): gelu", 400, 100)
                                 .op("aten::gelu", 410, 20)
                                 .read();
  const CodePlaces places(trace);
  EXPECT_EQ(places.line_text(slice_named(trace, "aten::relu")), "worker.py(8): run");
  EXPECT_EQ(places.line_text(slice_named(trace, "aten::gelu")), "");

  const std::string ranges =
      R"({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#3", "pid": 10, "tid": 10,)"
      R"( "ts": 1000, "dur": 900},)"
      R"({"ph": "X", "cat": "user_annotation", "name": "forward", "pid": 10, "tid": 10, "ts": 1010, "dur": 100},)"
      R"({"ph": "X", "cat": "user_annotation", "name": "## Call CompiledFxGraph x ##", "pid": 10, "tid": 10,)"
      R"( "ts": 1020, "dur": 50})";
  const trace::Trace named = read_with(SmallTrace().op("aten::mm", 30, 20).op("aten::add", 500, 20), ranges);
  EXPECT_EQ(CodePlaces(named).line_text(slice_named(named, "aten::mm")), "forward");
  EXPECT_EQ(CodePlaces(named).line_text(slice_named(named, "aten::add")), "ProfilerStep#3");
}

// A forward op inside an nn.Module and its backward on autograd's thread. Around the backward op the engine launches
// work too, here "sum".
SmallTrace backward_pass(const std::string& forward, const std::string& engine, const std::string& backward) {
  return SmallTrace()
      .frame("train.py(16): step", 0, 900)
      .frame("nn.Module: Linear_0", 20, 200)
      .op("aten::linear", 30, 100, forward)
      .op("aten::addmm", 40, 60, forward)
      .op("autograd::engine::evaluate_function: AddmmBackward0", 400, 100, engine, autograd_thread)
      .op("AddmmBackward0", 410, 50, backward, autograd_thread)
      .op("aten::mm", 415, 20, "", autograd_thread)
      .call("cudaLaunchKernel", 420, 5, 1, autograd_thread)
      .op("aten::sum", 470, 20, "", autograd_thread)
      .call("cudaLaunchKernel", 475, 5, 2, autograd_thread)
      .op("autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", 520, 20, "", autograd_thread)
      .call("cudaLaunchKernel", 525, 5, 3, autograd_thread)
      .kernel("gemm", 500, 50, 1)
      .kernel("sum", 560, 10, 2)
      .kernel("accumulate", 580, 10, 3);
}

void expect_backward_places(const trace::Trace& trace) {
  const CodePlaces places(trace);
  for (const char* const what : {"gemm", "sum", "AddmmBackward0", "aten::mm"}) {
    const CodePlace place = places.of(slice_named(trace, what));
    EXPECT_EQ(name_or_none(trace, place.forward_op), "aten::addmm") << what;
    EXPECT_EQ(name_or_none(trace, place.module), "nn.Module: Linear_0") << what;
    EXPECT_EQ(name_or_none(trace, place.frame), "train.py(16): step") << what;
  }
  const CodePlace accumulated = places.of(slice_named(trace, "accumulate"));
  EXPECT_EQ(accumulated.forward_op, no_slice);
  EXPECT_EQ(accumulated.module, no_slice);
}

TEST(CodePlace, AnArrowLeadsFromABackwardOpToItsForwardOp) {
  expect_backward_places(read_with(backward_pass("", "", ""), arrow(1, 40, 10, 410, autograd_thread)));
}

TEST(CodePlace, WithoutArrowsTheSequenceNumberDoes) {
  expect_backward_places(backward_pass(sequence(21, 0), sequence(21, 1), sequence(21, 1)).read());
  // Some versions write the number of the backward function alone.
  expect_backward_places(backward_pass(sequence(21, 0), "", sequence(21, 1)).read());
}

TEST(CodePlace, ASequenceNumberCountsInItsOwnProcessAndBeforeTheBackwardOp) {
  const SmallTrace made = SmallTrace()
                              .frame("nn.Module: Linear_0", 20, 100)
                              .op("aten::mm", 30, 20, sequence(5, 0))
                              .op("MmBackward0", 300, 50, sequence(5, 1), autograd_thread)
                              .op("aten::mul", 600, 20, sequence(5, 0));
  const std::string other_process =
      R"({"ph": "X", "cat": "cpu_op", "name": "aten::other", "pid": 11, "tid": 10, "ts": 1100, "dur": 20,)"
      R"( "args": {"Sequence number": 5, "Fwd thread id": 0}})";
  const trace::Trace trace = read_with(made, other_process);
  EXPECT_EQ(name_or_none(trace, CodePlaces(trace).forward_of(slice_named(trace, "MmBackward0"))), "aten::mm");
}

TEST(CodePlace, OfSeveralForwardThreadsTheOneThatOtherPairsLeadTo) {
  // Both threads count from 7. Only the first has an op 8, so that "Fwd thread id" 1 is the first thread.
  SmallTrace made;
  made.op("aten::mm", 10, 10, sequence(7, 0), 11)
      .op("aten::add", 30, 10, sequence(8, 0), 11)
      .op("aten::mul", 50, 10, sequence(7, 0), 12)
      .op("AddBackward0", 200, 10, sequence(8, 1), autograd_thread)
      .op("MmBackward0", 300, 10, sequence(7, 1), autograd_thread)
      .op("MulBackward0", 400, 10, sequence(7, 2), autograd_thread);
  const trace::Trace trace = made.read();
  const CodePlaces places(trace);
  EXPECT_EQ(name_or_none(trace, places.forward_of(slice_named(trace, "MmBackward0"))), "aten::mm");
  // Nothing tells which thread is 2.
  EXPECT_EQ(name_or_none(trace, places.forward_of(slice_named(trace, "MulBackward0"))), "none");
}

// Activation checkpointing: the backward op of the checkpoint computes the block's forward pass again, and the engine
// runs inside it.
TEST(CodePlace, AForwardPassThatIsComputedAgainHasItsOwnModules) {
  SmallTrace made;
  made.frame("nn.Module: Model_0", 0, 200)
      .op("CheckpointFunction", 20, 100, sequence(3, 0))
      .op("CheckpointFunctionBackward", 400, 400, sequence(3, 1), autograd_thread)
      .frame("nn.Module: Block_0", 410, 100, autograd_thread)
      .op("aten::mm", 420, 20, sequence(9, 0), autograd_thread)
      .op("autograd::engine::evaluate_function: MmBackward0", 600, 100, sequence(9, 2), autograd_thread)
      .call("cudaLaunchKernel", 620, 5, 1, autograd_thread)
      .kernel("gemm", 700, 50, 1);
  const trace::Trace trace = made.read();
  const CodePlaces places(trace);
  EXPECT_EQ(places.path_text(slice_named(trace, "aten::mm")), "Model_0 / Block_0");
  EXPECT_EQ(places.path_text(slice_named(trace, "gemm")), "Model_0 / Block_0");
  EXPECT_EQ(name_or_none(trace, places.of(slice_named(trace, "gemm")).forward_op), "aten::mm");
}

// torch.profiler with with_stack=True writes ranges that start or end some microseconds beside the frames.
TEST(CodePlace, FramesThatARangeOverlapsAreFound) {
  const std::string range =
      R"({"ph": "X", "cat": "user_annotation", "name": "forward", "pid": 10, "tid": 10, "ts": 1102, "dur": 201})";
  const trace::Trace trace = read_with(SmallTrace()
                                           .frame("train.py(8): step", 0, 900)
                                           .frame("train.py(12): forward", 100, 200)
                                           .op("aten::mm", 150, 20)
                                           .op("aten::add", 301, 1),
                                       range);
  const CodePlaces places(trace);
  EXPECT_EQ(places.line_text(slice_named(trace, "aten::mm")), "train.py(12): forward");
  EXPECT_EQ(places.line_text(slice_named(trace, "aten::add")), "train.py(8): step");
}

// A context manager of the program that starts a range: its frame ends, and the range stays.
TEST(CodePlace, AFrameThatEndedBeforeIsNotThePlaceOfWhatRunsInItsRange) {
  const std::string range =
      R"({"ph": "X", "cat": "user_annotation", "name": "forward", "pid": 10, "tid": 10, "ts": 1025, "dur": 500})";
  const trace::Trace trace = read_with(SmallTrace()
                                           .frame("train.py(20): step", 10, 900)
                                           .frame("utils.py(5): timed", 20, 10)
                                           .op("aten::empty", 27, 1)
                                           .op("aten::mm", 100, 20),
                                       range);
  const CodePlaces places(trace);
  for (const auto& [op, frame] :
       {std::pair("aten::empty", "utils.py(5): timed"), std::pair("aten::mm", "train.py(20): step")}) {
    EXPECT_EQ(name_or_none(trace, places.frame_of(slice_named(trace, op))), frame);
    EXPECT_EQ(name_or_none(trace, places.of(slice_named(trace, op)).frame), frame);
  }
}

// frame_of() passes over what of() looks at for modules and forward ops.
TEST(CodePlace, TheFrameAloneIsTheSame) {
  const trace::ReadResult read = read_trace_file("tests/analysis/ranks/data/late_loader_rank1.json.gz");
  const CodePlaces places(read.trace);
  std::size_t found = 0;
  for (SliceId s = 0; s < read.trace.slices.size(); ++s) {
    const SliceId frame = places.frame_of(s);
    ASSERT_EQ(frame, places.of(s).frame) << read.trace.name(s);
    found += frame != no_slice ? 1 : 0;
  }
  EXPECT_GT(2 * found, read.trace.slices.size());
}

TEST(CodePlace, ARecordedCallStackTellsTheExecutedLine) {
  const std::string stack =
      R"("Call stack": "torch/nn/functional.py(1702): relu;net.py(44): forward;train.py(18): step;",)"
      R"( "Module Hierarchy": "TOP(Model)::forward.layers(Sequential)::forward.SELF(Sequential)::run.attn(Attn)::f")";
  const trace::Trace trace = SmallTrace()
                                 .frame("net.py(40): forward", 0, 100)
                                 .op("aten::relu", 10, 50, stack)
                                 .op("aten::clamp_min", 20, 10)
                                 .read();
  const CodePlaces places(trace);
  EXPECT_EQ(places.line_text(slice_named(trace, "aten::clamp_min")), "net.py(44): forward");
  EXPECT_EQ(places.path_text(slice_named(trace, "aten::clamp_min")), "Model.layers.attn");
}

TEST(CodePlace, WithoutLaunchThereIsNone) {
  const trace::Trace trace = SmallTrace().frame("train.py(8): step", 0, 900).kernel("gemm", 100, 50, 0).read();
  const CodePlace place = CodePlaces(trace).of(slice_named(trace, "gemm"));
  EXPECT_EQ(place.frame, no_slice);
  EXPECT_EQ(place.module, no_slice);
  EXPECT_EQ(CodePlaces(trace).of(no_slice).frame, no_slice);
}

TEST(CodePlace, OfARecordedTrainingStep) {
  const trace::Trace& trace = sample("mlp_train");
  const CodePlaces places(trace);
  const SliceId backward = slice_named(trace, "aten::threshold_backward");
  EXPECT_EQ(places.path_text(backward), "Sequential_0 / ReLU_0");
  EXPECT_EQ(places.line_text(backward), "torch_traces.py(16): step");
  EXPECT_EQ(name_or_none(trace, places.of(backward).forward_op), "aten::relu");
}

}  // namespace
}  // namespace warpwalk::analysis
