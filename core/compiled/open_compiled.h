#pragma once

#include <filesystem>
#include <optional>

#include "core/base/result.h"
#include "core/compiled/compiled.h"

namespace warpwalk::compiled {

/// Opens what a compiler wrote: a log of torch.compile (TORCH_TRACE) or of tritonparse, plain or gzip; code of
/// Inductor; a kernel in Triton's cache (its JSON, or one of the files beside it); or a folder with such files, at any
/// depth. Of a kernel in several of them, what they say is joined. nullopt: it is none of them, or a folder with
/// traces, which are of ranks. The error is one line.
base::Result<std::optional<Compiled>> open_compiled(const std::filesystem::path& path);

}  // namespace warpwalk::compiled
