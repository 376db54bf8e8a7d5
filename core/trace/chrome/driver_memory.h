#pragma once

#include "core/trace/trace.h"

namespace warpwalk::trace {

/// Reads DriverMemory's rows out of the instants of category "cuda_memory", as `warpwalk record` writes them ("Addr",
/// "Bytes", "kind", "device"). A memory pool (cudaMallocAsync) is one piece, as large as "pool bytes" says; what comes
/// out of it is none. Memory of the host, managed memory, which lies now here and now there, and variables that come
/// with a module's code are left out, as is what lacks one of these fields or is given back without having been taken.
/// A piece that lies where another is held still shows that the record lacks that one's release: it ends there.
Column<DriverMemory> driver_memory(const Trace& trace);

}  // namespace warpwalk::trace
