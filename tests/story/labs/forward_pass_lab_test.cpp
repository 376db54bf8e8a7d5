// lab/forward-pass: frames, times and launches against sums that were counted from the JSON of the walk by another
// program, in nanoseconds.
#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/labs/forward_pass/linear_call.h"
#include "core/story/scene_list.h"
#include "core/trace/read/read_trace.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

constexpr std::string_view forward_pass_scene = "lab/forward-pass";

Stage forward_pass_beat(std::string_view walk, std::int64_t beat,
                        std::initializer_list<std::pair<const char*, double>> settings = {}) {
  const Trace& trace = sample(walk);
  Controls controls;
  for (const auto& [control, value] : settings) controls.set(fmt::format("{}.{}", forward_pass_scene, control), value);
  return stage_at_beat(*find_scene(forward_pass_scene), trace, default_walk(trace), beat, 1, controls);
}

// One row per call of nn.Linear in mlp_train.json.gz.
struct Expected {
  const char* layer;
  int number;
  std::size_t frames, works, products;
  std::int64_t cpu, python, pytorch, cuda, gpu, before, busy, backward_cpu, backward_gpu;
};
constexpr Expected expected_kernels[] = {
    {"Linear_0", 1, 16, 4, 1, 124643, 18603, 71618, 34422, 18016, 106059, 12858, 50580, 8384},
    {"Linear_1", 1, 16, 4, 2, 63002, 6964, 40515, 15523, 18240, 50038, 8342, 137783, 13184},
    {"Linear_0", 2, 16, 4, 1, 98192, 10477, 60353, 27362, 18784, 78801, 14103, 54347, 8352},
    {"Linear_1", 2, 16, 4, 2, 61067, 7300, 35268, 18499, 18238, 47398, 8563, 191978, 13056},
};

TEST(ForwardPass, FramesAndTimesAreThoseOfTheTrace) {
  const Trace& trace = sample("mlp_train");
  const std::vector<SliceId> ops = linear_ops(trace);
  ASSERT_EQ(ops.size(), std::size(expected_kernels));
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const LinearCall call = linear_call(trace, ops, i);
    const Expected& one = expected_kernels[i];
    EXPECT_EQ(call.layer, one.layer);
    EXPECT_EQ(call.number, one.number);
    EXPECT_EQ(call.tree.frames.size(), one.frames);
    EXPECT_FALSE(call.tree.cut);
    EXPECT_EQ(trace.slices.duration[call.tree.root], one.cpu);
    EXPECT_EQ(own_time(call.tree, Level::python), one.python);
    EXPECT_EQ(own_time(call.tree, Level::pytorch), one.pytorch);
    EXPECT_EQ(own_time(call.tree, Level::cuda), one.cuda);
    EXPECT_EQ(call.tree.started.size(), one.works);
    EXPECT_EQ(gpu_time(trace, call.tree), one.gpu);
    const StartedWork* const longest = longest_work(trace, call.tree);
    ASSERT_NE(longest, nullptr);
    EXPECT_EQ(trace.slices.start[longest->launch] - trace.slices.start[call.tree.root], one.before);
    EXPECT_EQ(gpu_busy(trace, trace.slices.start[call.tree.root], trace.slices.end(call.tree.root)), one.busy);
    std::int64_t backward_cpu = 0, backward_gpu = 0;
    std::size_t products = 0;
    ASSERT_EQ(call.backward.size(), 2u);  // AddmmBackward0 and TBackward0
    for (const CallTree& tree : call.backward) {
      backward_cpu += trace.slices.duration[tree.root];
      backward_gpu += gpu_time(trace, tree);
      for (const CallFrame& frame : tree.frames) products += trace.name(frame.slice) == "aten::mm";
    }
    EXPECT_EQ(backward_cpu, one.backward_cpu);
    EXPECT_EQ(backward_gpu, one.backward_gpu);
    EXPECT_EQ(products, one.products);
  }
}

TEST(ForwardPass, OwnTimesAddUpToTheCall) {
  for (const char* const walk : {"mlp_train", "h200_pytorch_training_step"}) {
    const trace::Trace trace =
        trace::read_trace(fmt::format("{}/assets/walks/{}.json.gz", WARPWALK_SOURCE_DIR, walk)).trace;
    const std::vector<SliceId> ops = linear_ops(trace);
    ASSERT_FALSE(ops.empty());
    for (std::size_t i = 0; i < ops.size(); ++i) {
      const LinearCall call = linear_call(trace, ops, i);
      EXPECT_EQ(
          own_time(call.tree, Level::python) + own_time(call.tree, Level::pytorch) + own_time(call.tree, Level::cuda),
          trace.slices.duration[call.tree.root])
          << walk << " " << i;
    }
  }
}

// The order of the frames, derived by hand from the names of the walk.
TEST(ForwardPass, EachFrameIsKnown) {
  const Trace& trace = sample("mlp_train");
  const LinearCall call = linear_call(trace, linear_ops(trace), 0);
  std::string kinds;
  for (const CallFrame& frame : call.tree.frames) kinds += fmt::format("{}{} ", frame.depth, frame.what);
  EXPECT_EQ(kinds,
            "0module 1call_impl 2tracing 2forward 3getattr 3getattr 3binding 4linear 5view 6view 7view 5addmm 6fill "
            "6launch 6launch 6launch ");
}

TEST(ForwardPass, AWalkWithoutPythonFramesStartsAtTheOp) {
  const trace::Trace trace =
      trace::read_trace(WARPWALK_SOURCE_DIR "/assets/walks/h200_pytorch_training_step.json.gz").trace;
  const LinearCall call = linear_call(trace, linear_ops(trace), 0);
  EXPECT_EQ(call.layer, "");
  EXPECT_EQ(trace.name(call.tree.root), "aten::linear");
  EXPECT_EQ(trace.slices.duration[call.tree.root], 195697);
}

// A layer that calls F.linear among other things is not the call of a Linear layer.
TEST(ForwardPass, OtherModulesAreNotTheCall) {
  const trace::Trace trace = SmallTrace()
                                 .h200()
                                 .frame("nn.Module: Attention_0", 0, 100)
                                 .frame("<built-in function linear>", 10, 50)
                                 .op("aten::linear", 20, 30)
                                 .read();
  const LinearCall call = linear_call(trace, linear_ops(trace), 0);
  EXPECT_EQ(trace.name(call.tree.root), "<built-in function linear>");
  EXPECT_EQ(call.layer, "");
}

TEST(ForwardPass, FramesAreBounded) {
  SmallTrace small;
  small.h200().op("aten::linear", 0, 5000);
  for (int i = 0; i < 600; ++i) small.op("aten::empty", 1 + 2 * i, 1);
  const trace::Trace trace = small.read();
  const LinearCall call = linear_call(trace, linear_ops(trace), 0);
  EXPECT_TRUE(call.tree.cut);
  EXPECT_EQ(call.tree.frames.size(), CallTree::max_frames);
}

TEST(ForwardPass, BusyTimeCountsOverlappingKernelsOnce) {
  const trace::Trace trace = SmallTrace()
                                 .h200()
                                 .kernel("a", 10, 20, 1)
                                 .kernel("b", 20, 20, 2, 8)
                                 .kernel("c", 50, 10, 3)
                                 .op("aten::linear", 0, 5)
                                 .read();
  const std::int64_t zero = trace.slices.start[slice_named(trace, "aten::linear")];
  EXPECT_EQ(gpu_busy(trace, zero, zero + 100000), 40000);
  EXPECT_EQ(gpu_busy(trace, zero + 25000, zero + 55000), 20000);
  EXPECT_EQ(gpu_busy(trace, zero + 41000, zero + 49000), 0);
}

TEST(ForwardPass, NamesOfKernelsSayWhetherTensorCoresMultiply) {
  EXPECT_EQ(tensor_cores_of("sm80_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize128x128x32_stage3_warpsize2x2x1_"
                            "tensor16x8x16_execute_kernel__5x_cublas"),
            TensorCores::yes);
  EXPECT_EQ(tensor_cores_of("void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_128x128_16x5_tn_align4>(int)"),
            TensorCores::yes);
  EXPECT_EQ(tensor_cores_of("void cutlass::Kernel2<cutlass_80_simt_sgemm_64x64_8x5_nn_align1>(int)"), TensorCores::no);
  EXPECT_EQ(tensor_cores_of("void sgemm_largek_lds64<true, false, 5, 5, 4, 4, 4, 34>(float*, float const*)"),
            TensorCores::no);
  EXPECT_EQ(tensor_cores_of("nvjet_sm90_tst_128x256_64x4_2x1_v_bz_coopA_NNT"), TensorCores::unknown);
  EXPECT_EQ(tensor_cores_of("void at::native::vectorized_elementwise_kernel<4, F, A>(int, F, A)"),
            TensorCores::not_a_product);
}

TEST(ForwardPass, FactsOfTheFirstCall) {
  const Stage call = forward_pass_beat("mlp_train", 1, {{"call", 1}});
  EXPECT_EQ(call.title, "Linear_0: 16 frames, 124.6 µs on the CPU");
  EXPECT_EQ(fact_text(call, "Its work on the GPU"), "18.0 µs");
  const Stage levels = forward_pass_beat("mlp_train", 4, {{"call", 1}});
  EXPECT_EQ(fact_text(levels, "From the call to the launch"), "106.1 µs");
  EXPECT_EQ(fact_text(levels, "of the call's time on the CPU"), "85 %");  // 106,059 / 124,643
  // 2 x 64 x 512 x 1,024
  EXPECT_EQ(fact_text(forward_pass_beat("mlp_train", 3, {{"call", 1}}), "Multiplications and additions"), "67,108,864");
  const Stage addmm = forward_pass_beat("mlp_train", 2, {{"call", 1}, {"frame", 11}});
  EXPECT_EQ(addmm.title, "aten::addmm");
  EXPECT_EQ(fact_text(addmm, "Its own time"), "40.8 µs");
  EXPECT_EQ(fact_text(addmm, "The GPU is busy meanwhile"), "9.9 µs");
}

TEST(ForwardPass, TasksAreDoneBySettings) {
  const auto done = [](double call, double frame) {
    const Stage stage = forward_pass_beat("mlp_train", 7, {{"call", call}, {"frame", frame}});
    std::string text;
    for (const TableRow& row : panel_picture<TablePicture>(stage).rows)
      text += row.cells.back().tone == Tone::work ? 'x' : '-';
    return text;
  };
  EXPECT_EQ(done(2, 0), "-----");
  EXPECT_EQ(done(2, 14), "x----");
  EXPECT_EQ(done(2, 11), "-x---");
  EXPECT_EQ(done(2, 9), "--x--");
  EXPECT_EQ(done(4, 0), "---x-");
  EXPECT_EQ(done(1, 0), "----x");
}

TEST(ForwardPass, AWalkWithoutALinearLayerSaysWhichToOpen) {
  for (std::int64_t beat = 1; beat <= 7; ++beat) {
    const Stage stage = forward_pass_beat("relu_matmul", beat);
    EXPECT_THAT(stage.sentence, ::testing::HasSubstr("mlp_train.json.gz"));
    EXPECT_EQ(stage.missing.size(), 1u);
    EXPECT_TRUE(stage.controls.empty());
  }
}

}  // namespace
}  // namespace warpwalk::story::testing
