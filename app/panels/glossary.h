#pragma once

#include <vector>

#include "app/draw/ui.h"
#include "core/story/stage/glossary.h"

namespace warpwalk::panels {

/// The sheet of the terms on this stage, each with its meaning. `scroll` is the first entry shown; the keys Up and Down
/// and the wheel move it.
void glossary(draw::Ui& ui, const std::vector<const story::GlossaryEntry*>& entries, std::size_t& scroll);

/// What the pointer points at, explained, from the bottom of the box upwards. Returns the height used.
float glossary_note(draw::Canvas& canvas, const draw::Box& box,
                    const std::vector<const story::GlossaryEntry*>& entries);

}  // namespace warpwalk::panels
