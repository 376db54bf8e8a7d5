#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "app/draw/ui.h"
#include "core/run/kernel_lab/kernel_stages.h"

namespace warpwalk::pages {

struct LabVersion;

/// The stages of a Triton kernel beside each other: what is shown at each side, and the line that is followed.
struct LabStages {
  std::shared_ptr<const run::KernelStages> texts;  ///< null: the open file is not of Triton's cache
  bool shown = false;
  struct Side {
    run::TextStage stage = run::TextStage::python;
    std::size_t line = 0, top = 0;  ///< the line under the cursor, and the first in view; from 0
  };
  std::array<Side, 2> sides;
  std::size_t followed = 0;  ///< the side whose line is followed
  bool moved = true;         ///< the other side is yet to be scrolled to the lines that belong to it

  /// Shows the texts of another kernel: Python (or TTIR, where it is not there) at the left, SASS at the right.
  void open(std::shared_ptr<const run::KernelStages> kernel);
};

/// Draws both sides in the box. All lines that belong to the line under the cursor are marked; Up and Down move the
/// cursor, Left and Right choose the stage of the side that has the focus. `version`: its costs stand beside the lines
/// of Python, if it ran the machine code of these texts.
void kernel_lab_stages(draw::Ui& ui, LabStages& stages, const LabVersion& version, const draw::Box& box);

}  // namespace warpwalk::pages
