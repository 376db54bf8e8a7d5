#include "core/story/facts/launch/launch_call.h"

#include <algorithm>

#include "core/story/elements/walk.h"
#include "core/trace/link.h"

namespace warpwalk::story {
namespace {

constexpr std::size_t look_around = 20000;

std::int64_t graph_of(const Trace& trace, SliceId work) {
  return trace.slices.kind[work] == trace::SliceKind::kernel ? trace.kernels[trace.slices.detail[work]].graph_id
                                                             : trace::absent;
}

}  // namespace

LaunchCall launch_call_of(const Trace& trace, const Walk& walk) {
  LaunchCall call;
  if (walk.launch == no_slice || walk.kernel == no_slice) return call;
  const std::size_t own = trace::first_launched(trace, walk.launch);
  const auto started = [&](std::size_t i) { return trace.launched[i].first; };
  std::size_t after = own;
  while (after < trace.launched.size() && started(after) == walk.launch) ++after;
  call.pieces = after - own;
  const std::int64_t graph = graph_of(trace, walk.kernel);
  call.graph = graph > 0 || trace.name(walk.launch).find("GraphLaunch") != std::string_view::npos;
  if (!call.graph) return call;

  SliceId last = no_slice;
  const auto look = [&](std::size_t i) {
    const auto [launch, work] = trace.launched[i];
    if (launch == last || trace.slices.name[launch] != trace.slices.name[walk.launch] ||
        trace.slices.track[launch] != trace.slices.track[walk.launch] || !has_time(trace, launch))
      return;
    if (graph != trace::absent && graph_of(trace, work) != graph) return;
    last = launch;
    const std::int64_t ns = trace.slices.duration[launch];
    call.shortest_other = call.others == 0 ? ns : std::min(call.shortest_other, ns);
    call.longest_other = std::max(call.longest_other, ns);
    ++call.others;
  };
  for (std::size_t i = own > look_around ? own - look_around : 0; i < own; ++i) look(i);
  for (std::size_t i = after; i < std::min(trace.launched.size(), after + look_around); ++i) look(i);
  return call;
}

}  // namespace warpwalk::story
