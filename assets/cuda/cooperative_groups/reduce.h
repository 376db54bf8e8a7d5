// Reductions over a tile or a group of lanes.
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class T>
struct plus {
  WARPWALK_MEMBER T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  WARPWALK_MEMBER T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  WARPWALK_MEMBER T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  WARPWALK_MEMBER T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  WARPWALK_MEMBER T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  WARPWALK_MEMBER T operator()(T a, T b) const { return a ^ b; }
};

template <unsigned int Size, class Parent, class T, class Op>
WARPWALK_DEVICE T reduce(const thread_block_tile<Size, Parent>& tile, T v, Op op) {
  for (unsigned int lanes = Size / 2; lanes > 0; lanes /= 2) v = op(v, tile.shfl_xor(v, lanes));
  return v;
}
template <class T, class Op>
WARPWALK_DEVICE T reduce(const lanes_group& group, T v, Op op) {
  T result = group.shfl(v, 0);
  for (unsigned int rank = 1; rank < group.size(); ++rank) result = op(result, group.shfl(v, rank));
  return result;
}

}  // namespace cooperative_groups
