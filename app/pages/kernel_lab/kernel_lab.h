#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/draw/ui.h"
#include "app/pages/kernel_lab/kernel_lab_state.h"

namespace warpwalk::pages {

/// An entry of a list of the lab: an example, a file, a GPU, a launch.
struct LabEntry {
  std::string title;
  std::string look;  ///< one sentence: what to look for, or what it is
};

/// A check or run that is under way.
struct LabProgress {
  bool running = false;  ///< a run; a check alone is not shown
  std::string what;      ///< "compile", "run", "cycles", "program.compile" or "program.run"
  std::optional<double> share;
  double seconds = 0;
};

/// The GPU to simulate.
struct LabGpu {
  std::string standard;  ///< the id of the one for launches that name none; empty: there is no description
  std::string name;      ///< of that of the version that was edited last, as a person reads it
};

/// The person's request.
struct LabChoice {
  enum class Kind : unsigned char { none, run, cancel, walk, save, trust, as_ptx, entry, launches };
  Kind kind = Kind::none;
  std::size_t entry = 0;  ///< for Kind::entry: the row of the list that is shown
};

/// The Kernel lab over the whole canvas: one version or two, each a source and a launch in editors, and the results.
/// Ctrl+Enter runs, Ctrl+O opens the list, Ctrl+B shows two versions, Ctrl+G walks the run, Ctrl+P shows its PTX,
/// Ctrl+U lists the GPUs, Ctrl+E changes the caches, Ctrl+J lists the launches of a program, Ctrl+T shows the stages
/// of a Triton kernel, Ctrl+S saves; Tab visits everything.
LabChoice kernel_lab(draw::Ui& ui, KernelLabState& state, const std::vector<LabEntry>& entries,
                     const LabProgress& progress, const LabGpu& gpu);

}  // namespace warpwalk::pages
