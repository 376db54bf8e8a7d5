#pragma once

#include "app/draw/input.h"
#include "app/shell/actions.h"

namespace warpwalk::shell {

/// Hands the keys of a frame to what takes them first: the page that is shown, the search field, a text field, slider
/// or list with the focus, the question, and at last the actions.
void take_keys(const draw::Input& input, Parts& parts, const Pages& pages, Actions& actions);

}  // namespace warpwalk::shell
