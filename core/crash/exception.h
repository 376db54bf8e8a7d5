#pragma once

#include <cstdint>
#include <string_view>

namespace warpwalk::crash {

/// What a GPU reports when a warp cannot go on. Values and meanings: CUDBGException_t in cudadebugger.h of cuda-gdb.
enum class ExceptionKind : std::uint8_t {
  none,
  illegal_address,      ///< memory that is not mapped, or not for this access
  out_of_range,         ///< outside of the block's shared memory or the thread's local memory
  misaligned_address,   ///< not a multiple of the size of the access
  address_space,        ///< an instruction that cannot access the kind of memory that the address means
  illegal_instruction,  ///< also a trap
  invalid_pc,           ///< a jump to where no code is
  stack_overflow,
  assertion,
  system_call,  ///< in a function of the driver
  cluster,      ///< access to the shared memory of another block
  mbarrier,     ///< more arrivals than were expected, or a locked barrier
  tensor_memory,
  tensor_copy,  ///< bulk copy with a descriptor
  constant_bank,
  old_driver,  ///< the code calls a function that this driver does not have
  unknown
};

struct ExceptionRow {
  std::uint32_t code = 0;
  ExceptionKind kind = ExceptionKind::unknown;
  std::string_view name;  ///< as cuda-gdb writes it: "Warp Illegal Address"
};

/// The row of a code of cuda-gdb (CUDA_EXCEPTION_14). An unknown code has the kind unknown and no name.
ExceptionRow exception_of(std::uint32_t code);

/// The word of `info --json`: "illegal_address".
std::string_view name_of(ExceptionKind kind);

}  // namespace warpwalk::crash
