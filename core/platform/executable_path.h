#pragma once

#include <filesystem>

namespace warpwalk::platform {

/// Path of the running executable; empty if the system does not provide it.
std::filesystem::path executable_path();

}  // namespace warpwalk::platform
