#pragma once

// This folder is the labs "kernel", which shows the followed kernel in the Kernel lab, and "exercise". The Kernel lab
// itself is in core/run/kernel_lab, exercises are in core/run/exercise.

#include <string>
#include <string_view>

#include "core/story/elements/narration.h"

namespace warpwalk::story {

/// A figure of a run for people: whole numbers and large ones with thousands, others with up to four digits.
std::string lab_number(double value);
/// The same with its sign: "+12", "−3.5", "0".
std::string lab_difference(double value);

/// The narration's word for a figure of a report, [lab/kernel.figure]; "Warp-cycles: long_scoreboard (global memory)"
/// for stall_long_scoreboard. A figure without a word keeps its name.
std::string lab_figure_name(const Narration& narration, const std::string& figure);
/// Whether it counts warp-cycles by reason, and the word for the reason alone.
bool is_stall(std::string_view figure);
std::string lab_stall_name(const Narration& narration, const std::string& figure);

}  // namespace warpwalk::story
