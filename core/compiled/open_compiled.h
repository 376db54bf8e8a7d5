#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>

#include "core/base/result.h"
#include "core/compiled/compiled.h"

namespace warpwalk::compiled {

/// Told how many files of a folder have been read; returns false to stop.
using ReadProgress = std::function<bool(std::size_t done, std::size_t files)>;

/// Opens what a compiler wrote: a log of torch.compile (TORCH_TRACE) or of tritonparse, plain or gzip; code of
/// Inductor; a kernel in Triton's cache (its JSON, or one of the files beside it); or a folder with such files, at any
/// depth. Of a kernel in several of them, what they say is joined. nullopt: it is none of them, or a folder with
/// traces, which are of ranks. The error is one line; "cancelled" if `progress` returned false.
base::Result<std::optional<Compiled>> open_compiled(const std::filesystem::path& path,
                                                    const ReadProgress& progress = {});

/// Where `record` keeps what compilers wrote for the kernels of a walk: walk.compiled beside walk.json.gz.
std::filesystem::path folder_of_walk(const std::filesystem::path& walk);

/// Whether open_compiled() finds something in a file, or in one of the first thousands of files of a folder: at the
/// first one it stops.
bool is_compiled_output(const std::filesystem::path& path);

}  // namespace warpwalk::compiled
