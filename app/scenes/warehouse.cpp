#include "app/scenes/paint.h"
#include "core/story/warehouse_picture.h"

namespace warpwalk::scenes {

Touch paint_warehouse(draw::Canvas&, draw::Ui*, const draw::Box&, const story::Stage&, const story::WarehousePicture&) {
  return {};
}

}  // namespace warpwalk::scenes
