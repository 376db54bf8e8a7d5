#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/quantity_text.h"
#include "core/gpu/exec/program.h"
#include "core/platform/available_memory.h"
#include "core/platform/find_program.h"
#include "core/platform/toolchain/architecture.h"
#include "core/platform/toolchain/compile_cuda.h"
#include "core/platform/toolchain/ptxas.h"
#include "core/ptx/module.h"
#include "core/ptx/parse/parser.h"
#include "core/run/kernel_lab/run_draft.h"
#include "core/run/launch/bind.h"

namespace warpwalk::run {
namespace {

constexpr auto ptxas_time = std::chrono::seconds(30);

DraftFailure failed(Diagnostic message) { return {{std::move(message)}, false}; }
DraftFailure failed_source(std::string message) {
  return failed({Diagnostic::Text::source, 0, 0, std::move(message), false});
}
DraftFailure failed_launch(std::string message) {
  return failed({Diagnostic::Text::launch, 0, 0, std::move(message), false});
}

bool cancelled(const DraftOptions& options) { return options.cancel != nullptr && *options.cancel; }

/// Text without the name that it starts with: "kernel.ptx:12:5: ..." becomes "12:5: ...".
std::string_view without_name(std::string_view text, std::string_view name) {
  if (!text.starts_with(name)) return text;
  text.remove_prefix(name.size());
  if (text.starts_with(": ")) return text.substr(2);
  return text.starts_with(':') ? text.substr(1) : text;
}

std::optional<DraftFailure> check_size(const KernelDraft& draft) {
  for (const auto& [what, text] : {std::pair{"source", &draft.source}, std::pair{"launch", &draft.launch}})
    if (text->size() > max_draft_bytes)
      return failed_source(fmt::format("the {} has {}; the Kernel lab takes at most {}", what,
                                       base::bytes_text(static_cast<double>(text->size())),
                                       base::bytes_text(static_cast<double>(max_draft_bytes))));
  return {};
}

std::optional<Diagnostic> check_launch(const LaunchText& launch, const DraftOptions& options) {
  const std::uint64_t room =
      std::min(options.limits.max_buffer_bytes, platform::available_memory() / 4);  // the run copies them
  std::uint64_t bytes = 0;
  for (const BufferSpec& buffer : launch.file.buffers) {
    bytes += buffer.bytes();  // at most 2^43 each, and checked after each
    if (bytes > room)
      return launch.place(fmt::format("buffer {}: the buffers up to here have {}; the Kernel lab allows {}",
                                      buffer.name, base::bytes_text(static_cast<double>(bytes)),
                                      base::bytes_text(static_cast<double>(room))));
  }
  if (auto done = check_limits(launch.file, options.device, ~std::uint64_t{0}); !done)
    return launch.place(done.error());
  const auto& grid = launch.file.grid;
  const std::uint64_t blocks = std::uint64_t{grid[0]} * grid[1] * grid[2];
  if (blocks > options.limits.max_blocks)
    return launch.place(
        fmt::format("grid: {} blocks; the Kernel lab runs at most {}", blocks, options.limits.max_blocks));
  return {};
}

/// Local memory exists for every resident thread, so that a large array takes much of this machine's memory.
std::optional<DraftFailure> check_local_memory(const LoadedLaunch& loaded, const DraftOptions& options) {
  const auto count = [](const std::array<std::uint32_t, 3>& shape) {
    return std::uint64_t{shape[0]} * shape[1] * shape[2];
  };
  const auto resident = static_cast<std::uint64_t>(*options.device.sm_count * *options.device.warps_per_sm *
                                                   *options.device.threads_per_warp);
  const std::uint64_t threads = std::min(count(loaded.file.grid) * count(loaded.file.block), resident);
  std::uint64_t bytes = 0;
  for (const gpu::Function& function : loaded.program->functions) bytes += function.local_bytes;
  if (threads * bytes <= options.limits.max_local_bytes) return {};
  return failed_source(
      fmt::format("each thread has {} bytes of local memory, {} for {} resident threads; the Kernel lab "
                  "allows {}; make its arrays or the grid smaller",
                  bytes, base::bytes_text(static_cast<double>(threads * bytes)), threads,
                  base::bytes_text(static_cast<double>(options.limits.max_local_bytes))));
}

/// Variables of the module are allocated for each run, too.
std::optional<DraftFailure> check_variables(const LoadedLaunch& loaded, const DraftOptions& options) {
  std::uint64_t bytes = 0;
  for (const BufferSpec& buffer : loaded.file.buffers) bytes += buffer.bytes();
  for (const ptx::Variable& variable : loaded.program->module->variables)
    if (variable.space == ptx::Space::global) bytes += std::min(variable.bytes, options.limits.max_buffer_bytes + 1);
  if (bytes <= options.limits.max_buffer_bytes) return {};
  return failed_source(fmt::format("its buffers and the variables of its module have more than {}, the limit",
                                   base::bytes_text(static_cast<double>(options.limits.max_buffer_bytes))));
}

std::variant<CompiledModule, DraftFailure> compile_cuda_source(const KernelDraft& draft, const DraftOptions& options) {
  const std::string name = draft.file_name();
  const std::string_view capability = *options.device.compute_capability.value;
  auto compiled = options.compile_cuda ? options.compile_cuda(draft.source, name, capability, options.cancel)
                                       : platform::compile_cuda_text(draft.source, name, {}, capability);
  if (cancelled(options)) return DraftFailure{{}, true};
  if (const auto* const failure = std::get_if<platform::CudaFailure>(&compiled)) {
    DraftFailure out{parse_compiler_log(failure->log, name), false};
    const bool any_error = std::ranges::any_of(out.messages, [](const Diagnostic& d) { return !d.warning; });
    if (!any_error) {
      const std::string_view line = without_name(failure->line, name);
      out.messages.insert(out.messages.begin(), {Diagnostic::Text::source, 0, 0, std::string(line), false});
    }
    return out;
  }
  auto& done = std::get<platform::CompiledCuda>(compiled);
  return CompiledModule{
      std::move(done.ptx), {std::move(done.cubin), name, "by " + done.compiler}, {}, std::move(done.note)};
}

/// Compiles to machine code with ptxas, if it is installed.
std::optional<DraftFailure> ask_ptxas(const KernelDraft& draft, const DraftOptions& options, CompiledModule& module) {
  if (!options.ask_ptxas || !platform::find_tool("ptxas")) return {};
  platform::ChildLimits limits;
  limits.deadline = std::chrono::steady_clock::now() + ptxas_time;
  limits.cancel = options.cancel;
  auto compiled =
      platform::compile_ptx(module.ptx, draft.file_name(), *options.device.compute_capability.value, limits);
  if (cancelled(options)) return DraftFailure{{}, true};
  if (!compiled) return failed(parse_ptxas_error(compiled.error()));
  auto& done = *compiled;
  module.machine = {std::move(done.cubin), draft.file_name(), "by " + done.compiler};
  return {};
}

/// Only the launch of a program has recorded contents.
std::optional<Diagnostic> check_recorded(const LaunchText& launch, const KernelDraft& draft) {
  for (const std::string& name : launch.recorded)
    if (draft.recorded == nullptr || !draft.recorded->has(name))
      return launch.place(
          fmt::format("buffer {}: nothing is recorded of it; write for example \"random 1\" for its contents", name));
  return {};
}

}  // namespace

std::variant<gpu::Device, DraftFailure> gpu_of(const LaunchText& launch, const DraftOptions& options) {
  const std::string& name = launch.file.gpu;
  if (name.empty()) return options.device;
  const auto found = std::ranges::find(options.gpus, name, &gpu::Device::id);
  if (found != options.gpus.end()) return *found;
  std::vector<std::string_view> known;
  for (const gpu::Device& device : options.gpus) known.push_back(device.id);
  return failed(launch.place(fmt::format("gpu: {} is not known; known are {}", name, fmt::join(known, ", "))));
}

std::variant<CompiledModule, DraftFailure> compile_module(const KernelDraft& draft, const DraftOptions& options) {
  if (auto failure = check_size(draft)) return std::move(*failure);
  // Code that was compiled for the GPUs of one compute capability is compiled again for others.
  const bool other_gpu =
      draft.language == DraftLanguage::cuda &&
      !platform::target_mismatch(platform::target_of(draft.precompiled.ptx), *options.device.compute_capability.value)
           .empty();
  if (draft.uses_precompiled() && !other_gpu)
    return CompiledModule{
        draft.precompiled.ptx, {draft.precompiled.cubin, draft.name + ".cubin", draft.precompiled.origin}, {}, ""};
  if (draft.language == DraftLanguage::cuda) return compile_cuda_source(draft, options);
  CompiledModule module{draft.source, {}, {}, ""};
  const auto parsed = ptx::parse(draft.source);
  if (const auto* const error = std::get_if<ptx::Error>(&parsed)) return failed(parse_ptx_error(error->text()));
  if (auto failure = ask_ptxas(draft, options, module)) return std::move(*failure);
  return module;
}

std::variant<CompiledDraft, DraftFailure> bind_module(const CompiledModule& module, const KernelDraft& draft,
                                                      LaunchText launch, const DraftOptions& options) {
  CompiledDraft compiled;
  compiled.device = options.device;
  compiled.launch = std::move(launch);
  if (auto error = check_launch(compiled.launch, options)) return failed(std::move(*error));
  if (auto error = check_recorded(compiled.launch, draft)) return failed(std::move(*error));

  LoadedLaunch loaded;
  loaded.file = compiled.launch.file;
  loaded.path = "launch";
  if (draft.recorded != nullptr) loaded.path = draft.recorded->folder.path() / loaded.path;
  const std::string launch_name = loaded.path.string();
  loaded.module_file = draft.file_name();
  loaded.ptx = module.ptx;
  if (!module.note.empty()) loaded.notes.push_back(module.note);
  if (draft.language == DraftLanguage::cuda) loaded.source = draft.source;
  LoadOptions load;
  load.host_bytes = options.limits.max_buffer_bytes;
  // The machine code of another GPU is not the typed kernel's fault: its PTX runs.
  auto ready = load_launch(std::move(loaded), module.machine, options.device, load);
  if (!ready) {
    const std::string_view line = ready.error();
    if (line.starts_with(fmt::format("{}: ", launch_name)))
      return failed(compiled.launch.place(without_name(line, launch_name)));
    const std::string module_name = draft.file_name();
    if (line.starts_with(module_name)) {
      Diagnostic message = parse_ptx_error(without_name(line, module_name));
      // A line of the compiled PTX is not a line of the source.
      if (draft.language == DraftLanguage::cuda && message.line != 0) {
        message.message = fmt::format("{} (PTX line {})", message.message, message.line);
        message.line = message.column = 0;
      }
      return failed(std::move(message));
    }
    return failed_launch(ready.error());
  }
  compiled.loaded = std::move(*ready);
  if (auto failure = check_local_memory(compiled.loaded, options)) return std::move(*failure);
  if (auto failure = check_variables(compiled.loaded, options)) return std::move(*failure);
  compiled.warnings = module.warnings;
  return compiled;
}

std::variant<CompiledDraft, DraftFailure> compile_draft(const KernelDraft& draft, const DraftOptions& given) {
  if (auto failure = check_size(draft)) return std::move(*failure);
  auto parsed = parse_launch_text(draft.launch);
  if (auto* const error = std::get_if<Diagnostic>(&parsed)) return failed(std::move(*error));
  auto& launch = std::get<LaunchText>(parsed);
  auto chosen = gpu_of(launch, given);
  if (auto* const failure = std::get_if<DraftFailure>(&chosen)) return std::move(*failure);
  DraftOptions options = given;
  options.device = std::move(std::get<gpu::Device>(chosen));
  if (auto error = check_launch(launch, options)) return failed(std::move(*error));
  if (options.progress) options.progress("compile", 0, 0);
  auto module = compile_module(draft, options);
  if (auto* const failure = std::get_if<DraftFailure>(&module)) return std::move(*failure);
  return bind_module(std::get<CompiledModule>(module), draft, std::move(launch), options);
}

}  // namespace warpwalk::run
