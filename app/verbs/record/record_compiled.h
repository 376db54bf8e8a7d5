#pragma once

#include <chrono>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/verbs/record/record_checks.h"
#include "core/trace/trace.h"
#include "instrumentation/loaded_code.h"

namespace warpwalk::verbs {

/// Keeps what the compilers of a recorded program wrote: PyTorch's log of torch.compile, and the entries of Triton's
/// cache of the kernels that were launched. They go into a folder beside the walk: walk.compiled of walk.json.gz.
class CompilerFiles {
 public:
  explicit CompilerFiles(const RecordPlace& place);

  /// Before the program starts: removes what an earlier recording of this name kept. Returns variables for the program:
  /// where PyTorch writes its log. None if the person has set them.
  std::vector<std::pair<std::string, std::string>> begin();
  /// Adds the kernels of a walk.
  void add(const trace::Trace& trace, const instrumentation::LoadedCode& code);
  /// Copies the entries. Returns one line that says what was kept and how large it is; empty if nothing was.
  std::string keep();

 private:
  std::vector<std::filesystem::path> launched_entries() const;

  std::filesystem::path folder_;
  std::filesystem::file_time_type begun_;
  bool shared_ = false;  ///< with recorders of other ranks
  std::set<std::string, std::less<>> kernels_;
  std::set<std::string, std::less<>> cubins_;  ///< that the program has loaded; empty: not recorded
};

}  // namespace warpwalk::verbs
