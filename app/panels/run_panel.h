#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/draw/ui.h"
#include "app/panels/run_form.h"
#include "app/run/cuda_availability.h"

namespace warpwalk::panels {

/// What goes on besides the form: a run under way, and what came of the last one.
struct RunProgress {
  bool running = false;
  std::string what;                           ///< that is computed now: "matmul_tiled"; empty: nobody knows
  std::optional<double> share;                ///< of it, 0 to 1; none: nobody knows
  double seconds = 0;                         ///< since the run began
  std::string said;                           ///< of the last run: what came out, or why nothing did; empty: none was
  std::optional<ops::ExpressionError> place;  ///< in the expression, that `said` is about
  std::vector<run::OpCheck> checks;           ///< of the last run
};

enum class RunChoice : unsigned char { none, run, cancel };

/// The sheet in which an expression is run: the expression with its errors under their place, a row for each name,
/// seed, where, gradients; how far the run is, and how its ops compare with the cpu's. Tab goes through all, Enter in a
/// text runs; the text that has the focus takes the keys.
RunChoice run_panel(draw::Ui& ui, draw::UiMemory& memory, RunForm& form, const runs::NoCuda& no_cuda,
                    const RunProgress& progress);

}  // namespace warpwalk::panels
