#include "app/scenes/paint.h"

namespace warpwalk::scenes {

void paint_picture(draw::Canvas& canvas, const draw::Box& box, const story::Stage& stage) {
  if (const auto* timeline = std::get_if<story::TimelinePicture>(&stage.picture))
    paint_timeline(canvas, box, stage, *timeline);
  if (const auto* receipt = std::get_if<story::ReceiptPicture>(&stage.picture))
    paint_receipt(canvas, box, stage, *receipt);
}

}  // namespace warpwalk::scenes
