#include "core/story/facts/kernels/kernel_roofline.h"

#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/trace/read/read_trace.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

TEST(KernelRoofline, HasThePointsRoofsAndWhatIsLeftOut) {
  constexpr const char* events = R"({"schemaVersion": 1,
    "deviceProperties": [{"id": 0, "name": "NVIDIA H200", "numSms": 132}], "traceEvents": [
    {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 10, "tid": 10, "ts": 100, "dur": 5,
     "args": {"Input Dims": [[1024, 1024], [1024, 1024]], "Input type": ["c10::Half", "c10::Half"]}},
    {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 10, "tid": 10, "ts": 101, "dur": 1,
     "args": {"correlation": 1}},
    {"ph": "X", "cat": "kernel", "name": "ampere_fp16_s16816gemm_fp16_128x128", "pid": 0, "tid": 7, "ts": 110, "dur": 30,
     "args": {"device": 0, "context": 1, "stream": 7, "correlation": 1, "grid": [8, 8, 1], "block": [128, 1, 1]}},
    {"ph": "X", "cat": "kernel", "name": "other", "pid": 0, "tid": 7, "ts": 300, "dur": 10,
     "args": {"device": 0, "context": 1, "stream": 7, "grid": [1, 1, 1]}}]})";
  const trace::ReadResult read = trace::read_trace_text(events);
  ASSERT_FALSE(read.error) << *read.error;
  const analysis::DeviceMatch device = analysis::kernel_device(read.trace, hardware().devices);
  const KernelRoofline roofline = kernel_roofline(english(), analysis::kernel_table(read.trace, device));
  ASSERT_EQ(roofline.points, 1u);
  EXPECT_EQ(roofline.without, 1u);
  EXPECT_DOUBLE_EQ(roofline.share_without, 0.25);
  const ScatterPoint& point = roofline.picture.points.front();
  EXPECT_DOUBLE_EQ(point.x, 2'147'483'648.0 / (3 * 2.0 * 1024 * 1024));
  EXPECT_DOUBLE_EQ(point.y, 2'147'483'648.0 / 30e-6);
  ASSERT_EQ(roofline.picture.lines.size(), 2u) << "the peak of tensor cores, and the DRAM's bandwidth";
  const ScatterLine &roof = roofline.picture.lines[0], &slope = roofline.picture.lines[1];
  EXPECT_DOUBLE_EQ(roof.from.second, roof.to.second);
  EXPECT_NEAR(slope.from.second / slope.from.first, 4.8e12, 1);
  EXPECT_NEAR(slope.to.second, roof.to.second, 1e6) << "the slope ends at the roof";
  EXPECT_GE(roofline.picture.across.to, point.x);
  EXPECT_LE(roofline.picture.across.from, point.x);
}

}  // namespace
}  // namespace warpwalk::story::testing
