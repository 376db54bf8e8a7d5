// Runs every kernel of the catalogue as machine code and as PTX on the same random operands: both must leave the same
// values. The machine code is that of assets/cubin, so no CUDA tools are needed.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/run/expression/sim_backend.h"
#include "core/run/launch/compare.h"
#include "tests/run/catalogue_plans.h"
#include "tests/run/plain_name.h"
#include "tests/run/sim_library.h"

namespace warpwalk::run {
namespace {

using ops::Tensor;

/// A simulated GPU that runs one kind of code, and its tensors.
class Gpu {
 public:
  Gpu(const gpu::Device& device, CodeChoice code) : sim_(device, options(code), nullptr) {}

  /// Throws if the kernel cannot be run.
  void prepare(const PlannedLaunch& launch) { sim_.kernel(launch); }

  /// The operands' bytes after all launches of the plan.
  std::vector<std::vector<std::uint8_t>> run(const Plan& plan) {
    std::vector<Tensor> operands;
    for (std::size_t i = 0; i < plan.operands.size(); ++i) operands.push_back(operand(plan.operands[i], i));
    for (const PlannedLaunch& launch : plan.launches) sim_.launch(launch, operands);
    std::vector<std::vector<std::uint8_t>> bytes;
    for (const Tensor& tensor : operands) {
      bytes.emplace_back(tensor.storage()->bytes());
      sim_.memory().read(tensor.storage()->address(), bytes.back());
    }
    return bytes;
  }

  std::map<std::string, std::string> codes;  ///< what ran, by entry
  int launches = 0;

 private:
  SimOptions options(CodeChoice code) {
    SimOptions options;
    options.ptx_folder = WARPWALK_SOURCE_DIR "/assets/ptx";
    options.cubin_folder = WARPWALK_SOURCE_DIR "/assets/cubin";
    options.code = code;
    options.launched = [this](const SimLaunch& launch) {
      ++launches;
      codes[launch.planned.entry] = launch.kernel.code;
    };
    return options;
  }

  /// A tensor with this layout over random elements.
  Tensor operand(const Operand& operand, std::size_t seed) {
    std::int64_t last = operand.geometry.offset;
    for (std::size_t i = 0; i < operand.geometry.dims(); ++i)
      last += (operand.geometry.sizes[i] - 1) * operand.geometry.strides[i];
    const auto bytes = testing::random_elements(operand.dtype, last + 1, static_cast<unsigned>(seed), true);
    const Tensor flat = tensor_from(sim_.memory(), operand.dtype, {last + 1}, bytes);
    return flat.with(operand.geometry);
  }

  SimBackend sim_;
};

/// The first difference, or an empty text. NaN equals NaN: its bits differ where ptxas chooses another instruction.
std::string difference(const Plan& plan, const std::vector<std::vector<std::uint8_t>>& sass,
                       const std::vector<std::vector<std::uint8_t>>& ptx) {
  for (std::size_t i = 0; i < sass.size(); ++i) {
    const Comparison compared = compare(plan.operands[i].dtype, sass[i], ptx[i], {});
    if (!compared.match)
      return fmt::format("operand {}[{}] is {} from machine code and {} from PTX", i, compared.first->index,
                         compared.first->got, compared.first->want);
  }
  return {};
}

class CatalogueCode : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Gpus, CatalogueCode, ::testing::Values("h200", "a100", "rtx3090", "rtx4090", "t4"),
                         testing::plain_name);

TEST_P(CatalogueCode, LeavesWhatThePtxLeaves) {
  const auto device = gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/" + std::string(GetParam()) + ".json");
  ASSERT_TRUE(device) << device.error();
  Gpu sass(*device, CodeChoice::sass), ptx(*device, CodeChoice::ptx);
  for (const Plan& plan : testing::plans_of_every_kernel()) {
    if (plan.launches.empty()) continue;
    // Large matrix products take long, so only one GPU runs them.
    if (plan.operands[plan.result].geometry.count() > 100'000 && device->id != "h200") continue;
    SCOPED_TRACE(plan.launches.front().entry);
    try {
      EXPECT_EQ(difference(plan, sass.run(plan), ptx.run(plan)), "");
    } catch (const ops::OpError& refused) {
      ADD_FAILURE() << refused.what();
    }
  }
  for (const auto& [entry, code] : sass.codes) EXPECT_TRUE(code.starts_with("sass sm_")) << entry << ": " << code;
  for (const auto& [entry, code] : ptx.codes) EXPECT_EQ(code, "ptx") << entry;
  EXPECT_EQ(sass.launches, ptx.launches);
  std::cout << sass.launches << " launches of " << sass.codes.size() << " kernels\n";
  EXPECT_GE(sass.launches, 300);
}

TEST_P(CatalogueCode, EveryShippedKernelCanBeRun) {
  const auto device = gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/" + std::string(GetParam()) + ".json");
  ASSERT_TRUE(device) << device.error();
  Gpu sass(*device, CodeChoice::sass);
  int kernels = 0;
  for (const auto& file : std::filesystem::directory_iterator(WARPWALK_SOURCE_DIR "/assets/ptx")) {
    std::ifstream ptx(file.path());
    for (std::string line; std::getline(ptx, line);) {
      constexpr std::string_view begin = ".visible .entry ";
      if (!line.starts_with(begin)) continue;
      PlannedLaunch launch;
      launch.module = file.path().stem();
      launch.entry = line.substr(begin.size(), line.find('(') - begin.size());
      EXPECT_NO_THROW(sass.prepare(launch)) << launch.module << "/" << launch.entry;
      ++kernels;
    }
  }
  EXPECT_GE(kernels, 463);
}

}  // namespace
}  // namespace warpwalk::run
