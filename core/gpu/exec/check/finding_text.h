#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

/// The other access of a race in messages, e.g. "line 12", or "PTX line 40" if there are no source lines,
/// or "instruction 0x0120" if the machine code has no lines at all.
std::string place_of(const Program& program, std::uint32_t instruction);

/// Describes a byte of the block's shared memory (offset from its first byte) by the source variable: "`tile` at byte
/// 128" or "`total`", or "shared memory at byte 8" if there is no variable.
std::string shared_place(const Program& program, std::uint32_t offset);

/// Why a race is one although its threads have a barrier between them: the first of them exits before it.
constexpr std::string_view exit_is_no_barrier =
    "that thread exits before the barrier between them, and a barrier orders only threads that reach it: let it return "
    "after the barrier";

/// The source name of a variable: "total" for "_ZZ3sumPKiPiE5total". Unmangled names are returned unchanged.
std::string_view name_in_source(std::string_view name);

}  // namespace warpwalk::gpu
