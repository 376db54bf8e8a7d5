// Runs expressions on a real NVIDIA GPU and compares them with the cpu backend. Skipped on machines without a GPU.
#include <chrono>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/run/expression/run_expression.h"
#include "instrumentation/cuda/cuda_backend.h"

namespace warpwalk::cuda {
namespace {

using ops::DType;

class Gpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists("/dev/nvidiactl")) GTEST_SKIP() << "there is no NVIDIA GPU here";
  }

  static run::RunRequest request(std::string expression, std::vector<ops::Variable> inputs) {
    run::RunRequest wanted;
    wanted.expression = std::move(expression);
    wanted.inputs = std::move(inputs);
    wanted.on = run::Target::cuda;
    wanted.assets = std::filesystem::path(WARPWALK_SOURCE_DIR) / "assets";
    wanted.device = *gpu::load_device(wanted.assets / "devices/h200.json");
    wanted.now_ns = [] {
      return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count();
    };
    return wanted;
  }

  static std::unique_ptr<CudaBackend> backend(bool record) {
    CudaBackend::Options options;
    options.libraries = WARPWALK_LIBRARIES;
    options.ptx_folder = std::filesystem::path(WARPWALK_SOURCE_DIR) / "assets/ptx";
    options.record = record;
    auto opened = CudaBackend::open(options);
    if (!opened) ADD_FAILURE() << opened.error();
    return std::move(*opened);
  }
};

// Must be the first test, because recording has to begin before CUDA starts.
TEST_F(Gpu, TheWalkHasTimesAndTheBlocksPlaces) {
  const auto gpu = backend(true);
  auto wanted = request("relu(a @ b)", {{"a", DType::f32, {512, 256}}, {"b", DType::f32, {256, 512}}});
  wanted.placement = true;
  const auto ran = run::run_expression(wanted, gpu.get());
  ASSERT_EQ(ran.index(), 0u) << std::get<1>(ran).line;
  const trace::Trace& trace = std::get<0>(ran).trace;
  ASSERT_EQ(trace.kernel_order.size(), 2u);
  for (const trace::SliceId kernel : trace.kernel_order) {
    EXPECT_GT(trace.slices.duration[kernel], 0);
    const trace::KernelDetail& detail = trace.kernels[trace.slices.detail[kernel]];
    EXPECT_NE(detail.launch, trace::no_slice);
    EXPECT_NE(detail.queued, trace::absent);
    const trace::KernelRecord& record = trace.records.kernels.at(static_cast<std::size_t>(detail.record));
    EXPECT_GT(record.registers, 0u);
    ASSERT_EQ(record.placement.size(), std::size_t{record.grid[0]} * record.grid[1]);
    std::set<std::uint32_t> sms;
    for (const trace::BlockPlacement& block : record.placement) {
      sms.insert(block.sm);
      EXPECT_GE(block.end, block.start);
    }
    EXPECT_GT(sms.size(), 1u);
  }
}

TEST_F(Gpu, ExpressionsAreTheCpusInEveryType) {
  const auto gpu = backend(false);
  const std::vector<std::string_view> of_all_types = {"relu(a @ b + c) * 2",    "sum(a, 0) - a[1]",
                                                      "(a @ b).T[1:, ::2] + 1", "sum(a * a)",
                                                      "maximum(a, a[0]) ** 2",  "linear(a, b.T, c) - amax(a)"};
  const std::vector<std::string_view> of_floats = {"softmax(gelu(a @ b + c), 1)",
                                                   "layer_norm(tanh(a), [33]) * sigmoid(a)",
                                                   "log_softmax(a.T, 0) + mean(a)", "gelu(a, approximate='tanh')"};
  for (const DType dtype : {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i32, DType::i64}) {
    std::vector<std::string_view> texts = of_all_types;
    if (is_float(dtype)) texts.insert(texts.end(), of_floats.begin(), of_floats.end());
    for (const std::string_view text : texts) {
      std::vector<ops::Variable> inputs = {{"a", dtype, {70, 33}}};
      if (text.find('b') != std::string_view::npos) inputs.push_back({"b", dtype, {33, 41}});
      if (text.find('c') != std::string_view::npos) inputs.push_back({"c", dtype, {41}});
      auto wanted = request(std::string(text), inputs);
      wanted.gradients = is_float(dtype);
      const auto ran = run::run_expression(wanted, gpu.get());
      ASSERT_EQ(ran.index(), 0u) << text << ": " << std::get<1>(ran).line;
      EXPECT_TRUE(std::get<0>(ran).good()) << text << " in " << name_of(dtype);
    }
  }
}

}  // namespace
}  // namespace warpwalk::cuda
