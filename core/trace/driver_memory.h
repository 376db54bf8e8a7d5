#pragma once

#include "core/trace/trace.h"

namespace warpwalk::trace {

/// Extracts DriverMemory rows from the instants of category "cuda_memory", as `warpwalk record` writes them ("Addr",
/// "Bytes", "kind", "device"). A memory pool (cudaMallocAsync) is one allocation of "pool bytes" bytes; allocations
/// from the pool are not counted. Skipped: host memory, managed memory (which migrates), module variables, events that
/// lack one of these fields, and frees without an allocation. If a new allocation overlaps a live one, the recording
/// missed a free: the old allocation ends there.
Column<DriverMemory> driver_memory(const Trace& trace);

}  // namespace warpwalk::trace
