#include "core/run/replay/history.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/result.h"
#include "core/run/replay/make_history.h"
#include "core/run/replay/replay_plan.h"

namespace warpwalk::run {

std::variant<std::shared_ptr<const History>, NoHistory> build_history(const trace::Trace& trace, trace::SliceId kernel,
                                                                      const HistoryOptions& options) {
  using Built = base::Result<std::shared_ptr<const History>>;
  if (kernel >= trace.slices.size() || trace.slices.kind[kernel] != trace::SliceKind::kernel)
    return NoHistory{"it is not a kernel, so it has no instructions to simulate"};
  std::string own = "its PTX is not recorded";
  std::string refused;  // why a recorded launch cannot be run
  const trace::KernelRecord* const record = record_of(trace, kernel);
  if (record != nullptr && record->state) {
    Built built = recorded_history(trace, *record, options);
    if (built) return std::move(*built);
    own = refused = built.error();
  } else if (record != nullptr && record->module < trace.records.modules.size() &&
             !trace.records.modules[record->module].ptx.empty()) {
    Built built = replayed_history(trace, kernel, options);
    if (built) return std::move(*built);
    own = refused = built.error();
  }
  if (own == cancelled_reason) return NoHistory{std::move(own)};
  Built built = stand_in_history(trace, kernel, options, std::move(refused));
  if (built) return std::move(*built);
  const std::string& none = built.error();
  if (none == cancelled_reason) return NoHistory{none};
  return NoHistory{fmt::format("{}; a stand-in is not possible either: {}", own, none)};
}

std::uint64_t blocks_of(const std::array<std::uint32_t, 3>& grid) { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }

HistoryProgress::HistoryProgress(const HistoryOptions& options, std::uint64_t blocks)
    : options_(options), blocks_(blocks) {}

gpu::SimulateOptions HistoryProgress::next(std::uint64_t blocks) {
  gpu::SimulateOptions how;
  how.threads = options_.threads;
  how.cancel = options_.cancel;
  if (options_.progress)
    how.progress = [this, before = begun_](std::uint64_t done, std::uint64_t) {
      options_.progress(before + done, blocks_);
    };
  begun_ += blocks;
  return how;
}

bool HistoryProgress::cancelled() const { return options_.cancel != nullptr && *options_.cancel; }

}  // namespace warpwalk::run
