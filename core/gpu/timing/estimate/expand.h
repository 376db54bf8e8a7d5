#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/timing/estimate/ptx_units.h"
#include "core/gpu/timing/estimated_code.h"
#include "core/ptx/module.h"

namespace warpwalk::gpu {

/// Makes the machine instructions of the PTX instructions of one function.
class Expander {
 public:
  Expander(const ptx::Function& function, const Timing& timing)
      : function_(function),
        units_(function, timing),
        temporaries_(static_cast<std::int32_t>(function.registers.size())) {}

  /// Appends `count` machine instructions for `instruction`, or a folded one if `count` is 0. `source`: its index into
  /// Program::sources.
  void expand(const ptx::Instruction& instruction, std::uint32_t source, int count,
              std::vector<EstimatedInstruction>& to);
  /// Appends `count` instructions that no PTX instruction asks for: of a kernel's prologue, then BSSY and BSYNC.
  void add_overhead(std::uint32_t source, int count, bool first, std::vector<EstimatedInstruction>& to);

 private:
  /// The instructions before the last one.
  std::vector<EstimatedInstruction> preparation(const ptx::Instruction& i, int count, Pipe last) const;

  const ptx::Function& function_;
  const PtxUnits units_;
  std::int32_t temporaries_;
};

/// True if the warp may stop at the instruction or its effect depends on the time. Nothing moves across it.
bool stands_alone(const ptx::Instruction& instruction);

}  // namespace warpwalk::gpu
