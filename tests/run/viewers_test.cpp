// Walks of `warpwalk run` and `warpwalk simulate` in other viewers.
#include "tests/trace/viewers.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "core/gpu/device/device_file.h"
#include "core/run/launch/run_launch.h"
#include "core/run/record/launch_trace.h"
#include "core/trace/chrome/writer.h"
#include "tests/run/walk_runs.h"

namespace warpwalk::testing {
namespace {

rapidjson::Document written(const trace::Trace& trace) {
  const std::string text = trace::write_trace_text(trace);
  rapidjson::Document document;
  document.Parse(text.data(), text.size());
  EXPECT_FALSE(document.HasParseError());
  return document;
}

TEST(OtherViewers, TakeWalksOfRun) {
  for (const run::Target on : {run::Target::sim, run::Target::cpu})
    for (const bool gradients : {false, true}) {
      run::RunRequest wanted = request("relu(a @ b)", {variable("a", {33, 20}), variable("b", {20, 17})}, on);
      wanted.gradients = gradients;
      const rapidjson::Document document = written(result_of(wanted).trace);
      trace::test::expect_readable_by_viewers(document, gradients ? "with gradients" : "without gradients");
      std::size_t kernels = 0, from_forward = 0, instants = 0;
      for (const trace::test::Event& event : trace::test::events_of(document)) {
        from_forward += event.phase == "s" && event.category == "fwdbwd";
        instants += event.phase == "i";
        if (event.phase == "X" && event.category == "kernel") {
          ++kernels;
          EXPECT_GT(event.dur, 1) << event.name << ": us, from its simulated cycles";
        }
      }
      EXPECT_EQ(from_forward > 0, gradients);
      EXPECT_GT(instants, 0u);
      EXPECT_EQ(kernels > 0, on == run::Target::sim);
    }
}

TEST(OtherViewers, TakeWalksOfSimulate) {
  const gpu::Device device = *gpu::load_device(assets() / "devices" / "h200.json");
  const std::filesystem::path file = std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/cases/bits/launch.json";
  auto loaded = run::load_launch(file, device);
  ASSERT_TRUE(loaded) << loaded.error();
  auto& launch = *loaded;
  auto initial = run::initial_buffers(launch);
  auto ran = run::run_launch(device, launch, {});
  ASSERT_TRUE(ran) << ran.error();
  trace::test::expect_readable_by_viewers(written(run::trace_of(device, launch, *ran, std::move(initial))), "simulate");
}

}  // namespace
}  // namespace warpwalk::testing
