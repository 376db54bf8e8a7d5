#pragma once

#include <string>
#include <vector>

#include "app/draw/ui.h"
#include "app/pages/kernel_lab/kernel_lab_state.h"

namespace warpwalk::pages {

/// The room for the note in the head of the page; a longer one is shown among the results, too.
inline float lab_note_width(const draw::Canvas& canvas) { return canvas.width() / 3; }

/// The results of the active version, or of both beside each other with their differences: messages, findings, outputs
/// and every figure. They scroll with the wheel and, with the focus, with Up, Down, Page Up and Page Down.
void kernel_lab_results(draw::Ui& ui, KernelLabState& state, const draw::Box& box);

}  // namespace warpwalk::pages
