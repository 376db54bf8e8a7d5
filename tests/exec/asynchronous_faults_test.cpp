// Kernels with asynchronous units (TMA, wgmma, cp.async, mbarriers, named barriers), right ones and ones with a planted
// race or deadlock. The lines of each finding are those that comments in kernels/asynchronous.cu mark.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/platform/read_file.h"
#include "core/ptx/parse/parser.h"
#include "tests/exec/hopper_launch.h"

namespace warpwalk::testing {
namespace {

struct Family {
  std::string_view name;
  std::uint32_t threads = 128;
  std::uint32_t blocks = 1;
};
constexpr Family families[] = {{"pipeline", 160}, {"pair", 288}, {"written"}, {"copied"}, {"turns", 256},
                               {"stored"}, {"loaded", 64}, {"matrices", 64}, {"accumulated"}, {"crossed", 64}, {"remote", 32, 2}};

TEST(AsynchronousFaults, Print) {
  const auto kernels = std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/exec/kernels";
  const auto text = platform::read_compressed_file(kernels / "asynchronous.ptx.gz");
  auto parsed = ptx::parse(text->text);
  if (const auto* const error = std::get_if<ptx::Error>(&parsed)) FAIL() << error->text();
  const auto module = std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed)));
  const gpu::Device device = *gpu::load_device(std::filesystem::path(WARPWALK_SOURCE_DIR) / "assets/devices/h200.json");
  for (const bool sass : {false, true})
  for (const auto& function : module->functions) {
    const std::string name = function.name;
    const auto* family = std::ranges::find(families, name.substr(0, name.find('_')), &Family::name);
    auto prepared = sass ? gpu::prepare_machine_code([]{std::ostringstream s; s << std::ifstream("/tmp/h1_async.cubin", std::ios::binary).rdbuf(); return s.str();}(), name) : gpu::prepare(module, name);
    if (!prepared) { fmt::print("{} {}: ERROR {}\n", sass ? "sass" : "ptx", name, prepared.error()); continue; }
    gpu::Launch launch;
    launch.grid = {family->blocks, 1, 1};
    launch.block = {family->threads, 1, 1};
    if (family->blocks > 1) launch.cluster = {{family->blocks, 1, 1}};
    std::vector<std::uint8_t> in(8 * 2304);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint8_t>((i * i * 31 + i / 7 * 13) % 61);
    launch.buffers.push_back({"in", in, true});
    launch.buffers.push_back({"out", std::vector<std::uint8_t>(1 << 14), true});
    launch.arguments = {buffer_argument(0), buffer_argument(1), number_argument(6)};
    gpu::SimulateOptions options;
    options.sanitize = true;
    const auto result = gpu::simulate(device, **prepared, launch, options);
    if (!result) { fmt::print("{} {}: ERROR {}\n", sass ? "sass" : "ptx", name, result.error()); continue; }
    fmt::print("== {} {}\n", sass ? "sass" : "ptx", name);
    for (const auto& f : result->findings)
      fmt::print("   {} {} other {}: {}\n", gpu::name_of(f.kind), f.source_line, f.other_line, f.message);
  }
}

}  // namespace
}  // namespace warpwalk::testing
