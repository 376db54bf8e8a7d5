#pragma once

#include <cstddef>

#include "instrumentation/simulated/engine/gpu.h"
#include "instrumentation/simulated/runtime/types.h"

namespace warpwalk::simulated {

/// The copy that a cudaMemcpy3DParms describes. Extents and offsets are in elements where an array takes part.
Error copy_of(Gpu& gpu, const Copy3D& parameters, Copy& copy);

/// The parameters of cudaMemcpyBatchAsync.
struct CopyBatch {
  void* const* to;
  const void* const* from;
  const std::size_t* bytes;
  std::size_t count;
  const CopyAttributes* attributes;
  const std::size_t* first;  ///< copy of each of the attributes
  std::size_t attribute_count;
};

/// `failed` receives the number of the copy that is invalid, or the largest number if none is to blame. May be null.
Error copy_batch(const CopyBatch& batch, std::size_t* failed, const void* stream);
Error copy_3d_batch(const Copy3DOperation* operations, std::size_t count, unsigned long long flags, std::size_t* failed,
                    const void* stream);

}  // namespace warpwalk::simulated
