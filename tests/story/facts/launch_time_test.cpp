// Times that are scaled to other grids and GPUs.
#include "core/story/facts/launch/launch_time.h"

#include <functional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/facts/launch/launch_plan.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

constexpr std::string_view launch_walks[] = {"relu_matmul", "two_streams", "mlp_train", "h200_pytorch_relu_matmul",
                                             "h200_pytorch_training_step"};

std::optional<LaunchPlan> plan_of(const Trace& trace, const Walk& walk, double gpu, double grid = 0) {
  Controls controls;
  controls.set("launch.gpu", gpu);
  if (grid > 0) controls.set("launch.grid", grid);
  return launch_plan({trace, walk, english(), hardware(), {}, controls}, Placed::none);
}

void for_each_launch(const std::function<void(const std::string& what, const Trace&, const Walk&)>& check) {
  for (const std::string_view name : launch_walks)
    for (std::size_t k = 0; k < sample(name).kernel_order.size(); ++k)
      check(fmt::format("{} kernel:{}", name, k), sample(name),
            follow_gpu_work(sample(name), sample(name).kernel_order[k]));
}

TEST(LaunchTime, NoGpuDoesMoreThanItsPeak) {
  std::size_t known = 0;
  for_each_launch([&](const std::string& what, const Trace& trace, const Walk& walk) {
    for (const double gpu : {0, 1, 2, 3})
      for (const double grid : {0, 1, 100, 5000, 100000}) {
        const std::optional<LaunchPlan> plan = plan_of(trace, walk, gpu, grid);
        if (!plan || !plan->time || !plan->time_model->work().fp32_operations) continue;
        ++known;
        const double work = *plan->time_model->work().fp32_operations * static_cast<double>(plan->blocks) /
                            static_cast<double>(plan->launched_blocks);
        EXPECT_GE(plan->time->total_ns * *fp32_peak(*plan->device), 0.999999 * work) << what << " on " << gpu;
      }
  });
  EXPECT_GE(known, 100u);
}

TEST(LaunchTime, AGpuOfFewerSmsIsNeverFaster) {
  std::size_t compared = 0;
  for_each_launch([&](const std::string& what, const Trace& trace, const Walk& walk) {
    for (const double grid : {0, 1, 7, 300, 5000}) {
      double last = 0;
      for (const double gpu : {3, 2, 1}) {
        const std::optional<LaunchPlan> plan = plan_of(trace, walk, gpu, grid);
        if (!plan || !plan->time) continue;
        ++compared;
        EXPECT_GE(plan->time->total_ns, 0.999999 * last) << what << ", " << grid << " blocks on " << plan->device->name;
        last = plan->time->total_ns;
      }
    }
  });
  EXPECT_GT(compared, 1000u);
}

TEST(LaunchTime, AsLaunchedItIsTheRecordedTime) {
  for_each_launch([&](const std::string& what, const Trace& trace, const Walk& walk) {
    const std::optional<LaunchPlan> plan = plan_of(trace, walk, 0);
    if (plan && plan->time) {
      EXPECT_DOUBLE_EQ(plan->time->total_ns, static_cast<double>(trace.slices.duration[walk.kernel])) << what;
    }
  });
}

TEST(LaunchTime, WorkIsKnownForProductsAndElementWiseOps) {
  const Trace& trace = sample("relu_matmul");
  const LaunchWork product = launch_work(trace, *follow(trace, "kernel:0"));
  EXPECT_EQ(product.fp32_operations, 2.0 * 1024 * 1024 * 1024);
  EXPECT_EQ(product.bytes, 3.0 * 4 * 1024 * 1024);
  const LaunchWork relu = launch_work(trace, *follow(trace, "kernel:1"));
  EXPECT_FALSE(relu.fp32_operations);
  EXPECT_EQ(relu.bytes, 2.0 * 4 * 1024 * 1024);
  // Two kernels share the work of their op, so the share of each is not known.
  const Trace shared =
      SmallTrace()
          .op("aten::mm", 0, 100, R"("Input Dims": [[64, 64], [64, 64]], "Input type": ["float", "float"],
                               "Input Strides": [[64, 1], [64, 1]])")
          .call("cudaLaunchKernel", 10, 5, 1)
          .kernel("k", 20, 10, 1)
          .call("cudaLaunchKernel", 30, 5, 2)
          .kernel("k", 40, 10, 2)
          .read();
  EXPECT_FALSE(launch_work(shared, *follow(shared, "kernel:0")).fp32_operations);
}

}  // namespace
}  // namespace warpwalk::story::testing
