#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/verbs/record/record.h"
#include "core/base/result.h"
#include "instrumentation/process_rank.h"

namespace warpwalk::verbs {

/// Where a recording goes.
struct RecordPlace {
  std::filesystem::path output;  ///< the walk of the first process, if it is no rank; partial files are beside it
  std::filesystem::path folder;  ///< the walks of ranks
  std::filesystem::path option;  ///< -o with this value names the same place
  bool names_folder = false;     ///< -o is the folder
  std::optional<instrumentation::ProcessRank> own;  ///< warpwalk itself was started as a rank, by mpirun or srun
};

/// -o NAME.json.gz: this file, and the folder NAME for ranks. -o FOLDER: the folder for both. Without -o: walk.json.gz,
/// or walk-2.json.gz ... if that or its folder exists.
RecordPlace record_place(const std::filesystem::path& out);

/// Fails if nothing can be recorded, before the program is run: another profiler is there, the place cannot be written,
/// or it has walks of another run that would be overwritten or mixed with the new ones. Creates the folder that -o
/// names.
base::Result<void> check_recording(const RecordOptions& options, const RecordPlace& place);

/// One line if the program is likely to start a profiler that can't have CUPTI beside the recorder: its first Python
/// file uses one, or a daemon may start PyTorch's.
std::optional<std::string> other_profiler(const std::vector<std::string>& command);

}  // namespace warpwalk::verbs
