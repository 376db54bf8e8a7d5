#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

#include "app/runs/run_outcome.h"

namespace warpwalk::runs {

/// Runs an expression on a real GPU with the run verb of `program`, in a child process: CUPTI records a process only
/// once, and a crash of the driver ends the child, not the window. Returns when the child has ended. `stage` is called
/// with what is being done.
RunOutcome run_in_child(const std::filesystem::path& program, const run::RunRequest& request,
                        const std::filesystem::path& name, const story::Narration& words,
                        const std::function<void(const std::string&)>& stage, const std::atomic<bool>& cancel);

}  // namespace warpwalk::runs
