#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/verbs/common/run_options.h"
#include "core/base/result.h"
#include "core/run/expression/run_expression.h"

namespace warpwalk::verbs {

/// The files with elements that a run reads (--input) and writes (--values), as the report names them.
struct ValueFiles {
  std::map<std::string, std::string> inputs;  ///< by name; only those with a file
  std::string result;                         ///< empty: not written
  std::vector<std::string> gradients;         ///< in the order of RunResult::gradients; empty: not written
};

/// Reads --input NAME=FILE into `request.given`; shapes and types must be there already. The error is one line.
base::Result<void> read_inputs(const RunOptions& options, run::RunRequest& request, ValueFiles& files);

/// The names that a run writes to the folder of --values, without the extension: result and grad_NAME.
std::vector<std::string> value_names(const run::RunRequest& request);

/// Writes them and notes their paths.
base::Result<void> write_values(const RunOptions& options, const run::RunResult& result, ValueFiles& files);

/// A file that --values must not overwrite.
struct OtherFile {
  std::string what;  ///< "the report (--json)"
  std::filesystem::path file;
};

/// Whether the folder of --values can be written, or created, and no NAME.bin in it is another file of the command.
/// Called before long work; changes nothing.
base::Result<void> check_values_folder(const std::filesystem::path& folder, const std::vector<std::string>& names,
                                       const std::vector<OtherFile>& others);

/// Whether NAME.bin can be a file of its own in that folder. The error says why not.
base::Result<void> check_value_name(std::string_view name);

/// Writes elements to the file NAME.bin of the folder, which is created if it is missing. Returns its path.
base::Result<std::string> write_value(const std::filesystem::path& folder, std::string_view name,
                                      std::span<const std::uint8_t> bytes);

}  // namespace warpwalk::verbs
