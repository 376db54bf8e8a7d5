#include "core/story/warehouse_picture.h"

namespace warpwalk::story {

std::string text_of(const WarehousePicture&) { return {}; }
std::string everything_in(const WarehousePicture&) { return {}; }

}  // namespace warpwalk::story
