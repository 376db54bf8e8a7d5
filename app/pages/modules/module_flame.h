#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "app/pages/modules/modules_state.h"

namespace warpwalk::pages {

/// A box of the flame graph. Its place is a part of the graph's width, 0 to 1.
struct FlameBox {
  enum class Kind : std::uint8_t {
    module,
    outside,  ///< the time outside of modules, beside the outermost modules
    several,  ///< neighbours that are too narrow to be drawn apart
  };
  std::size_t module = 0;  ///< of `several`: the one around them
  std::size_t level = 0;   ///< 0: the module that fills the graph
  double from = 0, to = 0;
  Kind kind = Kind::module;
};

/// The boxes of a module and of those inside it, down to `levels`. Modules that are together narrower than `finest` are
/// one box. What a module has no box below for is its own time. Empty if the module has no such time.
std::vector<FlameBox> flame_boxes(const analysis::ModuleTimes& times, std::size_t module,
                                  analysis::ModuleMeasure measure, std::size_t levels, double finest);

constexpr float flame_row_height = 24;

/// Draws the flame graph. Returns the module that was clicked.
std::optional<std::size_t> module_flame(draw::Ui& ui, const draw::Box& box, const ModulesState& state);

}  // namespace warpwalk::pages
