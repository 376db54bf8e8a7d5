#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace warpwalk::analysis {

enum class ChangeKind : std::uint8_t {
  drop_sync,        ///< the CPU does not wait for the GPU at a line
  pinned,           ///< copies to the GPU from pinned memory, without waiting
  stream,           ///< copies to the GPU on a stream of their own, one step ahead
  graph,            ///< the step is one CUDA graph
  compile,          ///< forward and backward pass by torch.compile
  fused_optimizer,  ///< the optimizer with fused=True
  dtype,            ///< a narrower type for products
  batch,            ///< more or fewer samples per step
  sequence,         ///< longer or shorter sequences
  hidden,           ///< a larger or smaller hidden size
  kernel,           ///< some kernels are faster
  gpu,              ///< another GPU
  launch_us,        ///< another time of the CPU per launch
  cpu,              ///< a faster CPU
  fuse,             ///< kernels of some ops become one where they follow each other
  ranks,            ///< more or fewer ranks
  link,             ///< a faster or slower link between the ranks
};

enum class NarrowType : std::uint8_t { bf16, f16, tf32, fp8 };
/// "bf16" ...
std::string_view name_of(NarrowType type);

/// A change of a traced program, as --change names it.
struct Change {
  ChangeKind kind = ChangeKind::drop_sync;
  std::string text;       ///< as it was written: "kernel:softmax:x2"
  std::string name;       ///< of a file, a kernel or a GPU, of ops "gelu+add"; empty: all
  std::int64_t line = 0;  ///< of drop_sync
  double factor = 1;      ///< of batch, kernel, cpu and others; of launch_us, the time in us
  bool roofline = false;  ///< of kernel: as fast as its roofline
  NarrowType type = NarrowType::bf16;
};

/// The words of --change with their meaning, one a line.
std::string_view change_words();

/// Reads a change such as "drop-sync:train.py:41". The error lists what is possible.
base::Result<Change> parse_change(std::string_view text);

}  // namespace warpwalk::analysis
