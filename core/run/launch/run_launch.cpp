#include "core/run/launch/run_launch.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/gpu/exec/program.h"
#include "core/platform/read_file.h"
#include "core/platform/stopwatch.h"
#include "core/platform/toolchain/architecture.h"
#include "core/platform/toolchain/compile_cuda.h"
#include "core/platform/toolchain/ptxas.h"
#include "core/ptx/parse/parser.h"
#include "core/run/launch/bind.h"
#include "core/run/launch/entry.h"
#include "core/run/launch/module_names.h"
#include "core/sass/elf/cubin.h"

namespace warpwalk::run {
namespace {

std::string_view capability_of(const gpu::Device& device) { return *device.compute_capability.value; }

/// Reads or compiles the PTX and the machine code.
base::Result<void> read_module(const gpu::Device& device, const LoadOptions& options, LoadedLaunch& loaded,
                               CubinSource& machine) {
  const std::filesystem::path folder = loaded.path.parent_path();
  const LaunchFile& file = loaded.file;
  loaded.module_file = folder / (!file.cuda.empty() ? file.cuda : !file.ptx.empty() ? file.ptx : file.cubin);
  if (!file.cuda.empty()) {
    auto compiled = platform::compile_cuda(loaded.module_file, capability_of(device));
    if (auto* const failure = std::get_if<platform::CudaFailure>(&compiled))
      return base::Error{std::move(failure->line)};
    auto& done = std::get<platform::CompiledCuda>(compiled);
    loaded.ptx = std::move(done.ptx);
    loaded.source = std::move(done.source);
    if (!done.note.empty()) loaded.notes.push_back(done.note);
    machine = {std::move(done.cubin), loaded.module_file.string(), "by " + done.compiler};
  } else if (!file.ptx.empty()) {
    auto text = platform::read_text_file(loaded.module_file);
    if (!text) return base::Error{text.error()};
    loaded.ptx = std::move(text->text);
  }
  if (!file.cubin.empty()) {
    auto bytes = platform::read_compressed_file(folder / file.cubin);
    if (!bytes) return base::Error{bytes.error()};
    machine = {std::move(bytes->text), (folder / file.cubin).string(), "from cubin"};
    if (machine.cubin.empty()) return base::Error{fmt::format("{}: is empty", machine.file)};
  }
  if (!options.ask_ptxas) return {};
  if (!file.cubin.empty())
    return base::Error{
        fmt::format("--ptxas: {} names machine code already (cubin); leave one out", loaded.path.string())};
  const std::string name =
      file.cuda.empty() ? loaded.module_file.string() : "the PTX of " + loaded.module_file.string();
  auto compiled = platform::compile_ptx(loaded.ptx, name, capability_of(device));
  if (!compiled) return base::Error{compiled.error()};
  auto& done = *compiled;
  machine = {std::move(done.cubin), loaded.module_file.string(), "by " + done.compiler};
  return {};
}

/// Prepares the kernel's machine code with the functions whose addresses the launch passes. `resolved` becomes the
/// launch file with the cubin's names.
PreparedProgram prepare_cubin(const LoadedLaunch& loaded, const CubinSource& machine, const std::string& entry,
                              LaunchFile& resolved) {
  const auto cubin = sass::parse_cubin(machine.cubin);
  if (!cubin) return base::Error{cubin.error()};
  auto named = resolve_names(loaded.file, names_of(*cubin));
  if (!named) return base::Error{named.error()};
  resolved = std::move(*named);
  return gpu::prepare_machine_code(machine.cubin, entry, passed_functions(resolved));
}

/// Prepares the kernel's PTX, if the GPU can run it and the file's arguments fit it. `resolved` becomes the launch file
/// with its names.
PreparedProgram prepare_ptx(const gpu::Device& device, const LoadedLaunch& loaded, LaunchFile& resolved) {
  auto parsed = ptx::parse(loaded.ptx);
  if (const auto* const error = std::get_if<ptx::Error>(&parsed))
    return base::Error{fmt::format("{}:{}", loaded.module_file.string(), error->text())};
  const auto module = std::make_shared<const ptx::Module>(std::move(std::get<ptx::Module>(parsed)));
  if (const std::string why = platform::target_mismatch(module->target, capability_of(device)); !why.empty())
    return base::Error{fmt::format("{}: {}", loaded.module_file.string(), why)};
  const auto found = find_entry(*module, loaded.file.kernel);
  if (!found) return base::Error{fmt::format("{}: {}", loaded.path.string(), found.error())};
  const ptx::Function& entry = **found;
  if (const auto done = check_arguments(loaded.file, *module, entry); !done)
    return base::Error{fmt::format("{}: {}", loaded.path.string(), done.error())};
  auto named = resolve_names(loaded.file, names_of(*module));
  if (!named) return base::Error{fmt::format("{}: {}", loaded.path.string(), named.error())};
  resolved = std::move(*named);
  auto prepared = gpu::prepare(module, entry.name, passed_functions(resolved));
  if (!prepared) return base::Error{fmt::format("{}: {}", loaded.module_file.string(), prepared.error())};
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

base::Result<void> prepare(const gpu::Device& device, const LoadOptions& options, LoadedLaunch& loaded,
                           CubinSource machine) {
  if (options.code == CodeChoice::sass && machine.cubin.empty())
    return base::Error{fmt::format("{}: --code sass: the launch has no machine code; name a cubin, or add --ptxas",
                                   loaded.path.string())};
  LaunchFile resolved;
  std::function<PreparedProgram()> from_ptx;
  if (!loaded.ptx.empty() || loaded.file.cubin.empty())
    from_ptx = [&] { return prepare_ptx(device, loaded, resolved); };
  auto choice = choose_code(options.code, machine, loaded.file.kernel, device, from_ptx,
                            [&](const std::string& entry) { return prepare_cubin(loaded, machine, entry, resolved); });
  if (!choice) {
    const bool about_option = choice.error().starts_with("--code");
    return base::Error{about_option ? fmt::format("{}: {}", loaded.path.string(), choice.error()) : choice.error()};
  }
  auto& chosen = *choice;
  loaded.file = std::move(resolved);
  loaded.program = std::move(chosen.program);
  loaded.code = chosen.code;
  if (loaded.runs_machine_code())
    if (const auto done = check_arguments(loaded.file, *loaded.program->module, gpu::entry_of(*loaded.program)); !done)
      return base::Error{fmt::format("{}: {}", loaded.path.string(), done.error())};
  if (!chosen.fallback.empty())
    loaded.notes.push_back("the PTX was run, because the machine code cannot be: " + chosen.fallback);
  set_registers(chosen, options.ask_ptxas, loaded);
  loaded.cubin = std::move(machine.cubin);
  return {};
}

base::Result<void> read_expected(LoadedLaunch& loaded) {
  for (const ExpectSpec& expect : loaded.file.expects) {
    auto content = content_of(loaded.file.buffers[expect.buffer], expect.content, loaded.path.parent_path());
    if (!content) return base::Error{content.error()};
    loaded.expected.push_back({expect.buffer, expect.tolerance, std::move(*content)});
  }
  return {};
}

}  // namespace

base::Result<LoadedLaunch> load_launch(const std::filesystem::path& file, const gpu::Device& device,
                                       const LoadOptions& options) {
  const auto text = platform::read_text_file(file);
  if (!text) return base::Error{text.error()};
  auto parsed = parse_launch_file(text->text, file.string());
  if (!parsed) return base::Error{parsed.error()};
  LoadedLaunch loaded;
  loaded.path = file;
  loaded.file = std::move(*parsed);
  if (!options.cuda.empty()) {
    loaded.file.ptx.clear();
    loaded.file.cubin.clear();
    std::error_code error;
    loaded.file.cuda = std::filesystem::absolute(options.cuda, error);  // else relative to the launch file
  }
  if (const auto done = check_limits(loaded.file, device, options.host_bytes); !done)
    return base::Error{fmt::format("{}: {}", file.string(), done.error())};
  CubinSource machine;
  if (auto done = read_module(device, options, loaded, machine); !done) return base::Error{done.error()};
  return load_launch(std::move(loaded), std::move(machine), device, options);
}

base::Result<LoadedLaunch> load_launch(LoadedLaunch loaded, CubinSource machine, const gpu::Device& device,
                                       const LoadOptions& options) {
  if (const auto done = check_limits(loaded.file, device, options.host_bytes); !done)
    return base::Error{fmt::format("{}: {}", loaded.path.string(), done.error())};
  if (auto done = prepare(device, options, loaded, std::move(machine)); !done) return base::Error{done.error()};
  auto bound = bind(loaded.file, loaded.path.parent_path());
  if (!bound) return base::Error{bound.error()};
  loaded.launch = std::move(*bound);
  if (auto done = read_expected(loaded); !done) return base::Error{done.error()};
  return loaded;
}

bool LaunchResult::good() const {
  return simulation.findings.empty() && (!recorded || recorded->different == 0) &&
         std::ranges::all_of(outputs, [](const Output& output) { return output.comparison.match; });
}

base::Result<LaunchResult> run_launch(const gpu::Device& device, LoadedLaunch& loaded,
                                      const gpu::SimulateOptions& options, const CyclesOptions& cycles) {
  CyclesPass pass(device, *loaded.program, loaded.launch, cycles);
  const platform::Stopwatch stopwatch;
  auto simulated = gpu::simulate(device, *loaded.program, loaded.launch, options);
  if (!simulated) return base::Error{fmt::format("{}: {}", loaded.path.string(), simulated.error())};
  LaunchResult result;
  result.simulation = std::move(*simulated);
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
