#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/run/kernel_lab/run_draft.h"

namespace warpwalk::run {

/// The figures of a run that criteria can name (exercise_figures()), by name. Without cycles, those that need them are
/// missing. Instructions of a kind are warp instructions that were executed, of machine code or of the PTX that ran.
std::map<std::string, double, std::less<>> submission_figures(const DraftRun& run);

/// The figure of a criterion: divided by another one if it says so. None if one is missing, or the divisor is 0.
std::optional<double> figure_of(const std::map<std::string, double, std::less<>>& figures, std::string_view figure,
                                std::string_view per);

}  // namespace warpwalk::run
