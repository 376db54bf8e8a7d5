#pragma once

// Where things are on the plane of the tour, and what each step draws them with.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/story/scenes/tour/tour.h"

namespace warpwalk::story::world {

/// Everything: the CPU with its time above, the GPU below; in the GPU its SMs, below them L2 and its memory.
inline constexpr PlaneBox whole = {0, 0, 2380, 1516};
inline constexpr PlaneBox cpu = {20, 20, 2340, 430};
inline constexpr PlaneBox gpu = {20, 470, 2340, 1026};
inline constexpr PlaneBox sms = {40, 520, 2300, 470};
inline constexpr PlaneBox l2 = {40, 1000, 2300, 30};
inline constexpr PlaneBox memory = {40, 1040, 2300, 440};
/// The parts of the CPU and of the memory that fill the window.
inline constexpr PlaneBox cpu_view = {20, 20, 970, 430};
inline constexpr PlaneBox sheets_view = {40, 1040, 990, 440};
/// The part of the CPU that has the driver.
inline constexpr PlaneBox driver_view = {1010, 20, 970, 430};
/// The lower part of the CPU and the upper part of the GPU: what the one gives to the other.
inline constexpr PlaneBox border_view = {20, 236, 990, 440};

/// The place of an SM among all. `count`: of the GPU.
PlaneBox sm(std::uint32_t number, std::int64_t count);
/// The place of a block among those that are resident on an SM. `slots`: of the SM.
PlaneBox block_on(const PlaneBox& sm, std::uint32_t slot, std::uint32_t slots);

/// A box on its way from one place to another, 0 to 1.
PlaneBox on_way(const PlaneBox& from, const PlaneBox& to, double way);

/// The sheets of the three matrices in the GPU's memory, to scale.
struct Sheets {
  PlaneBox a, b, c;
};
Sheets sheets(const MatrixProduct& product);
/// The place of an element, or of a tile, on the sheet of c.
PlaneBox on_c(const MatrixProduct& product, std::int64_t row, std::int64_t column, std::int64_t rows,
              std::int64_t columns);
/// The place of a block's tile on the sheet of c.
PlaneBox tile(const MatrixProduct& product, std::uint64_t block);

}  // namespace warpwalk::story::world

namespace warpwalk::story {

/// Puts things on a picture of the plane.
class Plane {
 public:
  using Kind = PlaneItem::Kind;
  using Type = PlaneItem::Type;
  using Align = PlaneItem::Align;

  explicit Plane(const PlaneBox& camera) { picture_.camera = camera; }

  /// Each returns the new thing, to complete it before the next one is added.
  PlaneItem& box(std::string id, const PlaneBox& at, Tone tone, std::string text = {});
  PlaneItem& frame(std::string id, const PlaneBox& at, Tone tone, std::string text = {});
  PlaneItem& text(std::string id, const PlaneBox& at, std::string text, Type type = Type::label,
                  Align align = Align::left, Tone tone = Tone::plain);
  PlaneItem& line(std::string id, double x, double y, double to_x, double to_y, Tone tone = Tone::quiet);
  PlaneItem& arrow(std::string id, double x, double y, double to_x, double to_y, Tone tone = Tone::quiet);
  PlaneItem& cells(std::string id, const PlaneBox& at, int columns, std::vector<Tone> tones);

  PlanePicture take() { return std::move(picture_); }

 private:
  PlaneItem& add(PlaneItem item);

  PlanePicture picture_;
};

/// Parts of the plane that several steps show. The ids of things are the same in all steps.
void draw_gpu(Plane& plane, const Tour& s, double shown = 1);
/// The GPU's memory with the sheets of a, b and c; `cell`: the text at the followed number, such as "?".
void draw_sheets(Plane& plane, const Tour& s, const std::string& cell, double shown = 1);
/// The sheets at other places.
void draw_sheets(Plane& plane, const Tour& s, const world::Sheets& sheets, const std::string& cell, double shown = 1);
/// All SMs as frames; those with their numbers if `numbered`.
void draw_sms(Plane& plane, const Tour& s, bool numbered, double shown = 1);

}  // namespace warpwalk::story
