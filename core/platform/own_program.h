#pragma once

#include <filesystem>

namespace warpwalk::platform {

/// The file of this very program, wherever it was started from; empty where the system does not tell.
std::filesystem::path own_program();

}  // namespace warpwalk::platform
