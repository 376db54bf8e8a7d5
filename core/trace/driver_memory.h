#pragma once

#include "core/trace/trace.h"

namespace warpwalk::trace {

/// Reads DriverMemory's rows out of the instants of category "cuda_memory", as `warpwalk record` writes them ("Addr",
/// "Bytes", "kind", "device"). Memory of the host, managed memory, which lies now here and now there, and variables
/// that come with a module's code are left out, as is what lacks one of these fields or is given back without having
/// been taken.
Column<DriverMemory> driver_memory(const Trace& trace);

}  // namespace warpwalk::trace
