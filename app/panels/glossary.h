#pragma once

#include <vector>

#include "app/draw/ui.h"
#include "core/story/elements/glossary.h"

namespace warpwalk::panels {

/// The sheet with the terms of this stage and their meanings. `scroll` is the first entry shown; Up, Down and the wheel
/// change it.
void glossary(draw::Ui& ui, const std::vector<const story::GlossaryEntry*>& entries, std::size_t& scroll);

/// Explains the terms under the pointer, at the bottom of the box. Returns the height used.
float glossary_note(draw::Canvas& canvas, const draw::Box& box,
                    const std::vector<const story::GlossaryEntry*>& entries);

}  // namespace warpwalk::panels
