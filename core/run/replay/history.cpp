#include "core/run/replay/history.h"

#include <utility>

#include <fmt/format.h>

#include "core/run/replay/history_plan.h"
#include "core/run/replay/history_replay.h"
#include "core/run/replay/recorded_history.h"
#include "core/run/replay/replay_progress.h"
#include "core/run/replay/stand_in.h"

namespace warpwalk::run {

std::variant<std::shared_ptr<const History>, NoHistory> build_history(const trace::Trace& trace, trace::SliceId kernel,
                                                                      const HistoryOptions& options) {
  using Built = std::variant<std::shared_ptr<const History>, std::string>;
  if (kernel >= trace.slices.size() || trace.slices.kind[kernel] != trace::SliceKind::kernel)
    return NoHistory{"it is not a kernel, so it has no instructions to simulate"};
  std::string own = "its PTX is not recorded";
  std::string inside;  // why a launch that was recorded inside cannot be run
  const trace::KernelRecord* const record = record_of(trace, kernel);
  if (record != nullptr && record->inside) {
    Built built = recorded_history(trace, *record, options);
    if (auto* const history = std::get_if<0>(&built)) return std::move(*history);
    own = inside = std::move(std::get<std::string>(built));
  } else if (record != nullptr && record->module < trace.records.modules.size() &&
             !trace.records.modules[record->module].ptx.empty()) {
    Built built = replayed(trace, kernel, options);
    if (auto* const history = std::get_if<0>(&built)) return std::move(*history);
    own = std::move(std::get<std::string>(built));
  }
  if (own == cancelled_reason) return NoHistory{std::move(own)};
  Built built = stand_in(trace, kernel, options, std::move(inside));
  if (auto* const history = std::get_if<0>(&built)) return std::move(*history);
  std::string& none = std::get<std::string>(built);
  if (none == cancelled_reason) return NoHistory{std::move(none)};
  return NoHistory{fmt::format("{}; a stand-in is not possible either: {}", own, none)};
}

}  // namespace warpwalk::run
