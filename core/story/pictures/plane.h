#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/story/pictures/cards.h"
#include "core/story/pictures/tone.h"
#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// A box on the plane, in the plane's units: x to the right, y down.
struct PlaneBox {
  double x = 0, y = 0, width = 0, height = 0;

  double right() const { return x + width; }
  double bottom() const { return y + height; }
  /// A part of the box: `left`, `top`, `wide` and `high` are shares of its size, 0 to 1.
  PlaneBox part(double left, double top, double wide, double high) const {
    return {x + left * width, y + top * height, wide * width, high * height};
  }
  /// The box with this distance around it; negative: inside it.
  PlaneBox grown(double by) const { return {x - by, y - by, width + 2 * by, height + 2 * by}; }

  template <class V>
  void visit(V& v) const {
    v.data(x, y, width, height);
  }
  friend bool operator==(const PlaneBox&, const PlaneBox&) = default;
};

/// A thing on the plane. Things with the same id in two pictures are the same thing: between the pictures it moves from
/// its one place to the other.
struct PlaneItem {
  enum class Kind : std::uint8_t {
    box,    ///< filled with its tone; its text is inside
    frame,  ///< an outline in its tone; its text is inside
    text,   ///< without a box around it
    line,   ///< from the upper left corner of `box` to its lower right one; width and height may be negative
    arrow,  ///< likewise, with a head at its end
    cells,  ///< a grid of `columns` boxes, filled with `cells`
  };
  enum class Type : std::uint8_t { label, body, heading, figure, mono };
  enum class Align : std::uint8_t { left, centre, right };

  std::string id;
  Kind kind = Kind::box;
  PlaneBox box = {};
  Tone tone = Tone::plain;
  std::string text = {};  ///< wrapped to the width of the box
  Type type = Type::label;
  Align align = Align::centre;
  double shown = 1;              ///< 0: not there, 1: opaque
  int columns = 0;               ///< of cells
  std::vector<Tone> cells = {};  ///< row after row
  CardLink link = {};            ///< a click leads there
  std::string tip = {};          ///< beside the pointer: what it is, with the origin of its figures
  bool at_top = false;           ///< the text stands at the top of the box, not in its middle
  /// Where the figures of the text come from: a small mark beside it says so. None: it has no figure of its own.
  std::optional<Origin> origin = {};

  template <class V>
  void visit(V& v) const {
    v.data(id, kind, tone, text, type, align, shown, columns, cells, tip, at_top, origin);
    v.part(box);
    v.part(link);
    if (!v.on_screen(shown) || text.empty()) return;
    if (origin)
      v.line(text, " [", trace::name_of(*origin), "]");
    else
      v.line(text);
  }
  friend bool operator==(const PlaneItem&, const PlaneItem&) = default;
};

/// A part of one large plane on which the whole walk takes place: what the camera sees, and the things on it.
struct PlanePicture {
  PlaneBox camera;               ///< fits into the window; what is around it is seen too
  std::vector<PlaneItem> items;  ///< painted in this order

  /// The item of this id; null if there is none.
  const PlaneItem* find(std::string_view id) const;
  /// Where its figures come from, each origin once.
  std::vector<Origin> origins() const;

  template <class V>
  void visit(V& v) const {
    v.part(camera);
    v.each(items);
  }
  friend bool operator==(const PlanePicture&, const PlanePicture&) = default;
};

/// The way from one picture to another: at phase 0 it is `from`, at phase 1 it is `to`. Things that both have move,
/// others fade, and the camera flies.
PlanePicture between(const PlanePicture& from, const PlanePicture& to, double phase);

}  // namespace warpwalk::story
