#pragma once

#include "instrumentation/simulated/driver/abi.h"
#include "instrumentation/simulated/engine/graph_calls.h"

namespace warpwalk::simulated {

/// CUDA_KERNEL_NODE_PARAMS, from its second version on.
struct KernelNodeParameters {
  graph_calls::KernelParameters launch;
  CUkernel kernel;  ///< if launch.function is null
  CUcontext context;
};
static_assert(sizeof(KernelNodeParameters) == 72);

/// CUgraphNodeParams: the parameters of a node of any type.
struct NodeParameters {
  int type;  ///< CUgraphNodeType
  int reserved[3];
  union {
    std::int64_t words[29];
    KernelNodeParameters kernel;
    struct {
      int flags, reserved;
      CUcontext context;
      CUDA_MEMCPY3D parameters;
    } copy;
    graph_calls::FillParameters fill;
    graph_calls::HostParameters host;
    graph_calls::ChildParameters child;
    CUevent event;
    graph_calls::AllocationParameters allocation;
    CUdeviceptr freed;
  };
  std::int64_t more;
};
static_assert(sizeof(NodeParameters) == 256);

/// The kernel that parameters name; null if they name none.
inline Kernel* kernel_of(const graph_calls::KernelParameters* parameters) {
  if (parameters == nullptr) return nullptr;
  return static_cast<Kernel*>(const_cast<void*>(parameters->function));
}
inline Kernel* kernel_of(const KernelNodeParameters* parameters) {
  if (parameters == nullptr) return nullptr;
  return parameters->launch.function != nullptr ? kernel_of(&parameters->launch) : parameters->kernel;
}

/// The work of a copy node.
Error copy_node_work(Gpu& gpu, const CUDA_MEMCPY3D* parameters, NodeWork& what);

}  // namespace warpwalk::simulated
