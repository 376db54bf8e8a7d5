#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/draw/ui.h"
#include "app/pages/kernel_lab/kernel_lab_state.h"

namespace warpwalk::pages {

/// An entry of the lab's list: an example, or the followed kernel.
struct LabEntry {
  std::string title;
  std::string look;  ///< one sentence: what to look for
};

/// A check or run that is under way.
struct LabProgress {
  bool running = false;  ///< a run; a check alone is not shown
  std::string what;      ///< "compile", "run" or "cycles"
  std::optional<double> share;
  double seconds = 0;
};

/// The person's request.
struct LabChoice {
  enum class Kind : unsigned char { none, run, cancel, walk, save, trust, as_ptx, entry };
  Kind kind = Kind::none;
  std::size_t entry = 0;  ///< for Kind::entry: the row of the list
};

/// The Kernel lab over the whole canvas: one version or two, each a source and a launch in editors, and the results.
/// Ctrl+Enter runs, Ctrl+O opens the list, Ctrl+B shows two versions, Ctrl+G walks the run, Ctrl+P shows its PTX,
/// Ctrl+S saves; Tab visits everything.
LabChoice kernel_lab(draw::Ui& ui, KernelLabState& state, const std::vector<LabEntry>& entries,
                     const LabProgress& progress, const std::string& gpu);

}  // namespace warpwalk::pages
