#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

#include "app/run/run_outcome.h"

namespace warpwalk::runs {

/// Runs an expression on a real GPU by `program`'s own verb, in a process of its own: CUPTI records a process once, and
/// what a driver does wrong ends that process and not the window. Returns once it has ended; `stage`: told what goes
/// on.
RunOutcome run_in_child(const std::filesystem::path& program, const run::RunRequest& request,
                        const std::filesystem::path& name, const std::function<void(const std::string&)>& stage,
                        const std::atomic<bool>& cancel);

}  // namespace warpwalk::runs
