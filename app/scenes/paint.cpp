#include "app/scenes/paint.h"

#include <memory>

#include "app/pictures/pictures.h"

namespace warpwalk::scenes {
namespace {

// One overload per picture type of the variant.
struct Painter {
  draw::Canvas& canvas;
  draw::Ui* ui;
  const draw::Box& box;
  const story::Stage& stage;

  pictures::Touch operator()(const std::monostate&) const { return {}; }
  pictures::Touch operator()(const story::TimelinePicture& picture) const {
    return pictures::paint_bars(canvas, ui, box, picture, stage.now);
  }
  pictures::Touch operator()(const std::shared_ptr<const story::Panels>& picture) const {
    return pictures::paint_panels(canvas, ui, box, *picture);
  }
  pictures::Touch operator()(const std::shared_ptr<const story::ReceiptPicture>& picture) const {
    return paint_receipt(canvas, ui, box, stage, *picture);
  }
  pictures::Touch operator()(const std::shared_ptr<const story::TranslatorPicture>& picture) const {
    return paint_translator(canvas, ui, box, stage, *picture);
  }
  pictures::Touch operator()(const std::shared_ptr<const story::WarehousePicture>& picture) const {
    return paint_warehouse(canvas, ui, box, stage, *picture);
  }
  pictures::Touch operator()(const std::shared_ptr<const story::LaunchPicture>& picture) const {
    return paint_launch(canvas, ui, box, stage, *picture);
  }
  pictures::Touch operator()(const std::shared_ptr<const story::SmPicture>& picture) const {
    return paint_sm(canvas, ui, box, stage, *picture);
  }
  pictures::Touch operator()(const std::shared_ptr<const story::GatesPicture>& picture) const {
    return paint_gates(canvas, ui, box, stage, *picture);
  }
  pictures::Touch operator()(const std::shared_ptr<const story::PlanePicture>& picture) const {
    return pictures::paint_plane(canvas, ui, box, *picture);
  }
  pictures::Touch operator()(const std::shared_ptr<const story::SlidePicture>& picture) const {
    return pictures::paint_slide(canvas, box, *picture);
  }
};

}  // namespace

pictures::Touch paint_picture(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage) {
  return std::visit(Painter{canvas, ui, box, stage}, stage.picture);
}

float least_picture_height(const draw::Canvas& canvas, float width, const story::Stage& stage) {
  if (const auto* const warehouse = std::get_if<std::shared_ptr<const story::WarehousePicture>>(&stage.picture))
    return least_warehouse_height(**warehouse);
  const auto* const panels = std::get_if<std::shared_ptr<const story::Panels>>(&stage.picture);
  return panels == nullptr || *panels == nullptr ? 0 : pictures::least_panels_height(canvas, width, **panels);
}

float whole_picture_height(const draw::Canvas& canvas, float width, const story::Stage& stage) {
  const float least = least_picture_height(canvas, width, stage);
  const auto* const panels = std::get_if<std::shared_ptr<const story::Panels>>(&stage.picture);
  return panels == nullptr || *panels == nullptr
             ? least
             : std::max(least, pictures::whole_panels_height(canvas, width, **panels));
}

}  // namespace warpwalk::scenes
