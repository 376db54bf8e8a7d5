// Names of GPUs as drivers report them, and the models that they name.
#include "core/gpu/device/gpu_name.h"

#include <gtest/gtest.h>

#include "tests/analysis/assets.h"

namespace warpwalk::analysis {
namespace {

// The id of the description whose name is that of the same model; empty: none. Two are a failure.
std::string described_model(std::string_view name) {
  std::string id;
  for (const gpu::Device& device : devices())
    if (gpu::same_model(device.name, name)) {
      EXPECT_EQ(id, "") << name << " is also " << device.id;
      id = device.id;
    }
  return id;
}

TEST(GpuName, ADriversNameIsThatOfItsDescription) {
  EXPECT_EQ(described_model("NVIDIA A100-SXM4-40GB"), "a100");
  EXPECT_EQ(described_model("A100-SXM4-40GB"), "a100");
  EXPECT_EQ(described_model("Tesla T4"), "t4");
  EXPECT_EQ(described_model("NVIDIA GeForce RTX 4090"), "rtx4090");
  EXPECT_EQ(described_model("GeForce RTX 3090"), "rtx3090");
  EXPECT_EQ(described_model("NVIDIA H200"), "h200");
  EXPECT_EQ(described_model("NVIDIA H100 80GB HBM3"), "h100");
}

TEST(GpuName, OtherModelsAreNotTaken) {
  for (const std::string_view name :
       {"NVIDIA A100-SXM4-80GB", "NVIDIA A100 80GB PCIe", "NVIDIA A100-PCIE-40GB", "NVIDIA A100-SXM4-40GB MIG 3g.20gb",
        "NVIDIA H100 PCIe", "NVIDIA H200 NVL", "NVIDIA GeForce RTX 4090 D", "NVIDIA GeForce RTX 4090 Laptop GPU",
        "NVIDIA GeForce RTX 3090 Ti", "NVIDIA T400", "NVIDIA", ""})
    EXPECT_EQ(described_model(name), "") << name;
  EXPECT_FALSE(gpu::same_model("", "")) << "two GPUs without names may be anything";
}

TEST(GpuName, TheVendor) {
  for (const std::string_view name : {"AMD Instinct MI300X", "Radeon RX 7900 XTX", "AMD Radeon Graphics", "gfx90a"})
    EXPECT_TRUE(gpu::is_amd(name)) << name;
  for (const std::string_view name : {"NVIDIA H200", "Tesla T4", "Intel(R) Data Center GPU Max 1550", ""})
    EXPECT_FALSE(gpu::is_amd(name)) << name;
}

}  // namespace
}  // namespace warpwalk::analysis
