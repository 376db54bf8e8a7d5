#pragma once

#include <string>

#include "app/draw/canvas.h"

namespace warpwalk::panels {

/// A message of the program, in one line.
struct Note {
  enum class Kind : unsigned char {
    hint,  ///< shown in the transport bar
    done,  ///< a confirmation: something was saved, copied, set
    error  ///< something failed
  };
  std::string text;
  Kind kind = Kind::hint;
};

/// The edge of the box that a message is beside: it shall not cover what is important there.
enum class NoteEdge : unsigned char { top, bottom };

/// Draws a confirmation or an error in a box of its own, centred at an edge of `over`, wrapped to up to four
/// lines. A check mark or an exclamation mark, colour and border tell the two apart. Draws nothing for a hint or an
/// empty text.
void paint_note(draw::Canvas& canvas, const draw::Box& over, const Note& note, NoteEdge edge = NoteEdge::bottom);

}  // namespace warpwalk::panels
