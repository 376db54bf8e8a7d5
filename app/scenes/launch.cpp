#include "app/scenes/paint.h"
#include "core/story/launch_picture.h"

namespace warpwalk::scenes {

Touch paint_launch(draw::Canvas&, draw::Ui*, const draw::Box&, const story::Stage&, const story::LaunchPicture&) {
  return {};
}

}  // namespace warpwalk::scenes
