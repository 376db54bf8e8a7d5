#include "app/scenes/paint.h"
#include "core/story/sm_picture.h"

namespace warpwalk::scenes {

Touch paint_sm(draw::Canvas&, draw::Ui*, const draw::Box&, const story::Stage&, const story::SmPicture&) { return {}; }

}  // namespace warpwalk::scenes
