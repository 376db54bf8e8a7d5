#pragma once

// This folder registers the ops of core/ops/definitions with a dispatcher, key by key.

#include "core/ops/dispatch/dispatcher.h"
#include "core/ops/tensor/promotion.h"

namespace warpwalk::ops {

// Registers the ops of core/ops/definitions with a dispatcher. Names and schemas are PyTorch's. A binary op takes a
// Python number for its second tensor (wrapped: it does not promote a tensor of the same category).

/// Defines all ops, and registers the composite ones (those that call other ops).
void register_library(Dispatcher& dispatcher);
/// Functions under CPU: plain loops, the reference. Sums and products of f16, bf16 and f32 are kept in double and
/// rounded once.
void register_cpu(Dispatcher& dispatcher);
/// Functions under AutogradCPU and AutogradCUDA for every op with a derivative, and under ADInplaceOrView.
void register_autograd(Dispatcher& dispatcher);
/// Functions under AutocastCPU and AutocastCUDA, which cast inputs as OpDefinition::autocast says, with `low` (f16 or
/// bf16) for low precision. The dispatcher reaches them while a Dispatcher::Guard includes one of those keys.
void register_autocast(Dispatcher& dispatcher, DType low);

}  // namespace warpwalk::ops
