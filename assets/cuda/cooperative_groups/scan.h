// Scans over a tile or a group of lanes.
#pragma once

#include "reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Op>
WARPWALK_DEVICE T inclusive_scan(const Group& group, T v, Op op) {
  for (unsigned int step = 1; step < group.size(); step *= 2) {
    const T other = group.shfl_up(v, step);
    if (group.thread_rank() >= step) v = op(other, v);
  }
  return v;
}
template <class Group, class T>
WARPWALK_DEVICE T inclusive_scan(const Group& group, T v) {
  return inclusive_scan(group, v, plus<T>());
}
template <class Group, class T, class Op>
WARPWALK_DEVICE T exclusive_scan(const Group& group, T v, Op op) {
  const T before = group.shfl_up(inclusive_scan(group, v, op), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
WARPWALK_DEVICE T exclusive_scan(const Group& group, T v) {
  return exclusive_scan(group, v, plus<T>());
}

}  // namespace cooperative_groups
