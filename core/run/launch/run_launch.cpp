#include "core/run/launch/run_launch.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/gpu/exec/program.h"
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

/// Reads or compiles the PTX and the machine code.
Error read_module(const gpu::Device& device, const LoadOptions& options, LoadedLaunch& loaded, CubinSource& machine) {
  const std::filesystem::path folder = loaded.path.parent_path();
  const LaunchFile& file = loaded.file;
  loaded.module_file = folder / (!file.cuda.empty() ? file.cuda : !file.ptx.empty() ? file.ptx : file.cubin);
  if (!file.cuda.empty()) {
    auto compiled = platform::compile_cuda(loaded.module_file, capability_of(device));
    if (auto* const failure = std::get_if<platform::CudaFailure>(&compiled)) return std::move(failure->line);
    auto& done = std::get<platform::CompiledCuda>(compiled);
    loaded.ptx = std::move(done.ptx);
    loaded.source = std::move(done.source);
    machine = {std::move(done.cubin), loaded.module_file.string(), "by " + done.compiler};
  } else if (!file.ptx.empty()) {
    auto text = platform::read_text_file(loaded.module_file);
    if (auto* const error = std::get_if<std::string>(&text)) return std::move(*error);
    loaded.ptx = std::move(std::get<platform::Text>(text).text);
  }
  if (!file.cubin.empty()) {
    auto bytes = platform::read_compressed_file(folder / file.cubin);
    if (auto* const error = std::get_if<std::string>(&bytes)) return std::move(*error);
    machine = {std::move(std::get<platform::Text>(bytes).text), (folder / file.cubin).string(), "from cubin"};
    if (machine.cubin.empty()) return fmt::format("{}: is empty", machine.file);
  }
  if (!options.ask_ptxas) return {};
  if (!file.cubin.empty())
    return fmt::format("--ptxas: {} names machine code already (cubin); leave one out", loaded.path.string());
  const std::string name =
      file.cuda.empty() ? loaded.module_file.string() : "the PTX of " + loaded.module_file.string();
  auto compiled = platform::compile_ptx(loaded.ptx, name, capability_of(device));
  if (auto* const error = std::get_if<std::string>(&compiled)) return std::move(*error);
  auto& done = std::get<platform::CompiledPtx>(compiled);
  machine = {std::move(done.cubin), loaded.module_file.string(), "by " + done.compiler};
  return {};
}

/// Prepares the kernel's PTX, if the file's arguments fit it.
PreparedProgram prepare_ptx(const LoadedLaunch& loaded) {
  auto parsed = ptx::parse(loaded.ptx);
  if (const auto* const error = std::get_if<ptx::Error>(&parsed))
    return fmt::format("{}:{}", loaded.module_file.string(), error->text());
  const auto module = std::make_shared<const ptx::Module>(std::move(std::get<ptx::Module>(parsed)));
  const auto found = find_entry(*module, loaded.file.kernel);
  if (const auto* const error = std::get_if<std::string>(&found))
    return fmt::format("{}: {}", loaded.path.string(), *error);
  const ptx::Function& entry = *std::get<const ptx::Function*>(found);
  if (const Error error = check_arguments(loaded.file, *module, entry))
    return fmt::format("{}: {}", loaded.path.string(), *error);
  auto prepared = gpu::prepare(module, entry.name);
  if (const auto* const error = std::get_if<std::string>(&prepared))
    return fmt::format("{}: {}", loaded.module_file.string(), *error);
  return prepared;
}

/// Sets the registers per thread and their origin. The register count of machine code replaces the launch file's.
void set_registers(const ChosenCode& chosen, bool asked_ptxas, LoadedLaunch& loaded) {
  std::optional<int>& given = loaded.file.registers;
  if (loaded.runs_machine_code()) {
    if (given && *given != chosen.kernel->registers)
      loaded.notes.push_back(fmt::format("the launch file gives {} registers per thread, but the machine code has {}",
                                         *given, chosen.kernel->registers));
    given.reset();
    loaded.registers_origin = "cubin";
  } else if (given) {
    loaded.registers_origin = "given";
  } else if (chosen.kernel) {
    given = chosen.kernel->registers;
    loaded.registers_origin = asked_ptxas ? "ptxas" : "cubin";
  } else {
    loaded.registers_origin = "estimated";
  }
}

Error prepare(const gpu::Device& device, const LoadOptions& options, LoadedLaunch& loaded, CubinSource machine) {
  if (options.code == CodeChoice::sass && machine.cubin.empty())
    return fmt::format("{}: --code sass: the launch has no machine code; name a cubin, or add --ptxas",
                       loaded.path.string());
  std::function<PreparedProgram()> from_ptx;
  if (!loaded.ptx.empty() || loaded.file.cubin.empty()) from_ptx = [&loaded] { return prepare_ptx(loaded); };
  auto choice = choose_code(options.code, machine, loaded.file.kernel, device, from_ptx);
  if (auto* const error = std::get_if<std::string>(&choice)) {
    const bool about_option = error->starts_with("--code");
    return about_option ? fmt::format("{}: {}", loaded.path.string(), *error) : std::move(*error);
  }
  auto& chosen = std::get<ChosenCode>(choice);
  loaded.program = std::move(chosen.program);
  loaded.code = chosen.code;
  if (loaded.runs_machine_code())
    if (const Error error = check_arguments(loaded.file, *loaded.program->module, gpu::entry_of(*loaded.program)))
      return fmt::format("{}: {}", loaded.path.string(), *error);
  if (!chosen.fallback.empty())
    loaded.notes.push_back("the PTX was run, because the machine code cannot be: " + chosen.fallback);
  set_registers(chosen, options.ask_ptxas, loaded);
  loaded.cubin = std::move(machine.cubin);
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
  CubinSource machine;
  if (Error error = read_module(device, options, loaded, machine)) return std::move(*error);
  return load_launch(std::move(loaded), std::move(machine), device, options);
}

std::variant<LoadedLaunch, std::string> load_launch(LoadedLaunch loaded, CubinSource machine, const gpu::Device& device,
                                                    const LoadOptions& options) {
  if (const Error error = check_limits(loaded.file, device, options.host_bytes))
    return fmt::format("{}: {}", loaded.path.string(), *error);
  if (Error error = prepare(device, options, loaded, std::move(machine))) return std::move(*error);
  auto bound = bind(loaded.file, loaded.path.parent_path());
  if (auto* const error = std::get_if<std::string>(&bound)) return std::move(*error);
  loaded.launch = std::move(std::get<gpu::Launch>(bound));
  if (Error error = read_expected(loaded)) return std::move(*error);
  return loaded;
}

bool LaunchResult::good() const {
  return simulation.findings.empty() && (!recorded || recorded->different == 0) &&
         std::ranges::all_of(outputs, [](const Output& output) { return output.comparison.match; });
}

std::variant<LaunchResult, std::string> run_launch(const gpu::Device& device, LoadedLaunch& loaded,
                                                   const gpu::SimulateOptions& options, const CyclesOptions& cycles) {
  CyclesPass pass(device, *loaded.program, loaded.launch, cycles);
  const platform::Stopwatch stopwatch;
  auto simulated = gpu::simulate(device, *loaded.program, loaded.launch, options);
  if (const auto* const error = std::get_if<std::string>(&simulated))
    return fmt::format("{}: {}", loaded.path.string(), *error);
  LaunchResult result;
  result.simulation = std::move(std::get<gpu::Simulation>(simulated));
  result.simulation.host_seconds = stopwatch.seconds();
  if (!result.simulation.sanitized_all)
    loaded.notes.push_back("--sanitize: the kernel accesses too much global memory to check all of it for races");
  if (result.simulation.cancelled || result.simulation.over_limit) return result;
  result.policy = cycles.policy;
  result.cycles = pass.run(result.simulation);
  for (const Expected& expected : loaded.expected)
    result.outputs.push_back(
        {expected.buffer, compare(loaded.file.buffers[expected.buffer].dtype,
                                  loaded.launch.buffers[expected.buffer].bytes, expected.bytes, expected.tolerance)});
  return result;
}

}  // namespace warpwalk::run
