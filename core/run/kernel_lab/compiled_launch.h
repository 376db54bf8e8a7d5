#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/run/kernel_lab/draft.h"
#include "core/run/launch/run_launch.h"

namespace warpwalk::run {

/// What files of a compiler do not say of a launch.
struct GivenLaunch {
  std::string kernel;  ///< of a cubin with several; empty: its only one
  std::string grid;    ///< "4", "4 x 2"; empty: not given
  std::string block;   ///< likewise, of a cubin that does not require one
  /// By parameter: "1000" (elements, or the value of a number), "1000 iota", or the words of a launch text
  /// (launch_text.h): "f32[1000] file x.bin", "i32 1000".
  std::map<std::string, std::string, std::less<>> arguments;
};

/// The launch of a compiled kernel.
struct CompiledLaunch {
  std::string text;                  ///< as in launch_text.h; parts that are missing are made up
  std::vector<std::string> missing;  ///< options that give the rest: "--grid BLOCKS", "--arg n=NUMBER"
  std::filesystem::path cubin, ptx;  ///< empty: not there
};

/// Whether a file is one of a compiled kernel: a cubin, or in Triton's cache.
bool is_compiled_kernel(const std::filesystem::path& file);

/// Makes the launch of a kernel from its files: a cubin (what it requires of a block, its parameters), or any file of
/// an entry of Triton's cache, or the entry's folder (warps, shared memory, names and types of the parameters, scratch
/// memory). The error is one line.
base::Result<CompiledLaunch> launch_of_compiled(const std::filesystem::path& file, const GivenLaunch& given);

/// Gives the launch of a Triton kernel its Python as the source, if the file that it was compiled from is here.
/// `entry`: as for launch_of_compiled(); of other files, nothing changes.
void add_python_source(const std::filesystem::path& entry, LoadedLaunch& launch);

/// The draft of a compiled kernel, whose source is its PTX. Grid, sizes and numbers are made up so that the first run
/// stays within the buffers: one block, numbers of 64, buffers of 65,536 elements. The error is one line.
base::Result<KernelDraft> draft_of_compiled(const std::filesystem::path& file);

}  // namespace warpwalk::run
