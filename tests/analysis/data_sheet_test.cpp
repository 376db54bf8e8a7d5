// Peaks that vendors publish, against the rates of the hardware: units × FLOP per cycle × clock.
#include "core/analysis/kernels/data_sheet.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/kernels/kernel_table.h"
#include "core/gpu/device/gpu_name.h"
#include "core/trace/read/read_trace.h"
#include "tests/analysis/assets.h"

namespace warpwalk::analysis {
namespace {

double tera_of(std::string_view name, std::int64_t sms, MathUnit unit) {
  const DataSheet* const sheet = find_data_sheet(name, sms);
  EXPECT_NE(sheet, nullptr) << name;
  return sheet == nullptr ? 0 : sheet->peak(unit) / 1e12;
}

// Multiprocessors × FLOP per cycle × MHz, in 10^12 per second.
double tera_rate(double units, double flops, double megahertz) { return units * flops * megahertz * 1e6 / 1e12; }

TEST(DataSheet, RatesAreThoseOfTheHardware) {
  // FLOP per cycle from the whitepapers: Hopper (tensor cores at 1,830 and 1,755 MHz), Ampere, Ada, CDNA 2, CDNA 3.
  EXPECT_NEAR(tera_of("NVIDIA H100 SXM5", 132, MathUnit::f16_tensor), tera_rate(132, 4096, 1830), 1);
  EXPECT_NEAR(tera_of("NVIDIA H100 PCIe", 114, MathUnit::f8_tensor), tera_rate(114, 8192, 1620), 1);
  EXPECT_NEAR(tera_of("NVIDIA A100-SXM4-80GB", 108, MathUnit::f16_tensor), tera_rate(108, 2048, 1410), 0.5);
  EXPECT_NEAR(tera_of("NVIDIA A100 80GB PCIe", 108, MathUnit::tf32_tensor), tera_rate(108, 1024, 1410), 0.5);
  EXPECT_NEAR(tera_of("Tesla V100-SXM2-16GB", 80, MathUnit::f16_tensor), tera_rate(80, 1024, 1530), 0.5);
  EXPECT_NEAR(tera_of("NVIDIA L4", 58, MathUnit::f16_tensor), tera_rate(58, 1024, 2040), 0.5);
  EXPECT_NEAR(tera_of("NVIDIA L40S", 142, MathUnit::f32), tera_rate(142, 256, 2520), 0.1);
  EXPECT_NEAR(tera_of("NVIDIA A10", 72, MathUnit::f32), tera_rate(72, 256, 1695), 0.1);
  EXPECT_NEAR(tera_of("AMD Instinct MI300X", 304, MathUnit::f16_tensor), tera_rate(304, 2048, 2100), 0.1);
  EXPECT_NEAR(tera_of("AMD Instinct MI300X", 304, MathUnit::f64), tera_rate(304, 128, 2100), 0.1);
  EXPECT_NEAR(tera_of("AMD Instinct MI250X", 110, MathUnit::f16_tensor), tera_rate(110, 1024, 1700), 0.1);
  EXPECT_NEAR(tera_of("AMD Instinct MI250X/MI250", 104, MathUnit::f64), tera_rate(104, 128, 1700), 0.1);
}

TEST(DataSheet, NarrowerTypesAreTwiceAsFast) {
  for (const DataSheet& sheet : data_sheets()) {
    const double f16 = sheet.peak(MathUnit::f16_tensor);
    EXPECT_GT(f16, 0) << sheet.names;
    if (const double tf32 = sheet.peak(MathUnit::tf32_tensor); tf32 > 0) {
      EXPECT_NEAR(f16 / tf32, 2, 0.05) << sheet.names;
    }
    if (const double f8 = sheet.peak(MathUnit::f8_tensor); f8 > 0) {
      EXPECT_NEAR(f8 / f16, 2, 0.05) << sheet.names;
    }
    EXPECT_FALSE(sheet.document.empty()) << sheet.names;
  }
}

TEST(DataSheet, OneModelForANameAndNoneThatHasADescription) {
  for (const DataSheet& sheet : data_sheets()) {
    const std::string_view first = sheet.names.substr(0, sheet.names.find('|'));
    EXPECT_EQ(find_data_sheet(first, sheet.sms), &sheet) << first;
    for (const gpu::Device& device : devices()) EXPECT_FALSE(gpu::same_model(first, device.name)) << first;
  }
  EXPECT_NE(find_data_sheet("NVIDIA H100 PCIe", trace::absent), nullptr);
  EXPECT_EQ(find_data_sheet("NVIDIA H100 PCIe", 132), nullptr) << "not the SMs of this model";
  EXPECT_EQ(find_data_sheet("AMD Instinct MI300X", 38), nullptr) << "an eighth of it, as in CPX mode";
  EXPECT_EQ(find_data_sheet("AMD Instinct MI250X/MI250", trace::absent), nullptr) << "one of two models";
  EXPECT_EQ(find_data_sheet("", trace::absent), nullptr);
}

// A product of 2,048 × 2,048 × 2,048 in half precision on a GPU, in 100 µs.
KernelTable table_on(const std::string& gpu) {
  const trace::ReadResult result = trace::read_trace_text(fmt::format(
      R"({{"schemaVersion": 1, "deviceProperties": [{{"id": 0, {}}}], "traceEvents": [
{{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 10, "tid": 10, "ts": 100, "dur": 9, "args": {{
  "Input Dims": [[2048, 2048], [2048, 2048]], "Input type": ["c10::Half", "c10::Half"]}}}},
{{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 10, "tid": 10, "ts": 101, "dur": 2,
  "args": {{"correlation": 1}}}},
{{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 120, "dur": 100, "args": {{
  "device": 0, "stream": 7, "correlation": 1, "grid": [64, 1, 1], "block": [128, 1, 1]}}}}]}})",
      gpu));
  EXPECT_FALSE(result.error) << *result.error;
  return kernel_table(result.trace, kernel_device(result.trace, devices()));
}

TEST(DataSheet, GivesTheSharesOfAGpuWithoutADescription) {
  const KernelTable h100 =
      table_on(R"("name": "NVIDIA H100 PCIe", "numSms": 114, "computeMajor": 9, "computeMinor": 0)");
  EXPECT_EQ(h100.peaks.document, "NVIDIA H100 Tensor Core GPU data sheet, H100 PCIe");
  const auto share = h100.share_of_peak(h100.rows.at(0));
  ASSERT_TRUE(share);
  EXPECT_FALSE(share->memory);
  EXPECT_NEAR(share->share, 2 * 2048.0 * 2048 * 2048 / 100e-6 / 756.5e12, 1e-6);
  ASSERT_NE(h100.peaks.find(MathUnit::f16_tensor), nullptr);
  EXPECT_EQ(h100.peaks.find(MathUnit::f16_tensor)->source, "data_sheet");

  const KernelTable amd = table_on(R"("name": "AMD Instinct MI300X", "numSms": 304, "warpSize": 64)");
  EXPECT_DOUBLE_EQ(amd.peaks.bytes_per_second.value_or(0), 5.3e12);
  EXPECT_FALSE(table_on(R"("name": "AMD Instinct MI300X", "numSms": 38, "warpSize": 64)").peaks.known());
  EXPECT_TRUE(table_on(R"("name": "NVIDIA H200", "numSms": 132)").peaks.document.empty()) << "from its description";
}

}  // namespace
}  // namespace warpwalk::analysis
