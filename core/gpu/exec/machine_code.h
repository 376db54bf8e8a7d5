#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/sass/analysis/register_use.h"
#include "core/sass/instruction.h"

namespace warpwalk::gpu {

/// A constant bank, c[number]. Bank 0 is a template: each launch fills in its shape and its arguments.
struct ConstantBank {
  std::uint32_t number = 0;
  std::vector<std::uint8_t> bytes;
};

/// A value of a constant bank that operations read. It is repeated for 32 lanes in SlotSpace::bank.
struct BankValue {
  std::uint32_t bank = 0, offset = 0;  ///< offset in bytes
  std::uint32_t bytes = 4;             ///< 4 or 8
  std::uint32_t slot = 0;              ///< byte offset in SlotSpace::bank
};

/// A __constant__ variable: a part of a constant bank.
struct ConstantVariable {
  std::string name;
  std::uint32_t bank = 0;
  std::uint64_t offset = 0, bytes = 0;
};

/// A word of bank 0 behind the parameters: the handle of a texture or surface variable.
struct HandlePlace {
  std::uint32_t offset = 0;    ///< in bytes
  std::uint32_t variable = 0;  ///< index into Module::variables
};

/// The handle of the texture or surface variable with this index in Module::variables. The handles of objects that a
/// launch passes as arguments are in another range (memory/texture_table.h).
constexpr std::uint32_t variable_handle(std::size_t index) { return 0x5f00'0000 + static_cast<std::uint32_t>(index); }

/// A predicate that an operation reads besides Op::p_in.
struct PredicateSource {
  std::int32_t offset = -1;  ///< frame byte offset
  bool negated = false;
};

class Machine;
struct Op;

/// A function of CUDA's device runtime, which the driver provides.
struct SystemFunction {
  std::string name;
  void (*run)(Machine&, const Op&) = nullptr;  ///< null: not supported
  std::uint32_t call = 0;                      ///< index into Program::calls: the registers of its arguments
};

/// The layout of the registers in the frame: byte offsets of R0, UR0, P0, UP0 and B0. Others follow in order.
struct MachineFrame {
  std::uint32_t general = 0, uniform = 0;                ///< 128 bytes per register, a word for each lane
  std::uint32_t predicates = 0, uniform_predicates = 0;  ///< 4 bytes each, a bit for each lane
  std::uint32_t convergence = 0;                         ///< 128 bytes each: a lane mask for each lane
};

/// The parts of a Program that only machine code needs. Its single gpu::Function holds all registers: a call in machine
/// code is a jump, and the callee saves registers on the stack.
struct MachineCode {
  std::vector<ConstantBank> banks;
  std::vector<ConstantVariable> constants;
  std::vector<HandlePlace> handles;
  std::vector<BankValue> bank_values;
  std::uint32_t bank_value_bytes = 0;   ///< size of SlotSpace::bank
  std::uint32_t parameter_base = 0;     ///< offset of the kernel's parameters in bank 0
  std::vector<std::uint32_t> first_op;  ///< of the instruction at each address, in units of 16 bytes
  std::vector<PredicateSource> predicates;
  MachineFrame frame;
  std::vector<SystemFunction> system_functions;  ///< number i has the address system_function_base + 16 i
  std::vector<sass::RegisterUse> uses;           ///< by instruction
  std::vector<sass::Instruction> instructions;   ///< likewise

  const ConstantBank* bank(std::uint32_t number) const {
    for (const ConstantBank& candidate : banks)
      if (candidate.number == number) return &candidate;
    return nullptr;
  }
};

/// Addresses of the machine code that a kernel can reach, and of system functions.
constexpr std::uint64_t code_base = 0x7e40'0000'0000;
constexpr std::uint64_t system_function_base = code_base + (std::uint64_t{1} << 32);

/// Address of a constant bank in the simulated GPU's address map (address_space.h).
constexpr std::uint64_t bank_address(std::uint32_t number) { return 0x7e20'0000'0000 + (std::uint64_t{number} << 20); }

}  // namespace warpwalk::gpu
