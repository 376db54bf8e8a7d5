#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/story/pictures/panels.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story::testing {

/// A scene's stage of this input; an error is a test failure.
Stage stage_of(const Scene& scene, const SceneInput& input);
/// A scene's stage in the middle or at the end of a beat, in English and with the delivered descriptions of GPUs; an
/// error is a test failure.
Stage stage_at_beat(const Scene& scene, const Trace& trace, const Walk& walk, std::int64_t beat, double phase = 1,
                    const Controls& controls = {});
/// The number, from 1, of the scene's beat of this key; a missing one is a test failure.
std::int64_t beat_named(const Scene& scene, const Trace& trace, const Walk& walk, std::string_view key);

/// The fact with this label; null if there is none.
const Fact* find_fact(const Stage& stage, std::string_view label);
/// The figure of the fact with this label; a missing one is a test failure.
const Figure& fact_figure(const Stage& stage, std::string_view label);
/// The text of the fact with this label; "(none)" if there is none.
std::string fact_text(const Stage& stage, std::string_view label);

/// The stage's picture, which must be a shared Picture.
template <class Picture>
const Picture& shared_picture(const Stage& stage) {
  return *std::get<std::shared_ptr<const Picture>>(stage.picture);
}
/// The picture of one panel of the stage, which must be a Picture.
template <class Picture>
const Picture& panel_picture(const Stage& stage, std::size_t row = 0, std::size_t panel = 0) {
  return std::get<Picture>(shared_picture<Panels>(stage).rows.at(row).panels.at(panel).picture);
}

/// All pictures of one kind among the stage's panels.
template <class Picture>
std::vector<const Picture*> panels_of(const Stage& stage) {
  std::vector<const Picture*> found;
  for (const PanelRow& row : shared_picture<Panels>(stage).rows)
    for (const Panel& panel : row.panels)
      if (const auto* const one = std::get_if<Picture>(&panel.picture)) found.push_back(one);
  return found;
}

}  // namespace warpwalk::story::testing
