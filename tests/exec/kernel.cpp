#include "tests/exec/kernel.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/ptx/parse/parser.h"

namespace warpwalk::gpu {

TestKernel::TestKernel(std::string_view module, std::string_view entry) {
  const auto file = std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/exec/kernels" / (std::string(module) + ".ptx");
  std::ifstream in(file);
  EXPECT_TRUE(in) << file;
  std::ostringstream text;
  text << in.rdbuf();
  auto parsed = ptx::parse(text.str());
  if (const auto* const error = std::get_if<ptx::Error>(&parsed)) {
    ADD_FAILURE() << error->text();
    return;
  }
  auto prepared = prepare(std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed))), entry);
  if (!prepared) {
    ADD_FAILURE() << prepared.error();
  } else {
    program_ = *prepared;
  }
}

TestKernel& TestKernel::buffer_of(std::vector<std::uint8_t> bytes) {
  Argument argument;
  argument.buffer = static_cast<std::int32_t>(launch_.buffers.size());
  launch_.arguments.push_back(argument);
  launch_.buffers.push_back({"buffer" + std::to_string(launch_.buffers.size()), std::move(bytes), true});
  return *this;
}

Simulation TestKernel::run(std::uint32_t blocks, std::uint32_t threads) {
  if (program_ == nullptr) return {};
  auto device = load_device(std::filesystem::path(WARPWALK_SOURCE_DIR) / "assets/devices/h200.json");
  EXPECT_TRUE(device) << device.error();
  launch_.grid = {blocks, 1, 1};
  launch_.block = {threads, 1, 1};
  SimulateOptions options;
  options.sanitize = true;
  auto simulated = simulate(*device, *program_, launch_, options);
  if (!simulated) {
    ADD_FAILURE() << simulated.error();
    return {};
  }
  return *std::move(simulated);
}

std::vector<int> jumbled(int count) {
  std::vector<int> values;
  for (int i = 0; i < count; ++i) values.push_back((37 * i + 11) % 100);
  return values;
}

std::string findings_text(const Simulation& simulation) {
  std::string text;
  for (const Finding& finding : simulation.findings)
    text += std::string(name_of(finding.kind)) + ": " + finding.message + "\n";
  return text;
}

}  // namespace warpwalk::gpu
