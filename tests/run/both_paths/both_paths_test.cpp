// Instruction forms from PTX, and as the machine code that ptxas 13.0 makes of them for sm_90, leave the same bits
// (data/README.md).
#include <algorithm>
#include <filesystem>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/platform/read_file.h"
#include "core/ptx/parse/parser.h"
#include "tests/run/both_paths/form_kernel.h"

namespace warpwalk::both_paths {
namespace {

constexpr std::size_t forms_per_kernel = 8, modules = 10;

std::string recorded(const std::string& name) {
  auto read = platform::read_compressed_file(std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/run/both_paths/data" / name);
  return read ? std::move(read->text) : std::string();
}

/// The findings or the error of a run; "" if there are none.
std::string run(const gpu::Device& device, const gpu::Program& program, gpu::Launch& launch) {
  const auto done = gpu::simulate(device, program, launch);
  if (!done) return done.error();
  return done->findings.empty() ? "" : done->findings.front().message;
}

class BothPaths : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Sm90, BothPaths, ::testing::Range<std::size_t>(0, modules));

TEST_P(BothPaths, LeaveTheSameBits) {
  const auto device = gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  ASSERT_TRUE(device) << device.error();
  std::istringstream lines(recorded(fmt::format("sm_90_{}.txt.gz", GetParam())));
  std::vector<Form> forms;
  for (std::string line; std::getline(lines, line);) forms.emplace_back(line);
  ASSERT_GT(forms.size(), 400U);
  const std::string cubin = recorded(fmt::format("sm_90_{}.cubin.gz", GetParam()));
  const std::size_t kernels = (forms.size() + forms_per_kernel - 1) / forms_per_kernel;
  const auto of_kernel = [&](std::size_t k) {
    return std::span<const Form>(forms).subspan(k * forms_per_kernel,
                                                std::min(forms_per_kernel, forms.size() - k * forms_per_kernel));
  };
  std::string text = module_head("sm_90");
  for (std::size_t k = 0; k < kernels; ++k) text += kernel_text(of_kernel(k), fmt::format("k{}", k));
  auto parsed = ptx::parse(text);
  ASSERT_TRUE(std::holds_alternative<ptx::Module>(parsed)) << std::get<ptx::Error>(parsed).text();
  const auto module = std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed)));
  const gpu::Launch launch = launch_of_forms(forms_per_kernel);
  for (std::size_t k = 0; k < kernels; ++k) {
    const std::string name = fmt::format("k{}", k);
    const auto ptx = gpu::prepare(module, name);
    ASSERT_TRUE(ptx) << ptx.error();
    const auto code = gpu::prepare_machine_code(cubin, name);
    ASSERT_TRUE(code) << name << ": " << code.error();
    gpu::Launch from_ptx = launch, from_code = launch;
    EXPECT_EQ(run(*device, **ptx, from_ptx), "") << name;
    EXPECT_EQ(run(*device, **code, from_code), "") << name;
    EXPECT_EQ(difference(of_kernel(k), from_ptx, from_code), "") << name;
  }
}

}  // namespace
}  // namespace warpwalk::both_paths
