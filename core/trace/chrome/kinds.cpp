#include "core/trace/chrome/kinds.h"

namespace warpwalk::trace {
namespace {

struct Row {
  std::string_view category;
  SliceKind kind;
};

// Most frequent first; the spellings of PyTorch 1.8 and 1.9 come after the current ones, other accelerators last.
constexpr Row rows[] = {
    {"python_function", SliceKind::python},
    {"cpu_op", SliceKind::op},
    {"cuda_runtime", SliceKind::runtime},
    {"kernel", SliceKind::kernel},
    {"gpu_memcpy", SliceKind::memcpy},
    {"gpu_memset", SliceKind::memset},
    {"cuda_driver", SliceKind::driver},
    {"cuda_sync", SliceKind::sync},
    {"user_annotation", SliceKind::annotation},
    {"gpu_user_annotation", SliceKind::gpu_annotation},
    {"overhead", SliceKind::overhead},
    {"Trace", SliceKind::profiler},
    {"Operator", SliceKind::op},
    {"Runtime", SliceKind::runtime},
    {"Kernel", SliceKind::kernel},
    {"Memcpy", SliceKind::memcpy},
    {"Memset", SliceKind::memset},
    {"operator", SliceKind::op},
    {"runtime", SliceKind::runtime},
    {"mtia_ccp_events", SliceKind::kernel},  // on the device
    {"hpu_op", SliceKind::runtime},          // on the host
};

}  // namespace

SliceKind kind_of_category(std::string_view category) {
  for (const Row& row : rows)
    if (row.category == category) return row.kind;
  // Other accelerators: xpu_runtime, mtia_runtime, privateuse1_driver ...
  if (category.ends_with("_runtime")) return SliceKind::runtime;
  if (category.ends_with("_driver")) return SliceKind::driver;
  return SliceKind::other;
}

std::string_view category_of(SliceKind kind) {
  for (const Row& row : rows)
    if (row.kind == kind) return row.category;
  return {};
}

bool on_gpu(SliceKind kind) {
  return is_gpu_work(kind) || kind == SliceKind::sync || kind == SliceKind::gpu_annotation;
}

bool links_launch(std::string_view category) { return category == "async_npu" || category == "cpu_to_cuda"; }

bool is_launch_flow(std::string_view category) {
  return category == "ac2g" || category == "async_cpu_to_gpu" || category == "async_gpu" || category == "async";
}

}  // namespace warpwalk::trace
