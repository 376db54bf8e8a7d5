#pragma once

#include <cstdint>

#include "core/gpu/history/origin/operation_flow.h"
#include "core/gpu/history/origin/origin.h"

namespace warpwalk::gpu {

/// The width of the register that a step has as its place, in bytes; 0 if it is
/// a predicate. `place`: its offset in the function's frame.
std::uint8_t width_of_place(const Program& program, const Op& op, OperationFlow::Kind kind, std::uint32_t place);

/// A store. Its value is in the register that it stores, before it runs; that
/// of another operation is in its result.
bool is_store(OperationFlow::Kind kind);

OriginStep::Kind step_kind(OperationFlow::Kind kind);

}  // namespace warpwalk::gpu
