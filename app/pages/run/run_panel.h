#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/draw/ui.h"
#include "app/pages/run/run_form.h"
#include "app/runs/cuda_availability.h"
#include "app/runs/run_values.h"

namespace warpwalk::pages {

/// A run that is under way, or the result of the last one.
struct RunProgress {
  bool running = false;
  std::string what;                           ///< what is being done, e.g. "matmul_tiled"; empty: not known
  std::optional<double> share;                ///< the share of it that is done, 0 to 1; none: not known
  double seconds = 0;                         ///< since the run started
  std::string summary;                        ///< of the last run: its summary, or what went wrong; empty: no run yet
  bool walk = false;                          ///< the last run made a walk, which is open below the panel
  std::optional<ops::ExpressionError> place;  ///< the place in the expression that `said` is about
  std::vector<run::OpCheck> checks;           ///< of the last run
  runs::RunValues values;                     ///< first elements of its result
};

enum class RunChoice : unsigned char { none, run, cancel, walk };

/// The panel's state between frames, besides the form.
struct RunPanelState {
  draw::UiMemory memory;
  std::size_t first_line = 0;  ///< of the checks, when they are scrolled
};

/// The sheet in which an expression is run: the expression with its errors marked, a row for each name, seed, target,
/// gradients; the progress of a run; then its result, how each op compares with the cpu, and a button that goes to the
/// walk. Tab visits everything, Enter in a text field runs, Page Up and Page Down scroll the checks.
RunChoice run_panel(draw::Ui& ui, RunPanelState& state, RunForm& form, const runs::NoCuda& no_cuda,
                    const RunProgress& progress);

}  // namespace warpwalk::pages
