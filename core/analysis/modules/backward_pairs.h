#pragma once

#include <utility>
#include <vector>

#include "core/trace/trace.h"

namespace warpwalk::analysis {

/// The forward op of each backward op: pairs (backward, forward), sorted by the backward op. A forward op starts before
/// its backward op. A pair is found by
/// - an arrow of the category "fwdbwd" that the profiler recorded; else
/// - the sequence number that autograd gave to both: of the ops of the same process with this number that started
///   before, the last one, which is the innermost. If several threads have such an op, it is the thread that the other
///   pairs with the same "Fwd thread id" lead to; without such pairs there is none.
/// The call of the engine around a backward op ("autograd::engine::evaluate_function: MmBackward0") has the pair of the
/// op inside it, because the engine launches work around that op too: it adds up the gradients of a broadcast.
std::vector<std::pair<trace::SliceId, trace::SliceId>> backward_pairs(const trace::Trace& trace);

/// Whether an op is autograd's: the engine's call of a backward function, the function itself, or an op that has a
/// "Fwd thread id".
bool is_backward_op(const trace::Trace& trace, trace::SliceId op);

}  // namespace warpwalk::analysis
