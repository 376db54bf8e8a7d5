#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/draw/ui.h"
#include "core/story/stage.h"

namespace warpwalk::scenes {

/// What the person did on a picture.
struct Touch {
  /// Controls to set ("sm.registers", value) or, without a value, to give back to the trace.
  std::vector<std::pair<std::string, std::optional<double>>> set;
  story::SliceId follow = story::no_slice;  ///< an op or a piece of GPU work that was chosen
  std::optional<std::int64_t> time;         ///< a moment of the trace to see in the boardroom, ns since its start

  void add(const Touch& other) {
    set.insert(set.end(), other.set.begin(), other.set.end());
    if (other.follow != story::no_slice) follow = other.follow;
    if (other.time) time = other.time;
  }
};

/// Draws the stage's picture into the box: the one that its variant holds. Without `ui` nothing answers to mouse and
/// keys, and all else is the same.
Touch paint_picture(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage);

Touch paint_timeline(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage,
                     const story::TimelinePicture& picture);
Touch paint_receipt(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage,
                    const story::ReceiptPicture& picture);
Touch paint_translator(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage,
                       const story::TranslatorPicture& picture);
Touch paint_warehouse(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage,
                      const story::WarehousePicture& picture);
Touch paint_launch(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage,
                   const story::LaunchPicture& picture);
Touch paint_sm(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage,
               const story::SmPicture& picture);

}  // namespace warpwalk::scenes
