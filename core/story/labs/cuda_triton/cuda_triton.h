#pragma once

// The settings of the lab "cuda-triton", and its pictures.
#include "core/records/triton_record.h"
#include "core/story/labs/cuda_triton/layout.h"
#include "core/story/labs/lab_parts.h"

namespace warpwalk::story {

struct CudaTriton {
  static constexpr std::string_view name = "lab/cuda-triton";
  static constexpr int max_cells = 1024;  ///< elements that are drawn

  const SceneInput& input;
  const records::TritonRecord* record;  ///< null if there are no recordings
  ControlSet controls{input, name};
  std::string kernel;      ///< "relu" or "vecadd"
  std::int64_t n = 0;      ///< elements of the tensors
  int block = 0;           ///< threads of a CUDA block
  BlockedLayout layout;    ///< of Triton's program instance
  std::vector<int> sizes;  ///< of the autotuned matrices
  int size = 0;            ///< the chosen one
  std::string op;          ///< "triton_op" or "custom_op"
  int element = 0;         ///< that is followed, within the last program instance

  explicit CudaTriton(const SceneInput& in);

  double progress() const { return part(input.moment.phase, 0.05, 0.9); }  ///< of the beat's motion
  bool even() const { return n % 16 == 0; }
  int arrays() const { return kernel == "relu" ? 2 : 3; }
  std::int64_t instances() const { return (n + layout.elements - 1) / layout.elements; }
  std::int64_t blocks() const { return (n + block - 1) / block; }
  /// The first element of the last program instance, which is drawn.
  std::int64_t start() const { return (instances() - 1) * layout.elements; }
  std::int64_t followed() const { return start() + element; }
  /// Elements of the last program instance that the mask switches off.
  std::int64_t masked() const { return instances() * layout.elements - n; }
  /// Load instructions of a thread.
  int loads() const { return (arrays() - 1) * layout.slots() / access_width(layout, n); }
  std::string word(std::string_view key, const Narration::Values& values = {}) const;
  /// The launches with these settings; null if there are none.
  const records::KernelLaunch* triton() const {
    return record->find("triton", kernel, layout.elements, layout.warps, even());
  }
  const records::KernelLaunch* cuda(bool four) const {
    return record->find("cuda", kernel + (four ? "4" : ""), block, block / 32, true);
  }
  /// The configurations of this size, as they were recorded.
  std::vector<const records::TunedConfig*> configs() const;
  const records::TunedConfig* winner() const;
};

/// The source in both languages; the lines that belong together are linked. `lit`: number of the pair.
Panel sources_panel(const CudaTriton& lab, std::size_t lit);
/// The elements of the last program instance, by the thread that works on them.
Panel elements_panel(const CudaTriton& lab, bool triton);
/// Registers by lanes of the followed warp.
Panel lanes_panel(const CudaTriton& lab);
/// Triton's layout as computed and as recorded.
Panel layout_table(const CudaTriton& lab);
/// PTX of both, loads and stores lit.
Panel ptx_panel(const CudaTriton& lab);
Panel counters_table(const CudaTriton& lab);
/// Elements per block against measured time.
Panel times_panel(const CudaTriton& lab);
/// The configurations of the matrix product as bars. `shown`: 0 to 1.
Panel autotune_panel(const CudaTriton& lab, double shown);
/// The Triton source that torch.compile generated, and its PTX.
Panel compiled_panel(const CudaTriton& lab, double progress);
/// Source of a registered op beside what each step gave. `lit`: number of the line.
Panel registration_panel(const CudaTriton& lab, std::size_t lit);
/// One recorded call of the op.
Panel call_panel(const CudaTriton& lab);
Panel settings_table(const CudaTriton& lab);

}  // namespace warpwalk::story
