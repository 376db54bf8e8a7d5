#include "core/analysis/time/verdict.h"

#include "core/analysis/time/idle.h"

namespace warpwalk::analysis {

std::string_view name_of(IdleCause cause) {
  switch (cause) {
    case IdleCause::profiler: return "profiler";
    case IdleCause::unknown: return "unknown";
    case IdleCause::unrecorded: return "unrecorded";
    case IdleCause::dependency: return "dependency";
    case IdleCause::latency: return "launch latency";
    case IdleCause::between: return "between kernels";
    case IdleCause::synchronisation: return "synchronisation";
    case IdleCause::copy: return "copy";
    case IdleCause::pageable: return "pageable copy";
    case IdleCause::late_launch: return "late launch";
    case IdleCause::restart: return "restart";
    case IdleCause::blocked: return "blocked";
    case IdleCause::loading: return "loading";
    case IdleCause::allocation: return "allocation";
    case IdleCause::communication: return "communication";
  }
  return "";
}

std::string_view name_of(IdleVerdict verdict) {
  switch (verdict) {
    case IdleVerdict::nothing: return "no work";
    case IdleVerdict::busy: return "busy";
    case IdleVerdict::launch_bound: return "launch-bound";
    case IdleVerdict::synchronised: return "synchronised";
    case IdleVerdict::copy_bound: return "copy-bound";
    case IdleVerdict::dependent: return "dependent";
    case IdleVerdict::communicating: return "communicating";
    case IdleVerdict::blocked: return "blocked";
    case IdleVerdict::loading: return "loading code";
    case IdleVerdict::allocating: return "allocating memory";
    case IdleVerdict::profiled: return "slowed by the profiler";
    case IdleVerdict::between: return "between kernels";
    case IdleVerdict::unexplained: return "unknown";
  }
  return "";
}

bool counts_for(IdleVerdict verdict, IdleCause cause) {
  switch (cause) {
    case IdleCause::late_launch:
    case IdleCause::latency: return verdict == IdleVerdict::launch_bound;
    case IdleCause::synchronisation:
    case IdleCause::restart: return verdict == IdleVerdict::synchronised;
    case IdleCause::copy:
    case IdleCause::pageable: return verdict == IdleVerdict::copy_bound;
    case IdleCause::dependency: return verdict == IdleVerdict::dependent;
    case IdleCause::blocked: return verdict == IdleVerdict::blocked;
    case IdleCause::loading: return verdict == IdleVerdict::loading;
    case IdleCause::allocation: return verdict == IdleVerdict::allocating;
    case IdleCause::communication: return verdict == IdleVerdict::communicating;
    case IdleCause::profiler: return verdict == IdleVerdict::profiled;
    case IdleCause::between: return verdict == IdleVerdict::between;
    case IdleCause::unrecorded:
    case IdleCause::unknown: return verdict == IdleVerdict::unexplained;
  }
  return false;
}

std::int64_t IdleReport::time_of(IdleVerdict verdict) const {
  std::int64_t sum = verdict == IdleVerdict::busy            ? computing
                     : verdict == IdleVerdict::communicating ? communicating
                     : verdict == IdleVerdict::copy_bound    ? copying
                                                             : 0;
  for (std::size_t i = 0; i < idle_causes; ++i)
    if (counts_for(verdict, static_cast<IdleCause>(i))) sum += time[i];
  return sum;
}

IdleVerdict IdleReport::verdict() const {
  if (span() <= 0) return IdleVerdict::nothing;
  const IdleVerdict other = cause();
  return time_of(other) > computing ? other : IdleVerdict::busy;
}

IdleVerdict IdleReport::cause() const {
  const IdleVerdict known = largest_known(IdleVerdict::communicating);
  return time_of(IdleVerdict::unexplained) > time_of(known) ? IdleVerdict::unexplained : known;
}

IdleVerdict IdleReport::largest_known(IdleVerdict first) const {
  IdleVerdict largest = IdleVerdict::nothing;
  for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(IdleVerdict::unexplained); ++i)
    if (time_of(static_cast<IdleVerdict>(i)) > time_of(largest)) largest = static_cast<IdleVerdict>(i);
  return largest;
}

}  // namespace warpwalk::analysis
