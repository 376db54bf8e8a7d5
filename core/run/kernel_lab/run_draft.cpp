#include "core/run/kernel_lab/run_draft.h"

#include <algorithm>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "core/run/record/launch_trace.h"

namespace warpwalk::run {
namespace {

/// The findings at their lines of the source. In CUDA C++ only findings of this file have a line; others (an included
/// header) keep it in the message.
std::vector<Diagnostic> placed(const std::vector<gpu::Finding>& findings, const KernelDraft& draft) {
  std::vector<Diagnostic> out;
  for (const gpu::Finding& finding : findings) {
    Diagnostic message{Diagnostic::Text::source, 0, 0, finding.message};
    if (draft.language == DraftLanguage::ptx) {
      message.line = finding.ptx_line;
    } else if (std::filesystem::path(finding.source_file).filename() == draft.file_name()) {
      message.line = finding.source_line;
      message.other_line = finding.other_line;
    }
    out.push_back(std::move(message));
  }
  return out;
}

}  // namespace

trace::Trace DraftRun::trace() const { return trace_of(device, loaded, result, initial); }

std::variant<std::shared_ptr<const DraftRun>, DraftFailure> run_compiled(CompiledDraft ready, const KernelDraft& draft,
                                                                         const DraftOptions& options) {
  const auto failed = [&](std::string message) { return DraftFailure{{ready.launch.place(message)}, false}; };
  auto run = std::make_shared<DraftRun>();
  run->device = std::move(ready.device);
  run->loaded = std::move(ready.loaded);
  run->warnings = std::move(ready.warnings);
  run->initial = initial_buffers(run->loaded, options.limits.max_buffer_bytes);

  gpu::SimulateOptions how;
  how.threads = options.threads;
  how.sanitize = options.sanitize;
  how.by_instruction = true;
  how.cancel = options.cancel;
  how.operation_limit = std::min(options.limits.max_block_operations, options.limits.max_operations);
  how.launch_operation_limit = options.limits.max_operations;
  CyclesOptions cycles;
  cycles.choice = options.cycles;
  cycles.caches = run->caches();
  cycles.keep_buffers = options.keep_timed_buffers;
  cycles.max_warp_instructions = options.limits.max_timed_warp_instructions;
  cycles.threads = options.threads;
  cycles.cancel = options.cancel;
  if (options.progress) {
    how.progress = [&](std::uint64_t done, std::uint64_t of) { options.progress("run", done, of); };
    cycles.progress = [&](std::uint64_t done, std::uint64_t of) { options.progress("cycles", done, of); };
  }
  try {
    auto ran = run_launch(run->device, run->loaded, how, cycles);
    if (!ran) {
      const std::string_view line = ran.error();
      const std::string prefix = run->loaded.path.string() + ": ";
      return failed(std::string(line.starts_with(prefix) ? line.substr(prefix.size()) : line));
    }
    run->result = std::move(*ran);
    const gpu::Simulation& simulation = run->result.simulation;
    if (simulation.cancelled || run->result.cycles.cancelled) return DraftFailure{{}, true};
    if (simulation.over_limit)
      return failed(
          fmt::format("the launch issues more than {} million operations, the limit of the Kernel lab; make "
                      "the grid or the loops smaller",
                      options.limits.max_operations / 1'000'000));
    run->findings = placed(simulation.findings, draft);
    const auto& timing = run->result.cycles.timing;
    run->costs =
        costs_by_line(*run->loaded.program, instruction_costs(simulation, timing ? &*timing : nullptr),
                      draft.language == DraftLanguage::cuda ? CostText::source : CostText::ptx, draft.file_name());
  } catch (const std::bad_alloc&) {
    return failed("this machine has not enough memory for the launch; make its buffers smaller");
  }
  return run;
}

std::variant<std::shared_ptr<const DraftRun>, DraftFailure> run_draft(const KernelDraft& draft,
                                                                      const DraftOptions& options) {
  auto compiled = compile_draft(draft, options);
  if (auto* const failure = std::get_if<DraftFailure>(&compiled)) return std::move(*failure);
  return run_compiled(std::move(std::get<CompiledDraft>(compiled)), draft, options);
}

}  // namespace warpwalk::run
