#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

/// A byte of the block's shared memory (from its first on) as the source has it: "`tile` at byte 128", "`total`",
/// "shared memory at byte 8" where no variable is there.
std::string shared_place(const Program& program, std::uint32_t offset);

/// The name of a variable in the source: of "_ZZ3sumPKiPiE5total" it is "total", other names are as they are.
std::string_view name_in_source(std::string_view name);

}  // namespace warpwalk::gpu
