#include "core/run/launch/run_launch.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/platform/read_file.h"
#include "core/platform/stopwatch.h"
#include "core/platform/toolchain/nvrtc.h"
#include "core/platform/toolchain/ptxas.h"
#include "core/ptx/parse/parser.h"
#include "core/run/launch/bind.h"
#include "core/run/launch/entry.h"

namespace warpwalk::run {
namespace {

using Error = std::optional<std::string>;

std::string_view capability_of(const gpu::Device& device) { return *device.compute_capability.value; }

Error read_module(const gpu::Device& device, LoadedLaunch& loaded) {
  const std::filesystem::path folder = loaded.path.parent_path();
  const bool compile = !loaded.file.cuda.empty();
  loaded.module_file = folder / (compile ? loaded.file.cuda : loaded.file.ptx);
  if (compile) {
    auto compiled = platform::compile_cuda(loaded.module_file, capability_of(device));
    if (auto* const error = std::get_if<std::string>(&compiled)) return std::move(*error);
    auto& done = std::get<platform::CompiledCuda>(compiled);
    loaded.ptx = std::move(done.ptx);
    loaded.source = std::move(done.source);
    loaded.compiler = std::move(done.compiler);
  } else {
    auto text = platform::read_text_file(loaded.module_file);
    if (auto* const error = std::get_if<std::string>(&text)) return std::move(*error);
    loaded.ptx = std::move(std::get<platform::Text>(text).text);
  }
  auto parsed = ptx::parse(loaded.ptx);
  if (const auto* const error = std::get_if<ptx::Error>(&parsed))
    return fmt::format("{}:{}", loaded.module_file.string(), error->text());
  loaded.module = std::make_shared<const ptx::Module>(std::move(std::get<ptx::Module>(parsed)));
  return {};
}

Error prepare(const gpu::Device& device, const LoadOptions& options, LoadedLaunch& loaded) {
  const auto in_launch_file = [&](std::string_view error) {
    return fmt::format("{}: {}", loaded.path.string(), error);
  };
  const auto found = find_entry(*loaded.module, loaded.file.kernel);
  if (const auto* const error = std::get_if<std::string>(&found)) return in_launch_file(*error);
  const ptx::Function& entry = *std::get<const ptx::Function*>(found);
  if (const Error error = check_arguments(loaded.file, *loaded.module, entry)) return in_launch_file(*error);
  auto prepared = gpu::prepare(loaded.module, entry.name);
  if (const auto* const error = std::get_if<std::string>(&prepared))
    return fmt::format("{}: {}", loaded.module_file.string(), *error);
  loaded.program = std::move(std::get<0>(prepared));
  loaded.registers_origin = loaded.file.registers ? "given" : "estimated";
  if (loaded.file.registers || !options.ask_ptxas) return {};
  const auto registers = platform::registers_by_ptxas(loaded.ptx, entry.name, capability_of(device));
  if (const auto* const error = std::get_if<std::string>(&registers)) return *error;
  loaded.file.registers = std::get<int>(registers);
  loaded.registers_origin = "ptxas";
  return {};
}

Error read_expected(LoadedLaunch& loaded) {
  for (const ExpectSpec& expect : loaded.file.expects) {
    auto content = content_of(loaded.file.buffers[expect.buffer], expect.content, loaded.path.parent_path());
    if (auto* const error = std::get_if<std::string>(&content)) return std::move(*error);
    loaded.expected.push_back({expect.buffer, expect.tolerance, std::move(std::get<0>(content))});
  }
  return {};
}

}  // namespace

std::variant<LoadedLaunch, std::string> load_launch(const std::filesystem::path& file, const gpu::Device& device,
                                                    const LoadOptions& options) {
  const auto text = platform::read_text_file(file);
  if (const auto* const error = std::get_if<std::string>(&text)) return *error;
  auto parsed = parse_launch_file(std::get<platform::Text>(text).text, file.string());
  if (auto* const error = std::get_if<std::string>(&parsed)) return std::move(*error);
  LoadedLaunch loaded;
  loaded.path = file;
  loaded.file = std::move(std::get<LaunchFile>(parsed));
  if (const Error error = check_limits(loaded.file, device, options.host_bytes))
    return fmt::format("{}: {}", file.string(), *error);
  if (Error error = read_module(device, loaded)) return std::move(*error);
  if (Error error = prepare(device, options, loaded)) return std::move(*error);
  auto bound = bind(loaded.file, file.parent_path());
  if (auto* const error = std::get_if<std::string>(&bound)) return std::move(*error);
  loaded.launch = std::move(std::get<gpu::Launch>(bound));
  if (Error error = read_expected(loaded)) return std::move(*error);
  return loaded;
}

bool LaunchResult::good() const {
  return simulation.findings.empty() &&
         std::ranges::all_of(outputs, [](const Output& output) { return output.comparison.match; });
}

std::variant<LaunchResult, std::string> run_launch(const gpu::Device& device, LoadedLaunch& loaded,
                                                   const gpu::SimulateOptions& options) {
  const platform::Stopwatch stopwatch;
  auto simulated = gpu::simulate(device, *loaded.program, loaded.launch, options);
  if (const auto* const error = std::get_if<std::string>(&simulated))
    return fmt::format("{}: {}", loaded.path.string(), *error);
  LaunchResult result;
  result.simulation = std::move(std::get<gpu::Simulation>(simulated));
  result.simulation.host_seconds = stopwatch.seconds();
  if (result.simulation.cancelled) return result;
  for (const Expected& expected : loaded.expected)
    result.outputs.push_back(
        {expected.buffer, compare(loaded.file.buffers[expected.buffer].dtype,
                                  loaded.launch.buffers[expected.buffer].bytes, expected.bytes, expected.tolerance)});
  return result;
}

}  // namespace warpwalk::run
