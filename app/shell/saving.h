#pragma once

#include <optional>

#include "app/shell/session/host.h"
#include "app/shell/parts.h"

namespace warpwalk::shell {

/// Whether the open document is in a file. If it is not, that is shown as an error.
bool saved(Parts& parts);

/// Puts the command that shows the present view on the clipboard.
void copy_link(Parts& parts);

/// Writes the present stage as a picture and shows the name of the file, or the error.
void save_picture(Parts& parts, PictureFormat format);

/// Writes the open walk, if it was run in the window. Returns the present view on that file. If nothing was written,
/// returns none, and the reason is shown.
std::optional<View> save_walk(Parts& parts);

}  // namespace warpwalk::shell
