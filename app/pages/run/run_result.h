#pragma once

#include <vector>

#include "app/draw/ui.h"
#include "app/runs/run_values.h"
#include "core/run/expression/run_expression.h"

namespace warpwalk::pages {

/// The part of a finished run that the run panel shows.
struct RunShown {
  const runs::RunValues* values = nullptr;
  const std::vector<run::OpCheck>* checks = nullptr;
  bool walk = false;  ///< there is a walk to go to
};

/// The height that the result needs at this width; 0 if there is nothing to show.
float result_height(draw::Ui& ui, const RunShown& shown, float width);

/// Draws the first values of the result, the button that goes to the walk, and each op's comparison with the cpu in
/// full. If the checks do not fit, the wheel, Page Up and Page Down scroll them; `first_line` is the first line shown.
/// Returns true if the user wants to go to the walk.
bool paint_result(draw::Ui& ui, const draw::Box& box, const RunShown& shown, std::size_t& first_line);

}  // namespace warpwalk::pages
