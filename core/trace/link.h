#pragma once

#include <cstddef>

#include "core/trace/problem.h"
#include "core/trace/trace.h"

namespace warpwalk::trace {

/// Completes a Trace whose rows are filled (Slices::parent may be empty): sorts tracks, slices, details and all other
/// rows, finds each slice's parent by nesting, the launch of each piece of GPU work by its correlation (within its
/// rank, see ranks.h), and the time span of real work. Threads and GPUs that share a number become tracks and device
/// numbers of their own (python_threads.h, device_numbers.h). Adds inconsistencies to `problems`. Call it only once.
void link(Trace& trace, Problems& problems);

/// The op that a piece of GPU work belongs to: the innermost op that encloses its launch, or no_slice.
SliceId op_of(const Trace& trace, SliceId gpu_work);
/// The launch of a kernel, memcpy or memset, or no_slice.
SliceId launch_of(const Trace& trace, SliceId gpu_work);
/// Pages of unified memory that the driver moved because the CPU or a kernel touched them: no call launched it.
bool is_migration(const Trace& trace, SliceId slice);
/// The first row of Trace::launched whose launch is this slice or a later one.
std::size_t first_launched(const Trace& trace, SliceId slice);
/// The innermost enclosing slice of this kind, or no_slice.
SliceId enclosing(const Trace& trace, SliceId slice, SliceKind kind);

}  // namespace warpwalk::trace
