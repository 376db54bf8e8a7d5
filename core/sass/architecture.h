#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warpwalk::sass {

/// The GPU architectures whose machine code this room reads.
enum class Architecture : std::uint8_t { sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, sm_120 };
constexpr std::size_t architecture_count = 7;

/// "sm_90" for Architecture::sm_90.
std::string_view name_of(Architecture architecture);
/// The architecture with this compute capability, written as 10 * major + minor; nullopt for any other.
std::optional<Architecture> architecture_of(std::uint32_t capability);
/// 90 for Architecture::sm_90.
std::uint32_t capability_of(Architecture architecture);

}  // namespace warpwalk::sass
