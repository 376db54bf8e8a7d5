#pragma once

#include <filesystem>

#include "app/verbs/info/info.h"

namespace warpwalk::verbs {

/// Whether a file begins as a core dump of a GPU, plain or gzip. False for what cannot be read and for stdin.
bool is_core_dump_file(const std::filesystem::path& file);

/// `info` of a core dump. Returns the exit status.
int info_of_core_dump(const InfoOptions& options);

}  // namespace warpwalk::verbs
