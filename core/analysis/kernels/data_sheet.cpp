#include "core/analysis/kernels/data_sheet.h"

#include <algorithm>
#include <array>

#include "core/gpu/device/gpu_name.h"
#include "core/trace/trace.h"

namespace warpwalk::analysis {
namespace {

// Figures that a document gives "with sparsity" are halved here. The order of a row's rates is that of MathUnit:
// FP64, FP64 on tensor cores, FP32, TF32, 16-bit, 16-bit on tensor cores, FP8. AMD's matrix cores count as tensor
// cores.
constexpr std::array sheets = {
    DataSheet{"NVIDIA H100 SXM5",
              132,
              {34, 67, 67, 494.5, 0, 989.5, 1979},
              3350,
              "NVIDIA H100 Tensor Core GPU data sheet, H100 SXM"},
    DataSheet{"NVIDIA H100 PCIe|NVIDIA H100 80GB PCIe",
              114,
              {26, 51, 51, 378, 0, 756.5, 1513},
              2000,
              "NVIDIA H100 Tensor Core GPU data sheet, H100 PCIe"},
    DataSheet{"NVIDIA A100-SXM4-80GB",
              108,
              {9.7, 19.5, 19.5, 156, 0, 312, 0},
              2039,
              "NVIDIA A100 Tensor Core GPU data sheet, A100 80GB SXM"},
    DataSheet{"NVIDIA A100 80GB PCIe|NVIDIA A100-PCIE-80GB",
              108,
              {9.7, 19.5, 19.5, 156, 0, 312, 0},
              1935,
              "NVIDIA A100 Tensor Core GPU data sheet, A100 80GB PCIe"},
    DataSheet{"NVIDIA A100-PCIE-40GB",
              108,
              {9.7, 19.5, 19.5, 156, 0, 312, 0},
              1555,
              "NVIDIA A100 Tensor Core GPU data sheet, A100 40GB PCIe"},
    DataSheet{"Tesla V100-SXM2-16GB|Tesla V100-SXM2-32GB",
              80,
              {7.8, 0, 15.7, 0, 0, 125, 0},
              900,
              "NVIDIA V100 Tensor Core GPU data sheet, V100 SXM2"},
    DataSheet{"Tesla V100-PCIE-16GB|Tesla V100-PCIE-32GB",
              80,
              {7, 0, 14, 0, 0, 112, 0},
              900,
              "NVIDIA V100 Tensor Core GPU data sheet, V100 PCIe"},
    DataSheet{"NVIDIA L4", 58, {0, 0, 30.3, 60, 0, 121, 242.5}, 300, "NVIDIA L4 Tensor Core GPU data sheet"},
    DataSheet{"NVIDIA L40S", 142, {0, 0, 91.6, 183, 0, 362.05, 733}, 864, "NVIDIA L40S data sheet"},
    DataSheet{"NVIDIA A10", 72, {0, 0, 31.2, 62.5, 0, 125, 0}, 600, "NVIDIA A10 Tensor Core GPU data sheet"},
    DataSheet{"NVIDIA B200", 148, {37, 37, 75, 1100, 0, 2250, 4500}, 7700, "NVIDIA HGX B200 data sheet, per GPU"},
    DataSheet{"AMD Instinct MI300X",
              304,
              {81.7, 163.4, 163.4, 653.7, 0, 1307.4, 2614.9},
              5300,
              "AMD Instinct MI300X data sheet"},
    // A device of the driver is one of the two dies, so it has half of each figure. FP32 is packed: two in a lane.
    DataSheet{"AMD Instinct MI250X|AMD Instinct MI250X/MI250",
              110,
              {23.95, 47.85, 47.85, 0, 0, 191.5, 0},
              1638.4,
              "AMD Instinct MI250X data sheet, half of it for one die"},
    DataSheet{"AMD Instinct MI250|AMD Instinct MI250X/MI250",
              104,
              {22.65, 45.25, 45.25, 0, 0, 181.05, 0},
              1638.4,
              "AMD Instinct MI250 data sheet, half of it for one die"},
};

bool is_named(const DataSheet& sheet, std::string_view name) {
  std::string_view rest = sheet.names;
  while (!rest.empty()) {
    const std::size_t bar = std::min(rest.find('|'), rest.size());
    if (gpu::same_model(rest.substr(0, bar), name)) return true;
    rest.remove_prefix(std::min(bar + 1, rest.size()));
  }
  return false;
}

}  // namespace

std::span<const DataSheet> data_sheets() { return sheets; }

const DataSheet* find_data_sheet(std::string_view name, std::int64_t sms) {
  const DataSheet* found = nullptr;
  for (const DataSheet& sheet : sheets) {
    if (!is_named(sheet, name) || (sms != trace::absent && sms != sheet.sms)) continue;
    if (found != nullptr) return nullptr;  // two models have this name, and nothing else tells them apart
    found = &sheet;
  }
  return found;
}

}  // namespace warpwalk::analysis
