// Predictions: traces without changes take their own time; changes of small traces take the times that follow by hand.
#include <atomic>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/predict/made_change.h"
#include "core/analysis/predict/prediction.h"
#include "core/analysis/predict/suggest.h"
#include "core/analysis/time/overview.h"
#include "core/trace/chrome/writer.h"
#include "core/trace/read/read_trace.h"
#include "tests/analysis/assets.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::analysis {
namespace {

std::vector<Change> changes_of(const std::vector<std::string>& texts) {
  std::vector<Change> changes;
  for (const std::string& text : texts) {
    auto change = parse_change(text);
    EXPECT_TRUE(change) << text;
    if (change) changes.push_back(*std::move(change));
  }
  return changes;
}

Prediction predicted(const trace::Trace& trace, const std::vector<std::string>& texts) {
  auto prediction = predict(trace, changes_of(texts), devices());
  EXPECT_TRUE(prediction) << prediction.error();
  return prediction ? *std::move(prediction) : Prediction{};
}

double step_us(const trace::Trace& trace, const std::vector<std::string>& texts) {
  const Prediction prediction = predicted(trace, texts);
  EXPECT_TRUE(prediction.step) << prediction.cannot;
  return prediction.step.value_or(0) / 1e3;
}

// An op of 100 us with a launch at 10, then a launch at 40; the kernels run from 20 to 60 and to 150; the CPU reads the
// result from 100 on, for which it waits until 170, and works until 200.
SmallTrace reading() {
  SmallTrace made;
  made.op("aten::mm", 0, 60).call("cudaLaunchKernel", 10, 5, 1).call("cudaLaunchKernel", 40, 5, 2);
  made.kernel("gemm", 20, 40, 1).kernel("relu", 61, 89, 2);
  made.op("aten::item", 90, 80).call("cudaMemcpyAsync", 100, 5, 3).call("cudaStreamSynchronize", 110, 50, 4);
  made.copy("Memcpy DtoH (Device -> Pinned)", 151, 2, 3);
  made.op("aten::add", 170, 30);
  return made;
}

TEST(Predict, EachShippedTraceTakesItsOwnTime) {
  std::size_t traces = 0;
  for (const std::string_view folder : {"assets/walks", "tests/analysis/causes", "tests/analysis/delays"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(WARPWALK_SOURCE_DIR) / folder)) {
      if (!entry.path().string().ends_with(".json.gz")) continue;
      const trace::ReadResult read = trace::read_trace(entry.path());
      ASSERT_FALSE(read.error) << *read.error;
      const WorkGraph graph = work_graph(read.trace);
      if (graph.empty()) continue;
      ++traces;
      const NodeTimes times = replay(graph);
      for (const NodeRange& step : graph.steps) {
        const auto recorded = static_cast<double>(step.to - step.from);
        EXPECT_NEAR(times.of(step), recorded, 0.01 * recorded) << entry.path();
      }
      const double recorded = recorded_step_time(graph);
      EXPECT_NEAR(step_time(graph, times), recorded, 0.01 * recorded) << entry.path();
    }
  EXPECT_GE(traces, 30u);
}

TEST(Predict, AWaitIsDerivedFromTheWork) {
  const trace::Trace trace = reading().read();
  EXPECT_DOUBLE_EQ(step_us(trace, {"launch-us:5"}), 200);
  // The first kernel ends at 40. The second one is launched at 40 and begins 10 us later, as the first one did. That
  // is 11 us earlier than recorded, and everything that waits for it is 11 us earlier too.
  EXPECT_NEAR(step_us(trace, {"kernel:gemm:x2"}), 189, 0.1);
  // With kernels that take almost no time, the CPU waits only as long as the call itself takes.
  EXPECT_LT(step_us(trace, {"kernel:gemm:x1000", "kernel:relu:x1000"}), 160);
  // Without the read: 90 us before it and 30 us after it; the GPU ends later, at 150.
  EXPECT_NEAR(step_us(trace, {"drop-sync:all"}), 150, 0.1);
  // A GPU that has time does not make a slower launch longer than that.
  EXPECT_NEAR(step_us(trace, {"launch-us:15"}), 220, 25);
}

TEST(Predict, ChangesThatTheTraceDoesNotHave) {
  const trace::Trace trace = reading().read();
  EXPECT_EQ(predicted(trace, {"pinned"}).cannot, "the trace has no copy of pageable memory to the GPU");
  EXPECT_FALSE(predicted(trace, {"batch:x4"}).step);
  EXPECT_FALSE(predicted(trace, {"compile", "fused-optimizer"}).step);
  EXPECT_TRUE(verdict_of(predicted(trace, {"dtype:bf16"})).starts_with("Cannot tell: "));
  const auto none = predict(trace, changes_of({"kernel:softmax:x2"}), devices());
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error(), "kernel:softmax:x2: no kernel has this in its name; the trace has gemm, relu");
  const auto no_line = predict(trace, changes_of({"drop-sync:train.py:41"}), devices());
  ASSERT_FALSE(no_line);
  EXPECT_NE(no_line.error().find("with_stack=True"), std::string::npos) << no_line.error();
}

TEST(Predict, ALineIsThatOfItsFunction) {
  SmallTrace made = reading();
  made.frame("train.py(30): step", 0, 200);
  const trace::Trace trace = made.read();
  EXPECT_NEAR(step_us(trace, {"drop-sync:train.py:41"}), 150, 0.1);
  const auto before = predict(trace, changes_of({"drop-sync:train.py:29"}), devices());
  ASSERT_FALSE(before);
  EXPECT_EQ(before.error(), "drop-sync:train.py:29: no synchronisation there; the trace has train.py:30");
}

// A copy of pageable memory, which the CPU waits for, and a product.
SmallTrace copying() {
  SmallTrace made;
  made.op("aten::copy_", 0, 100).call("cudaMemcpyAsync", 5, 80, 1).call("cudaStreamSynchronize", 90, 8, 2);
  made.copy("Memcpy HtoD (Pageable -> Device)", 15, 70, 1);
  made.op("aten::mm", 100, 20).call("cudaLaunchKernel", 105, 5, 3).kernel("gemm", 115, 10, 3);
  return made;
}

TEST(Predict, ACopyOfPinnedMemoryDoesNotWait) {
  const trace::Trace trace = copying().read();
  const Prediction prediction = predicted(trace, {"pinned"});
  ASSERT_TRUE(prediction.step);
  EXPECT_LT(*prediction.step, 115e3);
  EXPECT_EQ(prediction.basis.front().origin, BasisOrigin::measured);
  EXPECT_LE(*prediction.low, *prediction.step);
  EXPECT_GE(*prediction.high, *prediction.step);
}

TEST(Predict, CopiesOnTheirOwnStreamRunBesideTheWorkOfAStep) {
  const auto made = [](int copy) {
    SmallTrace trace;
    for (int step = 0; step < 4; ++step) {
      const int at = 400 * step;
      trace.range(fmt::format("ProfilerStep#{}", step), at, 400);
      trace.op("aten::copy_", at, 20).call("cudaMemcpyAsync", at + 5, 5, 10 * step + 1);
      trace.copy("Memcpy HtoD (Pinned -> Device)", at + 15, copy, 10 * step + 1);
      trace.op("aten::mm", at + 20, 20).call("cudaLaunchKernel", at + 25, 5, 10 * step + 2);
      trace.kernel("gemm", at + 15 + copy, 380 - copy, 10 * step + 2);
      trace.call("cudaDeviceSynchronize", at + 40, 358, 10 * step + 3);
    }
    return trace.read();
  };
  EXPECT_NEAR(step_us(made(100), {"stream:copies"}), 315, 1);  // 35 us to the kernel's start, and its 280 us
  EXPECT_NEAR(step_us(made(300), {"stream:copies"}), 300, 1);  // more than 35 us and 80 us: as long as its copies
  EXPECT_EQ(predicted(copying().read(), {"stream:copies"}).cannot,
            "copies of pageable memory are finished when their call returns (add the change pinned)");
  EXPECT_TRUE(predicted(copying().read(), {"stream:copies", "pinned"}).step);
  EXPECT_EQ(predicted(reading().read(), {"stream:copies"}).cannot,
            "no step copies to the GPU on a stream that computes");
}

TEST(Predict, AGraphHasOneLaunchAndGapsOfAGraph) {
  SmallTrace made;
  for (int i = 0; i < 40; ++i) {
    made.op("aten::relu", 50 * i, 40).call("cudaLaunchKernel", 50 * i + 20, 5, i + 1);
    made.kernel("relu", 50 * i + 30, 3, i + 1);
  }
  made.op("aten::empty", 2'000, 10);
  const trace::Trace trace = made.read();
  const Prediction prediction = predicted(trace, {"graph:step"});
  ASSERT_TRUE(prediction.step) << prediction.cannot;
  // Forty kernels of 3 us, 39 gaps of 0.7 us, the launch and what the CPU does after it.
  EXPECT_GT(*prediction.step / 1e3, 40 * 3 + 39 * 0.7);
  EXPECT_LT(*prediction.step / 1e3, 250);
  const trace::Trace changed = changed_trace(trace, prediction);
  const trace::ReadResult read = trace::read_trace_text(trace::write_trace_text(changed));
  ASSERT_FALSE(read.error) << *read.error;
  EXPECT_EQ(read.trace.kernels.size(), 40u);
  EXPECT_EQ(read.trace.text(read.trace.tracks.front().process_name).substr(0, 9), "predicted");
  std::size_t launched = 0;
  for (const auto& [launch, work] : read.trace.launched) launched += read.trace.name(launch) == "cudaGraphLaunch";
  EXPECT_EQ(launched, 40u);
}

TEST(Predict, TheChangedTraceTakesThePredictedTime) {
  for (const std::string change : {"drop-sync:all", "cpu:x2", "launch-us:1"}) {
    const trace::Trace& trace = sample("mlp_train");
    const Prediction prediction = predicted(trace, {change});
    ASSERT_TRUE(prediction.step) << prediction.cannot;
    const WorkGraph graph = work_graph(changed_trace(trace, prediction));
    EXPECT_NEAR(recorded_step_time(graph), *prediction.step, 0.02 * *prediction.step) << change;
  }
}

TEST(Predict, WordsOfChanges) {
  for (const char* const good :
       {"drop-sync:a/b.py:3", "drop-sync:all", "pinned", "stream:copies", "graph:step", "compile", "dtype:tf32",
        "batch:x0.5", "kernel:a:b:x2", "kernel:a:roofline", "gpu:h100", "launch-us:2.5", "cpu:x3", "seq:x2",
        "hidden:x0.5", "fuse:gelu+add", "ranks:x2", "link:x0.5"})
    EXPECT_TRUE(parse_change(good)) << good;
  for (
      const char* const bad :
      {"",          "sync",       "drop-sync", "drop-sync:", "drop-sync:a.py", "drop-sync:a.py:0", "drop-sync:a.py:1.5",
       "pinned:",   "graph",      "graph:all", "dtype:int4", "batch:4",        "batch:x0",         "batch:xnan",
       "kernel:x2", "kernel:a:x", "gpu:",      "fuse:",      "link:0.5",       "launch-us:-1",     "launch-us:inf",
       "cpu:x1e9"})
    EXPECT_FALSE(parse_change(bad)) << bad;
  EXPECT_EQ(parse_change("dtype:int4").error(), "dtype:int4: after dtype: comes bf16, f16, tf32 or fp8");
  EXPECT_NE(parse_change("faster").error().find("possible are drop-sync:FILE:LINE"), std::string::npos);
}

// A training step of three layers of float32 with its optimizer, and shapes.
SmallTrace training() {
  SmallTrace made;
  made.h200();
  int correlation = 0;
  const std::string big = R"("Input Dims": [[4096, 4096], [4096, 4096]], "Input type": ["float", "float"])";
  const std::string one = R"("Input Dims": [[4096, 4096]], "Input type": ["float"])";
  double gpu = 30;
  const auto layer = [&](double at, std::string_view op, std::string_view kernel, double time,
                         const std::string& shapes) {
    made.op(op, at, 20, shapes).call("cudaLaunchKernel", at + 5, 5, ++correlation);
    made.kernel(kernel, gpu, time, correlation);
    gpu += time + 1;
  };
  layer(0, "aten::mm", "sm80_xmma_gemm_f32f32_ffma", 2'700, big);
  layer(30, "aten::relu", "elementwise_kernel_relu", 40, one);
  layer(60, "aten::mul", "elementwise_kernel_mul", 60, big);
  layer(90, "aten::mm", "sm80_xmma_gemm_f32f32_ffma", 2'700, big);
  made.op("aten::item", 200, gpu - 160).call("cudaStreamSynchronize", 210, gpu - 200, 99);
  return made;
}

TEST(Predict, ProductsOnTensorCoresAndFusedKernels) {
  const trace::Trace trace = training().read();
  // 137 GFLOP at half of 989 TFLOP/s or more: under 0.4 ms instead of 2.7 ms.
  const Prediction narrow = predicted(trace, {"dtype:bf16"});
  ASSERT_TRUE(narrow.step) << narrow.cannot;
  EXPECT_LT(*narrow.step / 1e6, 1.5);
  EXPECT_GT(*narrow.step / 1e6, 0.35);
  EXPECT_EQ(narrow.basis.front().origin, BasisOrigin::scaled);
  const double four = step_us(trace, {"batch:x4"});
  EXPECT_NEAR(four, 4 * (2 * 2'700 + 100), 400);
  const Prediction fused = predicted(trace, {"compile"});
  ASSERT_TRUE(fused.step) << fused.cannot;
  EXPECT_EQ(fused.parts_before.kernels - fused.parts_after.kernels, 1u);
  EXPECT_LT(step_us(trace, {"kernel:gemm:roofline"}), 5'600);
  EXPECT_GT(step_us(trace, {"gpu:a100"}), 5'500);
}

TEST(Predict, ARooflineIsThatOfTheNarrowerType) {
  const trace::Trace trace = training().read();
  // 137 GFLOP at the H200's 67 TFLOP/s of float32, and at 989 TFLOP/s of bfloat16.
  const double wide = step_us(trace, {"kernel:gemm:roofline"}),
               narrow = step_us(trace, {"dtype:bf16", "kernel:gemm:roofline"});
  EXPECT_GT(wide, 2 * 137e9 / 70e12 * 1e6);
  EXPECT_LT(narrow, step_us(trace, {"dtype:bf16"}));
  EXPECT_GT(narrow, 2 * 137e9 / 1'000e12 * 1e6);
}

TEST(Predict, AHiddenSizeCountsTwiceInProducts) {
  const trace::Trace trace = training().read();
  const double twice = step_us(trace, {"hidden:x2"});
  EXPECT_NEAR(twice, 4 * 2 * 2'700 + 2 * 100, 600);
  const Prediction sequence = predicted(trace, {"seq:x2"});
  EXPECT_NE(sequence.cannot.find("no attention or softmax"), std::string::npos) << sequence.cannot;
  SmallTrace made = training();
  const std::string scores = R"("Input Dims": [[8, 4096, 4096]], "Input type": ["float"])";
  made.op("aten::_softmax", 120, 20, scores).call("cudaLaunchKernel", 125, 5, 50);
  made.kernel("softmax_warp_forward", 5'600, 1'000, 50);
  const trace::Trace attention = made.read();
  EXPECT_NEAR(step_us(attention, {"seq:x2"}) - step_us(attention, {"batch:x2"}), 2'000, 60);
}

TEST(Predict, OpsThatFollowEachOtherAreFused) {
  const trace::Trace trace = training().read();
  const Prediction fused = predicted(trace, {"fuse:relu+mul"});
  ASSERT_TRUE(fused.step) << fused.cannot;
  EXPECT_EQ(fused.parts_before.kernels - fused.parts_after.kernels, 1u);
  EXPECT_LT(*fused.step, fused.before - 30e3);
  EXPECT_EQ(predicted(trace, {"fuse:relu"}).cannot, "no two kernels of these ops follow each other on a stream");
  const auto none = predict(trace, changes_of({"fuse:gelu+dropout"}), devices());
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().find("the trace has aten::mm"), std::string::npos) << none.error();
}

TEST(Predict, ALinkAndItsRanks) {
  SmallTrace made = training();
  made.op("aten::add", 130, 5).call("cudaLaunchKernel", 131, 3, 60);
  made.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 5'600, 1'012, 60);
  std::string text = made.text();
  const std::size_t at = text.find(R"("correlation": 60, "registers)");
  ASSERT_NE(at, std::string::npos);
  text.insert(at, R"("Collective name": "allreduce", "Group size": 2, )");
  const trace::Trace trace = trace::read_trace_text(text).trace;
  const double recorded = step_us(trace, {"cpu:x1"});
  // 12 us stay; 85 % of 1 ms takes twice as long.
  EXPECT_NEAR(step_us(trace, {"link:x0.5"}) - recorded, 850, 10);
  // With two ranks, each rank sends its bytes once; with four ranks, 1.5 times.
  EXPECT_NEAR(step_us(trace, {"ranks:x2"}) - recorded, 500, 20);
  EXPECT_NE(predicted(training().read(), {"link:x2"}).cannot, "");
}

// A step of many small products on the CPU's time.
TEST(Predict, AChangeWithinWhatTwoRunsDifferByCannotBeTold) {
  SmallTrace made;
  made.h200();
  const std::string small = R"("Input Dims": [[64, 64], [64, 64]], "Input type": ["float", "float"])";
  for (int i = 0; i < 40; ++i) {
    made.op("aten::mm", 50 * i, 45, small).call("cudaLaunchKernel", 50 * i + 20, 5, i + 1);
    made.kernel("sm80_xmma_gemm_f32f32_ffma", 50 * i + 30, 3, i + 1);
  }
  const trace::Trace trace = made.read();
  const Prediction batch = predicted(trace, {"batch:x2"});
  EXPECT_FALSE(batch.step);
  EXPECT_NE(batch.cannot.find("two runs of the same code"), std::string::npos) << batch.cannot;
  EXPECT_TRUE(predicted(trace, {"kernel:gemm:x2"}).step) << "it is derived";
}

TEST(Predict, TheOrderOfChangesDoesNotMatter) {
  const trace::Trace trace = training().read();
  const std::vector<std::string> some = {"dtype:bf16", "batch:x4", "cpu:x2", "launch-us:2", "compile", "gpu:a100"};
  const std::vector<std::string> reversed(some.rbegin(), some.rend());
  const Prediction one = predicted(trace, some), other = predicted(trace, reversed);
  ASSERT_TRUE(one.step) << one.cannot;
  EXPECT_DOUBLE_EQ(*one.step, other.step.value_or(0));
  ASSERT_EQ(one.basis.size(), some.size());
  for (std::size_t i = 0; i < some.size(); ++i) {
    EXPECT_EQ(one.basis[i].change, some[i]);
    EXPECT_EQ(other.basis[i].change, reversed[i]);
  }
  // A larger batch has more work in the narrower type too: 4 x 137 GFLOP per product at half of the peak or more.
  EXPECT_GT(step_us(trace, {"batch:x4", "dtype:bf16"}), 2 * 4 * 137e9 / 989e12 * 1e6);
}

TEST(Predict, RunsDifferMoreWhereTheCpuIsTheBound) {
  SmallTrace made;
  for (int i = 0; i < 40; ++i) {
    made.op("aten::relu", 50 * i, 45).call("cudaLaunchKernel", 50 * i + 20, 5, i + 1);
    made.kernel("relu", 50 * i + 30, 3, i + 1);
  }
  const Prediction cpu = predicted(made.read(), {"kernel:relu:x2"});
  ASSERT_TRUE(cpu.step);
  EXPECT_GT((*cpu.high - *cpu.step) / *cpu.step, 0.12);
  const Prediction gpu = predicted(training().read(), {"kernel:relu:x2"});
  ASSERT_TRUE(gpu.step);
  EXPECT_LT((*gpu.high - *gpu.step) / *gpu.step, 0.05);
}

TEST(Predict, AGpuSaysWhereItsPeaksAreFrom) {
  const trace::Trace trace = training().read();
  EXPECT_NE(predicted(trace, {"gpu:L40S"}).basis.front().text.find("data sheet"), std::string::npos);
  EXPECT_NE(predicted(trace, {"gpu:a100"}).basis.front().text.find("from published figures"), std::string::npos);
  const Prediction h100 = predicted(trace, {"gpu:h100"});
  ASSERT_TRUE(h100.step);
  // Products far from the ridge do not get slower by the memory's bandwidth.
  EXPECT_LT(*h100.high, 1.25 * *h100.step);
}

TEST(Predict, AdviceLeadsToChanges) {
  const trace::Trace& trace = sample("mlp_train");
  const Overview overview = overview_of(trace);
  const std::vector<AdvicePrediction> predicted = predict_advice(trace, overview.advice, devices());
  ASSERT_EQ(predicted.size(), overview.advice.size());
  bool graph = false, sync = false, none = false;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    graph =
        graph || (predicted[i].change == "graph:step" && predicted[i].step && *predicted[i].step < predicted[i].before);
    sync = sync || predicted[i].change == "drop-sync:torch_traces.py:16";
    none = none || (overview.advice[i].kind == AdviceKind::profiler && predicted[i].change.empty());
  }
  EXPECT_TRUE(graph && sync && none);
  std::set<std::string> changes;
  for (const Suggestion& one : suggested_changes(trace, overview.advice, no_slice, no_slice))
    EXPECT_TRUE(!one.change || changes.insert(one.change->text).second);
  EXPECT_TRUE(changes.contains("cpu:x2") && changes.contains("batch:x4"));
  std::atomic<bool> cancel = true;
  EXPECT_TRUE(predict_advice(trace, overview.advice, devices(), &cancel).empty());
}

// The first trace of each pair states the step time after the change. It must be that of the second trace.
TEST(Predict, ShippedPairsSayWhatWasRecorded) {
  for (const std::string name : {"h200_what_if_pinned", "h200_what_if_bf16"}) {
    const std::filesystem::path folder = std::filesystem::path(WARPWALK_SOURCE_DIR) / "assets/what_if";
    const trace::ReadResult before = trace::read_trace(folder / (name + ".json.gz"));
    ASSERT_FALSE(before.error) << *before.error;
    const auto made = made_change(before.trace);
    ASSERT_TRUE(made) << name;
    const trace::ReadResult after = trace::read_trace(folder / made->file);
    ASSERT_FALSE(after.error) << *after.error;
    EXPECT_NEAR(recorded_step_time(work_graph(after.trace)), made->step, 1) << name;
    const auto prediction = predict(before.trace, made->changes, devices());
    ASSERT_TRUE(prediction && prediction->step) << name;
    EXPECT_LT(*prediction->low, made->step) << name;
    EXPECT_GT(*prediction->high, made->step) << name;
  }
  SmallTrace none = reading();
  EXPECT_FALSE(made_change(none.read()));
}

}  // namespace
}  // namespace warpwalk::analysis
