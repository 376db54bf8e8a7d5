#pragma once

#include <string>

#include "app/shell/pages.h"
#include "app/shell/parts.h"

namespace warpwalk::shell {

/// The title of the window; it names what is open.
std::string window_title(const Parts& parts);

/// Whether background work is under way that the window shows: a file or folder is read, a film is made, an expression
/// runs, a GPU is looked for, or the kernel on the stage is simulated.
bool window_busy(const Parts& parts, const Pages& pages);

/// The state of the window as one line of JSON, for tests and other programs.
std::string window_state(const Parts& parts, const Pages& pages);

}  // namespace warpwalk::shell
