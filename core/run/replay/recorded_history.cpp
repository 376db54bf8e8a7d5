#include <utility>

#include <fmt/format.h>

#include "core/run/replay/make_history.h"
#include "core/run/replay/recorded_launch.h"

namespace warpwalk::run {
namespace {

template <class T>
using Or = base::Result<T>;  // the result, or a one-line error

/// Says how the memory differs from the recorded one; empty if it does not.
std::string difference(const trace::KernelRecord& record, const RecordedOutputs& compared) {
  if (compared.different == 0) return {};
  return fmt::format(
      "simulated, {} leaves other bits than the GPU in {}{}", record.entry, compared.first_different,
      compared.different == 1 ? std::string() : fmt::format(" and {} more places", compared.different - 1));
}

}  // namespace

Or<std::shared_ptr<const History>> recorded_history(const trace::Trace& trace, const trace::KernelRecord& record,
                                                    const HistoryOptions& options) {
  if (record.module >= trace.records.modules.size())
    return base::Error{fmt::format("the machine code of {} is not recorded", record.entry)};
  const trace::Module& module = trace.records.modules[record.module];
  auto made = recorded_launch(record, recorded_code(record, module));
  if (!made) return base::Error{made.error()};
  auto& recorded = *made;
  HistoryProgress progress(options, blocks_of(record.grid));
  if (progress.cancelled()) return base::Error{std::string(cancelled_reason)};
  auto history = std::make_shared<History>();
  history->recorded = true;
  history->seeded = recorded.seeded;
  history->device = options.device;
  history->program = std::move(recorded.program);
  history->before = recorded.launch;
  history->entry = record.entry;
  history->ptx = module.ptx;
  history->source = module.source;
  gpu::SimulateOptions how = progress.next(blocks_of(record.grid));
  how.launch_operation_limit = options.max_warp_instructions;
  auto simulated = gpu::simulate(options.device, *history->program, recorded.launch, how);
  if (!simulated) return base::Error{fmt::format("{}: {}", record.entry, simulated.error())};
  history->simulation = std::move(*simulated);
  if (history->simulation.cancelled) return base::Error{std::string(cancelled_reason)};
  if (history->simulation.over_limit)
    return base::Error{fmt::format("{} takes more than {} warp instructions, the most that are simulated", record.entry,
                                   options.max_warp_instructions)};
  if (history->simulation.stopped)
    history->announced = fmt::format("{} was stopped when it was simulated: {}", record.entry,
                                     history->simulation.findings.front().message);
  if (recorded.seeded) return std::shared_ptr<const History>(std::move(history));
  const RecordedOutputs compared = recorded_outputs(*record.state, recorded.launch);
  using Digests = History::Digests;
  if (compared.different > 0)
    history->digests = Digests::different;
  else if (compared.same > 0)
    history->digests = Digests::equal;
  if (history->announced.empty()) history->announced = difference(record, compared);
  return std::shared_ptr<const History>(std::move(history));
}

}  // namespace warpwalk::run
