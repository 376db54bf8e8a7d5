// What to change first, and how much it can save: of a small program, by hand.
#include "core/analysis/time/advice.h"

#include <string>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/words/advice_text.h"
#include "tests/analysis/assets.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::analysis {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// 300 µs of Python, a launch, 100 µs of a kernel that the CPU waits for, 50 µs of Python, and so on again.
trace::Trace prepared_and_waited() {
  return SmallTrace()
      .frame("train.py(3): step", 0, 1000)
      .frame("data.py(12): normalize", 0, 300)
      .call("cudaLaunchKernel", 300, 5, 1)
      .kernel("gemm", 310, 100, 1)
      .call("cudaDeviceSynchronize", 306, 106, 2)
      .call("cudaLaunchKernel", 462, 5, 3)
      .kernel("relu", 470, 60, 3)
      .call("cudaDeviceSynchronize", 468, 63, 4)
      .read();
}

std::vector<Advice> advice_for(const trace::Trace& trace) {
  const PathFinder paths(trace);
  const CodePlaces places(trace);
  AdviceSums sums(trace, places);
  for (const IdleReport& report : idle_reports(trace, paths)) {
    sums.begin_at(report.from);
    sums.add(report.parts);
  }
  sums.add(paths.whole());
  return sums.first(10);
}

// "host data.py(12): normalize 300": kind, line or name, µs; a line for each.
std::string advice_text_for(const trace::Trace& trace) {
  std::string text;
  for (const Advice& one : advice_for(trace))
    text += fmt::format("{} {} {:.0f}\n", name_of(one.kind), one.line.empty() ? one.name : one.line,
                        static_cast<double>(one.at_most) / 1e3);
  return text;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

TEST(Advice, ThatCanSaveTheMostComesFirst) {
  // The step's own Python: 469 µs after the last wait. Without the first wait, the GPU would have had the second kernel
  // 52 µs earlier: 2 until the call returned, 50 until the launch, which count for the wait alone.
  EXPECT_EQ(advice_text_for(prepared_and_waited()),
            "host train.py(3): step 469\n"
            "host data.py(12): normalize 300\n"
            "kernel train.py(3): step 100\n"
            "kernel train.py(3): step 60\n"
            "synchronise train.py(3): step 53\n"  // and 1 after the second kernel
            "launch train.py(3): step 18\n");
}

// A value is read after each of ten batches: CPU and GPU work in turns, 60 µs each, so that the line of the loss and
// the kernel take as long as each other, and either could be hidden behind the other.
TEST(Advice, OfCpuAndGpuThatWorkInTurnsIsTheWait) {
  SmallTrace made;
  made.frame("train.py(3): epoch", 0, 2000);
  for (int i = 0; i < 10; ++i) {
    const double at = 130 * i;
    made.frame(i % 2 == 0 ? "model.py(5): forward" : "loss.py(9): loss", at, 55)
        .call("cudaLaunchKernel", at + 55, 5, 2 * i + 1)
        .kernel(i % 2 == 0 ? "gemm" : "softmax", at + 62, 60, 2 * i + 1)
        .call("cudaStreamSynchronize", at + 60, 64, 2 * i + 2);
  }
  const std::string text = advice_text_for(made.read());
  EXPECT_THAT(text, HasSubstr("synchronise train.py(3): epoch 5"));
  EXPECT_THAT(text, Not(HasSubstr("forward 2"))) << "what could be hidden behind the GPU's work counts for the wait";
}

// .item() of ten values that are there already: its ops, the copy and the wait take 40 µs each, the line itself 10.
TEST(Advice, OfReadingAValueHasTheOpsThatReadIt) {
  SmallTrace made;
  made.frame("train.py(3): log", 0, 520).call("cudaLaunchKernel", 0, 5, 100).kernel("loss", 8, 2, 100);
  for (int i = 0; i < 10; ++i) {
    const double at = 20 + 50 * i;
    made.frame("<built-in method item of Tensor object at 0x7f>", at, 40)
        .op("aten::item", at + 2, 36)
        .call("cudaMemcpyAsync", at + 5, 8, 2 * i + 1)
        .copy("Memcpy DtoH (Device -> Pageable)", at + 16, 2, 2 * i + 1)
        .call("cudaStreamSynchronize", at + 14, 10, 2 * i + 2);
  }
  EXPECT_EQ(advice_text_for(made.read()),
            "synchronise train.py(3): log 400\n"
            "host train.py(3): log 120\n");
}

// Ascend's traces do not say that the op waits.
TEST(Advice, OfReadingAValueIsKnownByItsOp) {
  EXPECT_EQ(first_line(advice_text_for(SmallTrace()
                                           .call("LaunchKernel", 0, 5, 1)
                                           .kernel("MatMul", 10, 20, 1)
                                           .op("aten::item", 30, 110)
                                           .op("aten::_local_scalar_dense", 31, 108)
                                           .op("aten::mul", 150, 20)
                                           .call("LaunchKernel", 160, 5, 2)
                                           .kernel("Mul", 170, 10, 2)
                                           .read())),
            "synchronise aten::_local_scalar_dense 108");
}

// The first call of a process starts CUDA: no later step does.
TEST(Advice, LeavesOutTheStartOfCuda) {
  const std::string text = advice_text_for(SmallTrace()
                                               .call("cudaDeviceGetStreamPriorityRange", 0, 90000, 1)
                                               .call("cudaMalloc", 90000, 500, 2)
                                               .call("cudaLaunchKernel", 90500, 5, 3)
                                               .kernel("gemm", 90510, 100, 3)
                                               .call("cudaMalloc", 90520, 300, 4)
                                               .call("cudaLaunchKernel", 90820, 5, 5)
                                               .kernel("gemm", 90830, 2000, 5)
                                               .read());
  EXPECT_THAT(text, testing::StartsWith("kernel gemm 2"));
  EXPECT_THAT(text, Not(HasSubstr("host")));
}

// 40 launches of 20 µs each, of kernels that take 2 µs.
TEST(Advice, OfALineThatLaunchesSmallKernels) {
  SmallTrace made;
  made.frame("optimizer.py(7): update", 0, 800);
  for (int i = 0; i < 40; ++i) made.call("cudaLaunchKernel", 20 * i + 8, 6, i + 1).kernel("add", 20 * i + 16, 2, i + 1);
  const std::vector<Advice> advice = advice_for(made.read());
  ASSERT_FALSE(advice.empty());
  EXPECT_EQ(advice.front().kind, AdviceKind::small_kernels);
  EXPECT_EQ(advice.front().launches, 40U);
  EXPECT_EQ(advice.front().kernels, 80'000);
  EXPECT_NEAR(static_cast<double>(advice.front().at_most), 790e3, 10e3);
}

// The copy, and the CPU that it holds, are one item.
TEST(Advice, OfPageableMemoryHasTheCopyToo) {
  const std::string text = advice_text_for(SmallTrace()
                                               .frame("train.py(3): step", 0, 1200)
                                               .call("cudaMemcpyAsync", 10, 600, 1)
                                               .copy("Memcpy HtoD (Pageable -> Device)", 30, 590, 1)
                                               .call("cudaStreamSynchronize", 612, 20, 2)
                                               .call("cudaLaunchKernel", 650, 5, 3)
                                               .kernel("gemm", 660, 300, 3)
                                               .call("cudaDeviceSynchronize", 660, 302, 4)
                                               .read());
  EXPECT_THAT(text, testing::StartsWith("pageable train.py(3): step 6"));
  EXPECT_THAT(text, Not(HasSubstr("\ncopy")));
}

TEST(Advice, OfKernelsThatOnlyMoveDataIsOfTheLayout) {
  const std::string text =
      advice_text_for(SmallTrace()
                          .call("cudaLaunchKernel", 0, 5, 1)
                          .kernel("elementwise_kernel<128, 4, direct_copy_kernel_cuda>", 10, 300, 1)
                          .call("cudaLaunchKernel", 6, 5, 2)
                          .kernel("gemm", 310, 100, 2)
                          .call("cudaDeviceSynchronize", 12, 400, 3)
                          .read());
  EXPECT_THAT(text, testing::StartsWith("layout elementwise_kernel"));
}

// The second kernel starts 800 µs after its launch although nothing of the GPU is recorded in between.
TEST(Advice, OfTimeThatTheTraceLacksIsToRecordIt) {
  EXPECT_EQ(first_line(advice_text_for(SmallTrace()
                                           .frame("train.py(3): step", 0, 1100)
                                           .call("cudaLaunchKernel", 0, 5, 1)
                                           .kernel("gemm", 10, 100, 1)
                                           .call("cudaLaunchKernel", 6, 5, 2)
                                           .kernel("gemm", 910, 100, 2)
                                           .call("cudaDeviceSynchronize", 20, 1000, 3)
                                           .read())),
            "unrecorded_gpu  800");
  // Without stacks, what Python does between ops is not recorded.
  EXPECT_EQ(first_line(advice_text_for(SmallTrace()
                                           .op("aten::relu", 0, 20)
                                           .call("cudaLaunchKernel", 5, 5, 1)
                                           .kernel("relu", 15, 10, 1)
                                           .op("aten::relu", 720, 20)
                                           .call("cudaLaunchKernel", 725, 5, 2)
                                           .kernel("relu", 735, 10, 2)
                                           .read())),
            "unrecorded_cpu  695");
}

// While the GPU works, the CPU may be in a wait that is not recorded, as in a trace that was sampled.
TEST(Advice, IsNotOfWhatTheCpuDoesUnrecordedWhileTheGpuWorks) {
  const std::string text = advice_text_for(SmallTrace()
                                               .op("aten::mm", 0, 20)
                                               .call("cudaLaunchKernel", 5, 5, 1)
                                               .kernel("gemm", 15, 1000, 1)
                                               .op("aten::relu", 980, 20)
                                               .call("cudaLaunchKernel", 985, 5, 2)
                                               .kernel("relu", 995, 100, 2, 8)
                                               .read());
  EXPECT_THAT(text, Not(HasSubstr("unrecorded_cpu")));
  EXPECT_THAT(text, HasSubstr("kernel relu 100"));
}

// Three ops on as many elements, a product between them and two more, which are on other elements.
TEST(Advice, OfKernelsThatCanBeFusedLeavesOneThatReadsAndWritesOnce) {
  SmallTrace made;
  int id = 0;
  const auto launch = [&](std::string_view op, std::string_view kernel, double at, double duration, int elements) {
    ++id;
    made.op(op, 10 * id, 8, fmt::format(R"("Input Dims": [[{0}], [{0}]], "Input type": ["float", "float"])", elements))
        .call("cudaLaunchKernel", 10 * id + 2, 4, id)
        .kernel(kernel, at, duration, id);
  };
  launch("aten::relu", "vectorized_elementwise_kernel", 100, 100, 1 << 20);
  launch("aten::add", "vectorized_elementwise_kernel_add", 200, 90, 1 << 20);  // reads two, so 60 µs if it read one
  launch("aten::relu", "vectorized_elementwise_kernel", 290, 100, 1 << 20);
  launch("aten::mm", "gemm", 390, 50, 1 << 10);
  launch("aten::relu", "vectorized_elementwise_kernel", 440, 30, 1 << 18);
  launch("aten::relu", "vectorized_elementwise_kernel", 470, 30, 1 << 19);
  made.call("cudaDeviceSynchronize", 80, 421, 90);
  const trace::Trace trace = made.read();
  std::int64_t fused = 0;
  for (const Advice& one : advice_for(trace))
    if (one.kind == AdviceKind::fuse) fused += one.at_most;
  EXPECT_EQ(fused, 100'000 + 90'000 + 100'000 - 60'000);
}

TEST(Advice, IsNoneForWhatTakesNoTime) {
  EXPECT_TRUE(advice_for(SmallTrace().read()).empty());
  for (const Advice& one : advice_for(prepared_and_waited())) EXPECT_GE(one.at_most, 9'000) << "a hundredth of 1 ms";
}

TEST(Advice, EachKindHasItsWords) {
  for (std::size_t kind = 0; kind < advice_kinds; ++kind) {
    Advice advice;
    advice.kind = static_cast<AdviceKind>(kind);
    for (const char* line : {"", "train.py(3): step"}) {
      advice.line = line;
      const words::AdviceText text = words::advice_text(english(), advice, 1'000'000);
      for (const std::string& one : {text.what, text.action, text.unless, text.basis})
        EXPECT_THAT(one, Not(HasSubstr("(no "))) << name_of(advice.kind);
    }
  }
}

}  // namespace
}  // namespace warpwalk::analysis
