#include "app/verbs/counted_run.h"

#include <vector>

#include <fmt/format.h>

#include "app/verbs/common/watch.h"
#include "core/platform/executable_path.h"
#include "instrumentation/cuda/hardware_counters.h"

namespace warpwalk::verbs {

base::Result<void> count_run(const RunOptions& options, trace::Records& records, platform::BlockedSignals& signals) {
  std::vector<std::string> command = {
      platform::executable_path().string(), "run", "--on", "cuda", "--seed", options.seed};
  for (const std::string& shape : options.shapes) command.insert(command.end(), {"--shape", shape});
  for (const std::string& dtype : options.dtypes) command.insert(command.end(), {"--dtype", dtype});
  for (const std::string& input : options.inputs) command.insert(command.end(), {"--input", input});
  if (options.gradients) command.push_back("--gradients");
  if (!options.autocast.empty()) command.insert(command.end(), {"--autocast", options.autocast});
  command.insert(command.end(), {"--", options.expression});  // it may begin with a minus
  Watch watch(signals, options.progress ? Watch::Shown::lines : Watch::Shown::on_terminal);
  watch.progress("counting with Nsight Compute", 0, 0);
  const auto counted = cuda::profile_kernels(command, watch.cancel());
  if (!counted) return base::Error{fmt::format("--counters: {}", counted.error())};
  if (const auto done = cuda::add_counters(*counted, records); !done)
    return base::Error{fmt::format("--counters: {}", done.error())};
  return {};
}

}  // namespace warpwalk::verbs
