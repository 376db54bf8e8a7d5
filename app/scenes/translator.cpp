#include "app/scenes/paint.h"
#include "core/story/translator_picture.h"

namespace warpwalk::scenes {

Touch paint_translator(draw::Canvas&, draw::Ui*, const draw::Box&, const story::Stage&,
                       const story::TranslatorPicture&) {
  return {};
}

}  // namespace warpwalk::scenes
