#include "core/story/labs/labs.h"

#include "core/story/scenes/scenes.h"

namespace warpwalk::story {

const std::vector<Scene>& labs() {
  static const std::vector<Scene> list = {
      {0, "lab/launch-anatomy", launch_anatomy_lab(), "launch"},
      {0, "lab/kernel", kernel_lab(), "schedulers"},
      {0, "lab/exercise", exercise_lab(), "schedulers"},
      {0, "lab/parameters", parameters_lab(), "sm"},
      {0, "lab/receipts", receipts_lab(), "boardroom"},
      {0, "lab/validation", validation_lab(), "map"},
      {0, "lab/sweep", sweep_lab(), "map"},
      {0, "lab/why-gpus", why_gpus_lab(), "boardroom"},
      {0, "lab/hierarchy", hierarchy_lab(), "launch"},
      {0, "lab/memory-hierarchy", memory_hierarchy_lab(), "warehouse"},
      {0, "lab/tiling", tiling_lab(), "launch"},
      {0, "lab/coalescing", coalescing_lab(), "lanes"},
      {0, "lab/bank-conflicts", bank_conflicts_lab(), "lanes"},
      {0, "lab/divergence", divergence_lab(), "lanes"},
      {0, "lab/occupancy", occupancy_lab(), "sm"},
      {0, "lab/latency-hiding", latency_hiding_lab(), "schedulers"},
      {0, "lab/compute-capability", compute_capability_lab(), "translator"},
      {0, "lab/ptx-sass", ptx_sass_lab(), "translator"},
      {0, "lab/number-formats", number_formats_lab(), "lanes"},
      {0, "lab/tensor-cores", tensor_cores_lab(), "lanes"},
      {0, "lab/layouts", layouts_lab(), "lanes"},
      {0, "lab/host-device", host_device_lab(), "boardroom"},
      {0, "lab/tensors", tensors_lab(), "warehouse"},
      {0, "lab/dispatch", dispatch_lab(), "translator"},
      {0, "lab/autograd", autograd_lab(), "translator", {autograd_text}},
      {0, "lab/writing-a-kernel", writing_a_kernel_lab(), "translator"},
      {0, "lab/forward-pass", forward_pass_lab(), "boardroom"},
      {0, "lab/streams", streams_lab(), "launch"},
      {0, "lab/allocator", caching_allocator_lab(), "warehouse"},
      {0, "lab/observe", observe_lab(), "sm"},
      {0, "lab/cuda-triton", cuda_triton_lab(), "translator"},
      {0, "lab/torch-compile", torch_compile_lab(), "translator"},
      {0, "lab/storage", storage_lab(), "warehouse"},
      {0, "lab/collectives", collectives_lab(), "boardroom"},
      {0, "lab/overview", overview_lab(), "boardroom"},
      {0, "ranks", ranks_scene(), "boardroom"},
      {0, "crash", crash_scene(), "lanes"},
  };
  return list;
}

}  // namespace warpwalk::story
