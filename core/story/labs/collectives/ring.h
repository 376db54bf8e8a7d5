#pragma once

#include "core/analysis/ranks/rank_digest.h"
#include "core/story/labs/collectives/plan.h"

namespace warpwalk::story {

/// A collective of 2 to max_collective_gpus GPUs, of which each sends at most one chunk and receives at most one in a
/// step. The message has one chunk per GPU.
///
/// - reduce_scatter, all_gather: around a ring, n - 1 steps. GPU i ends with the sum of chunk i, or starts with
///   chunk i.
/// - all_reduce: reduce_scatter, then all_gather.
/// - broadcast: chunk after chunk down the chain from GPU 0, 2n - 2 steps.
/// - all_to_all: in step s, each GPU sends to the one s places further, n - 1 steps. Chunk j of GPU i becomes chunk i
///   of GPU j.
///
/// For any other kind, the plan of all_reduce.
CollectivePlan ring_plan(analysis::CollectiveKind kind, int gpus);

}  // namespace warpwalk::story
