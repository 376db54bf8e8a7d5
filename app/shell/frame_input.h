#pragma once

#include "app/draw/input.h"
#include "app/shell/actions.h"

namespace warpwalk::shell {

/// Hands the keys of a frame to what takes them first: the page that is shown, the search field, a text field, slider
/// or list with the focus, the question, and at last the actions.
void take_keys(const draw::Input& input, Parts& parts, const Pages& pages, Actions& actions);

/// The pointer while keys are used. It is ignored where it rests, until it moves or a button is pressed: so what lies
/// below it by chance is not marked.
class RestingPointer {
 public:
  /// The input of the frame below a page. `covered`: a page is shown, which takes the keys and the pointer.
  /// `presenting`: a presentation is on; when it begins, the pointer may rest on the picture.
  draw::Input input_below(const draw::Input& input, bool covered, bool presenting);

 private:
  draw::Point parked_ = {-1, -1};  // where it rests; negative: it is not ignored
  bool presented_ = false;         // in the frame before
};

}  // namespace warpwalk::shell
