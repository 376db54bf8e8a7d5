#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/crash/access.h"
#include "core/crash/exception.h"
#include "core/crash/near.h"

namespace warpwalk::crash {

/// A thread of the warp that failed, and the address that it accessed.
struct LaneAccess {
  const DumpLane* lane = nullptr;
  std::optional<std::uint64_t> address;  ///< nullopt: its registers were overwritten
};

/// Why it is not certain which threads of the warp failed.
enum class LaneDoubt : std::uint8_t {
  none,
  no_access,    ///< the exception is not about an address
  overwritten,  ///< the registers with the addresses were overwritten, and cannot be computed again
  no_memory     ///< the dump does not have the memory that would tell which addresses are mapped
};

/// What assert() was called with.
struct Assertion {
  std::string text, file, function;  ///< empty: not in the dump
  std::uint32_t line = 0;
};

/// What failed.
struct Crash {
  ExceptionRow exception;
  bool is_trap = false;  ///< __trap(), which is no exception to the GPU
  DumpThread thread;     ///< the first of `lanes`; without lanes, thread.lane is null
  std::uint32_t sm = 0;
  std::uint64_t pc = 0;
  bool pc_is_exact = false;        ///< false: the place where the warp stopped, a few instructions later
  std::optional<CodePlace> place;  ///< nullopt: no code of the dump's modules is at `pc`
  std::optional<Access> access;
  std::vector<LaneAccess> accesses;  ///< of all threads that executed the instruction
  std::vector<LaneAccess> lanes;     ///< those that failed, or may have failed
  LaneDoubt doubt = LaneDoubt::none;
  bool beside_argument = false;               ///< every access is in the same 2 MiB as an argument or a variable
  std::optional<Near> near;                   ///< of the first lane's address in global memory
  std::optional<std::uint64_t> shared_bytes;  ///< of the block, if shared memory was accessed
  std::optional<std::uint64_t> local_begin, local_end;  ///< of the thread, if local memory was accessed
  bool overflows_stack = false;                         ///< the access, or the stack pointer, is below local_begin
  std::optional<Assertion> assertion;
  std::size_t failed_warps = 0;  ///< with this exception, this one included
};

/// The first failure in a dump; nullopt if no warp failed, as in a dump that was requested while the program ran.
/// `codes`: one for each device of the dump.
std::optional<Crash> find_crash(const CoreDump& dump, std::vector<Code>& codes);

/// The lanes of a warp that `mask` names.
std::vector<const DumpLane*> lanes_of(const DumpWarp& warp, std::uint32_t mask);

}  // namespace warpwalk::crash
