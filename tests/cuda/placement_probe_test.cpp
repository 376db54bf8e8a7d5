// Probed kernels still compute the same results and write a stamp for each block. Runs on the simulated GPU, which
// executes any PTX.
#include "instrumentation/cuda/placement_probe.h"

#include <cstring>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/launch.h"
#include "core/platform/read_file.h"
#include "core/ptx/parse/parser.h"
#include "core/run/launch/run_launch.h"

namespace warpwalk::cuda {
namespace {

std::filesystem::path source() { return WARPWALK_SOURCE_DIR; }

gpu::Device h200() { return *gpu::load_device(source() / "assets/devices/h200.json"); }

std::string text_of(const std::filesystem::path& file) { return platform::read_text_file(file)->text; }

std::shared_ptr<const ptx::Module> parsed(const std::string& ptx) {
  auto result = ptx::parse(ptx);
  if (const auto* const error = std::get_if<ptx::Error>(&result)) ADD_FAILURE() << error->text();
  return std::make_shared<const ptx::Module>(std::move(std::get<ptx::Module>(result)));
}

std::vector<BlockStamp> stamps_of(const gpu::Buffer& buffer) {
  std::vector<BlockStamp> stamps(buffer.bytes.size() / sizeof(BlockStamp));
  std::memcpy(stamps.data(), buffer.bytes.data(), buffer.bytes.size());
  return stamps;
}

TEST(PlacementProbe, EveryShippedKernelTakesOne) {
  int entries = 0;
  for (const auto& file : std::filesystem::directory_iterator(source() / "assets/ptx")) {
    const std::string ptx = text_of(file.path());
    const auto original = parsed(ptx);
    for (const ptx::Function& function : original->functions) {
      if (!function.is_entry) continue;
      const auto result = insert_placement_probe(ptx, function.name);
      ASSERT_TRUE(result) << result.error();
      const auto module = parsed(*result);
      const ptx::Function* const entry = module->entry(function.name);
      ASSERT_NE(entry, nullptr);
      EXPECT_EQ(entry->parameters.size(), function.parameters.size() + 1);
      EXPECT_TRUE(gpu::prepare(module, function.name)) << function.name;
      ++entries;
    }
  }
  EXPECT_GE(entries, 11);
}

// Each reference case gives the same results, and each block has a stamp with a valid SM.
TEST(PlacementProbe, ResultsStayAndBlocksAreStamped) {
  const gpu::Device device = h200();
  int launches = 0;
  for (const auto& folder : std::filesystem::directory_iterator(source() / "tests/reference/cases")) {
    if (!std::filesystem::exists(folder.path() / "launch.json")) continue;
    auto loaded = run::load_launch(folder.path() / "launch.json", device);
    ASSERT_TRUE(loaded) << loaded.error();
    auto& launch = *loaded;
    const std::string entry = gpu::entry_of(*launch.program).name;
    const auto result = insert_placement_probe(launch.ptx, entry);
    ASSERT_TRUE(result) << result.error();
    auto program = gpu::prepare(parsed(*result), entry);
    ASSERT_TRUE(program) << program.error();
    launch.program = *program;
    const auto& grid = launch.launch.grid;
    const std::size_t blocks = std::size_t{grid[0]} * grid[1] * grid[2];
    launch.launch.arguments.push_back({{}, static_cast<std::int32_t>(launch.launch.buffers.size()), 0});
    launch.launch.buffers.push_back({"stamps", std::vector<std::uint8_t>(blocks * sizeof(BlockStamp)), true});
    const auto ran = run::run_launch(device, launch, {});
    ASSERT_TRUE(ran) << ran.error();
    EXPECT_TRUE(ran->good()) << folder.path();
    for (const BlockStamp& stamp : stamps_of(launch.launch.buffers.back())) {
      EXPECT_LT(stamp.sm, static_cast<std::uint32_t>(*device.sm_count));
      EXPECT_GE(stamp.end, stamp.start);
      EXPECT_GT(stamp.end, 0u);
    }
    ++launches;
  }
  EXPECT_GE(launches, 8);
}

TEST(PlacementProbe, GuardedReturnsNestedScopesAndCommentsAreSeen) {
  const std::string ptx = R"(.version 8.0
.target sm_90
.address_size 64
// .entry k( a comment with ret;
.visible .entry k() {
	.reg .pred %ret1;
	.reg .b32 %r<2>;
	mov.u32 %r0, %tid.x;
	setp.gt.u32 %ret1, %r0, 40; { @%ret1 ret; } /* ret; */ exit;
}
)";
  const auto result = insert_placement_probe(ptx, "k");
  ASSERT_TRUE(result) << result.error();
  auto program = gpu::prepare(parsed(*result), "k");
  ASSERT_TRUE(program) << program.error();
  gpu::Launch launch;
  launch.grid = {3, 2, 2};
  launch.block = {64, 1, 1};
  launch.arguments.push_back({{}, 0, 0});
  launch.buffers.push_back({"stamps", std::vector<std::uint8_t>(12 * sizeof(BlockStamp)), true});
  const auto ran = gpu::simulate(h200(), **program, launch);
  ASSERT_TRUE(ran) << ran.error();
  EXPECT_TRUE(ran->findings.empty());
  for (const BlockStamp& stamp : stamps_of(launch.buffers[0])) EXPECT_GT(stamp.end, 0u);
}

TEST(PlacementProbe, SaysWhatIsMissing) {
  EXPECT_EQ(insert_placement_probe(text_of(source() / "assets/ptx/relu.ptx"), "other").error(),
            "the module has no entry other");
  EXPECT_FALSE(insert_placement_probe("no ptx", "k"));
}

}  // namespace
}  // namespace warpwalk::cuda
