#pragma once

#include <cstdint>
#include <unordered_map>

#include "core/gpu/exec/program.h"
#include "core/gpu/exec/uses.h"

namespace warpwalk::gpu {

class Machine;

/// Reads of registers that a product of the warp group (wgmma) may still be writing, and products that read registers
/// which were written without a wgmma.fence since the last wait; from PTX. In machine code, ptxas has added the waits
/// and fences that are missing.
class ProductRegisters {
 public:
  /// The current warp is about to execute an op. A move passes the state of a register on, since compilers rename the
  /// registers of products in progress.
  void before(Machine& machine, const Op& op);
  /// The current warp executes wgmma.fence.
  static void fence(Machine& machine);
  /// The current warp has issued a product, which is in progress from now on.
  static void issue(Machine& machine, const Op& op);
  /// The current warp has waited for its groups of products up to this one.
  static void complete(Machine& machine, std::uint32_t batch);

 private:
  const Uses& uses(const Machine& machine, std::uint32_t instruction);

  std::unordered_map<std::uint32_t, Uses> uses_;  ///< by instruction
};

}  // namespace warpwalk::gpu
