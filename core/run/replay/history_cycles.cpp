#include "core/run/replay/history_cycles.h"

#include <fmt/format.h>

#include "core/run/launch/code_choice.h"
#include "core/run/launch/cycles.h"
#include "core/run/replay/history_plan.h"
#include "core/run/replay/replay_progress.h"

namespace warpwalk::run {

std::variant<gpu::LaunchTiming, std::string> history_cycles(const trace::Trace& trace, trace::SliceId kernel,
                                                            const History& history, const HistoryOptions& options) {
  if (history.stand_in) return "The stand-in is not the kernel whose time was recorded";
  const trace::KernelRecord* const record = record_of(trace, kernel);
  if (record == nullptr || record->module >= trace.records.modules.size())
    return "The trace has no code of this kernel";
  const trace::Module& module = trace.records.modules[record->module];
  std::shared_ptr<const gpu::Program> program = history.program;
  if (!module.cubin.empty()) {
    const CubinSource machine{{module.cubin.begin(), module.cubin.end()}, module.name, "from cubin"};
    auto choice = choose_code(CodeChoice::sass, machine, record->entry, options.device, {});
    if (const auto* const error = std::get_if<std::string>(&choice))
      return fmt::format("The machine code cannot be simulated: {}", *error);
    program = std::get<ChosenCode>(choice).program;
  }

  CyclesOptions how{CyclesChoice::automatic};
  how.max_warp_instructions = options.max_timed_warp_instructions;
  how.threads = options.threads;
  how.cancel = options.cancel;
  CyclesPass pass(options.device, *program, history.before, how);
  Cycles cycles = pass.run(history.simulation);
  if (cycles.cancelled) return std::string(cancelled_reason);
  if (!cycles.timing) return fmt::format("Not simulated: {}", cycles.missing);
  return std::move(*cycles.timing);
}

}  // namespace warpwalk::run
