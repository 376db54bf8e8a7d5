#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/verbs/common/load.h"
#include "app/verbs/common/verb.h"

namespace warpwalk::verbs {

struct InfoOptions {
  std::filesystem::path file;                ///< -: stdin
  std::vector<std::filesystem::path> ranks;  ///< a folder or files to compare, in place of `file`; empty: one trace
  std::filesystem::path compare;             ///< a second trace; empty: none
  std::filesystem::path compiled;            ///< what compilers wrote of the trace's kernels; empty: beside it
  std::filesystem::path json;                ///< empty: not written
  bool what_if = false;                      ///< what the changes would gain that come first
  bool lines = false;                        ///< of compiled kernels: their lines in all stages
  std::vector<std::string> fail_if;
  std::string layout;    ///< a layout of CuTe to show in place of a file; empty: none
  bool layouts = false;  ///< of what a compiler wrote: the layouts of the tensors
  std::uint64_t memory_cap_bytes = 0;
};

/// Registers `warpwalk info`.
Verb add_info(CLI::App& app);

/// Prints what a trace holds, how it links and what was wrong with it. Returns the exit status: 1 if one of the
/// conditions holds.
int info(const InfoOptions& options);

/// The output of `info` as text and as JSON.
std::string info_text(const LoadedTrace& loaded, std::string_view name);
std::string info_json(const LoadedTrace& loaded);

}  // namespace warpwalk::verbs
