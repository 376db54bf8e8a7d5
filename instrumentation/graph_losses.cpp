#include "instrumentation/graph_losses.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

namespace warpwalk::instrumentation {
namespace {

struct Launch {
  std::uint64_t work = 0;
  std::int64_t graph = trace::absent;
};

bool is_graph_launch(std::string_view call) {
  return call.starts_with("cudaGraphLaunch") || call.starts_with("cuGraphLaunch");
}

// By correlation. Calls that failed are excluded: they launched nothing.
std::unordered_map<std::int64_t, Launch> graph_launches(const trace::Trace& trace) {
  std::unordered_map<std::int64_t, Launch> launches;
  const trace::Slices& rows = trace.slices;
  for (std::size_t s = 0; s < rows.size(); ++s)
    if (trace::is_call(rows.kind[s]) && rows.extra[s] == 0 && is_graph_launch(trace.text(rows.name[s])))
      launches.try_emplace(trace.calls[rows.detail[s]].correlation);
  return launches;
}

}  // namespace

GraphLosses graph_losses(const trace::Trace& trace, std::span<const std::uint32_t> transfer_graphs) {
  std::unordered_map<std::int64_t, Launch> launches = graph_launches(trace);
  if (launches.empty()) return {};
  const auto take = [&](std::int64_t correlation, std::int64_t graph) {
    if (const auto launch = launches.find(correlation); launch != launches.end())
      launch->second = {launch->second.work + 1, graph};
  };
  for (const trace::KernelDetail& kernel : trace.kernels)
    if (kernel.graph_id != trace::absent) take(kernel.correlation, kernel.graph_id);
  for (std::size_t t = 0; t < trace.transfers.size(); ++t)
    if (transfer_graphs[t] != 0) take(trace.transfers[t].correlation, transfer_graphs[t]);

  std::unordered_map<std::int64_t, std::uint64_t> fullest;  // by graph
  for (const auto& [correlation, launch] : launches)
    if (launch.work > 0) fullest[launch.graph] = std::max(fullest[launch.graph], launch.work);
  std::set<std::uint64_t> sizes;
  for (const auto& [graph, work] : fullest) sizes.insert(work);

  GraphLosses losses;
  for (const auto& [correlation, launch] : launches) {
    if (launch.work > 0)
      losses.work += fullest[launch.graph] - launch.work;
    else if (sizes.size() == 1)
      losses.work += *sizes.begin();
    else
      ++losses.empty_launches;
  }
  return losses;
}

}  // namespace warpwalk::instrumentation
