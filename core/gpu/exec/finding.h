#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpwalk::gpu {

/// Kinds of errors that a simulated kernel can make. Findings are reported in this order.
enum class FindingKind : std::uint8_t {
  out_of_bounds,
  misaligned,
  read_only,          ///< a write to constant memory or to the kernel's parameters
  stack_overflow,     ///< calls or alloca need more than the thread's stack
  bad_call_target,    ///< a call through a pointer to no function, or to one with other parameters
  bad_branch_target,  ///< a jump past the end of its table, or to an address without code
  bad_free,           ///< free() of what malloc() did not allocate
  bad_texture,        ///< no texture or surface has the handle, or it has another shape than the instruction
  bad_tensor_map,     ///< no tensor map is at the address, or it has another number of dimensions
  failed_assert,
  trap,
  uninitialized,
  shared_race,
  global_race,
  barrier,
  inactive_lane,  ///< a shuffle reads a lane that does not take part in it
  deadlock,
  runaway,
  unsupported,  ///< what only a real GPU can do, found while the kernel runs: no error of the kernel
};

/// The name used in reports, e.g. "shared_race".
std::string_view name_of(FindingKind kind);
/// True if a GPU ends the launch at such an error. `unsupported` counts, too: the launch cannot go on here.
bool ends_launch(FindingKind kind);

/// An error in a kernel. Reported once per source line; the two accesses of a race are one finding.
struct Finding {
  FindingKind kind = FindingKind::out_of_bounds;
  std::string message;                             ///< one line for a newcomer: what happened, where, what to check
  std::array<std::uint32_t, 3> block{}, thread{};  ///< the first affected, in block and thread order
  std::uint32_t ptx_line = 0;                      ///< 1-based
  std::string source_file;                         ///< empty if the PTX has no .loc
  std::uint32_t source_line = 0;                   ///< 0 if the PTX has no .loc
  std::string inlined;                             ///< the function of another file that is inlined there: "tl.sum"
  std::uint32_t other_line = 0;                    ///< source line of the other access of a race; 0: none
  std::optional<std::uint64_t> address;            ///< address of the access, if there is one
  std::uint64_t count = 1;                         ///< lane-level occurrences
};

}  // namespace warpwalk::gpu
