#include "core/story/pictures/panels.h"

namespace warpwalk::story {

PanelPicture::PanelPicture() = default;
PanelPicture::PanelPicture(const PanelPicture& other) = default;
PanelPicture::PanelPicture(PanelPicture&& other) noexcept = default;
PanelPicture& PanelPicture::operator=(const PanelPicture& other) = default;
PanelPicture& PanelPicture::operator=(PanelPicture&& other) noexcept = default;
PanelPicture::~PanelPicture() = default;

}  // namespace warpwalk::story
