#pragma once

#include "core/gpu/timing/estimated_code.h"
#include "core/ptx/module.h"

namespace warpwalk::gpu {

/// Which unit executes the machine instruction of a PTX instruction of one function, and for how long. Reads, writes
/// and the guard are left empty.
class PtxUnits {
 public:
  PtxUnits(const ptx::Function& function, const Timing& timing) : function_(function), timing_(timing) {}

  EstimatedInstruction of(const ptx::Instruction& i) const;
  /// An instruction of a pipe, or with Pipe::mio one of a kind that needs no pipe.
  EstimatedInstruction on(Pipe pipe, InstructionKind kind = InstructionKind::arithmetic) const;
  EstimatedInstruction special_register(ptx::Special special) const;
  /// LDC of a byte offset in constant bank 0.
  EstimatedInstruction constant(std::uint32_t offset) const;

 private:
  EstimatedInstruction memory_access(const ptx::Instruction& i, ptx::Space space, bool stores, bool returns) const;
  EstimatedInstruction load_or_store(const ptx::Instruction& i) const;
  EstimatedInstruction conversion(const ptx::Instruction& i) const;
  EstimatedInstruction product(const ptx::Instruction& i) const;
  EstimatedInstruction group_product(const ptx::Instruction& i) const;
  EstimatedInstruction float_pipe(ptx::Type type) const;

  const ptx::Function& function_;
  const Timing& timing_;
};

}  // namespace warpwalk::gpu
