#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/compiled/layout/module_layouts.h"
#include "core/compiled/mlir/mlir.h"
#include "core/gpu/device/device.h"
#include "core/gpu/exec/launch.h"

namespace warpwalk::run {

/// Bank conflicts of the accesses to a buffer in shared memory.
struct LayoutConflicts {
  std::uint64_t requests = 0;              ///< of warps
  std::uint64_t wavefronts = 0;            ///< of the addresses in the run
  std::uint64_t conflicts = 0;             ///< wavefronts beyond the least
  std::uint64_t predicted_wavefronts = 0;  ///< of the addresses that the layouts give
};

/// How a tensor's layout compares with the run.
struct LayoutCheck {
  /// Places (register, lane, warp) in all executions in the observed blocks: how many were compared, and for how many
  /// the run did what the layout says.
  std::uint64_t compared = 0, equal = 0;
  std::uint64_t copies = 0;      ///< places left out: they hold a copy, and the thread leaves the access to another one
  std::uint64_t masked = 0;      ///< places left out: the mask excludes the element
  std::uint64_t executions = 0;  ///< of the operation, in the observed blocks
  std::string compared_what;     ///< "global addresses", "shared addresses", "values in registers"
  std::string not_checked;       ///< why nothing was compared; empty if something was
  /// Of a matrix product: what its last execution in block 0 left in the registers, by warp, lane and register.
  std::vector<float> values;
  LayoutConflicts conflicts;  ///< of shared memory; requests 0: not counted

  bool checked() const { return compared > 0; }
  bool holds() const { return compared > 0 && equal == compared; }
};

/// The tensors of a kernel's TTGIR, each with its check.
struct CheckedLayouts {
  std::uint32_t blocks = 0;  ///< of the run that were compared
  std::vector<compiled::TensorLayout> tensors;
  std::vector<LayoutCheck> checks;  ///< by tensor
};

/// Runs a Triton kernel's launch and compares the layouts of its TTGIR with what each lane did: the addresses of global
/// and shared memory at the instructions of an operation's lines, and the values in the registers of matrix products.
/// The error is one line.
base::Result<CheckedLayouts> check_layouts(const compiled::MlirModule& module, std::string_view kernel,
                                           const gpu::Device& device, const gpu::Program& program,
                                           const gpu::Launch& launch, std::uint32_t max_blocks = 16);

}  // namespace warpwalk::run
