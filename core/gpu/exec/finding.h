#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpwalk::gpu {

/// What can be wrong with what a kernel does.
enum class FindingKind : std::uint8_t {
  out_of_bounds,
  misaligned,
  uninitialized,
  shared_race,
  barrier,
  deadlock,
  runaway,
};

/// The name in reports, for example "shared_race".
std::string_view name_of(FindingKind kind);

/// One thing that is wrong, told once for each line of the source where it happens, and once for the two ends of a
/// race.
struct Finding {
  FindingKind kind = FindingKind::out_of_bounds;
  std::string message;  ///< one line that a student understands: what happened, where, what to look at
  std::array<std::uint32_t, 3> block{}, thread{};  ///< the first that it happened to, in order of block and thread
  std::uint32_t ptx_line = 0;                      ///< from 1
  std::string source_file;                         ///< empty where the PTX has no .loc
  std::uint32_t source_line = 0;                   ///< 0 where the PTX has no .loc
  std::uint32_t other_line = 0;                    ///< a race: the source line of its far end; 0: none
  std::optional<std::uint64_t> address;            ///< of the access, where there is one
  std::uint64_t count = 1;                         ///< lanes that it happened to
};

}  // namespace warpwalk::gpu
