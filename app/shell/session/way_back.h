#pragma once

#include <optional>

#include "app/pages/context.h"

namespace warpwalk::shell {

/// From where the person went to look deeper, or into a lab, and can return to.
class WayBack {
 public:
  /// The person goes from the open view to another scene.
  void leave(const pages::Opened& opened, std::string_view to);
  /// Another document is open: there is no way back.
  void forget();

  /// The step of the tour that led to what is open now; null: none did.
  const document::View* step(const pages::Opened& opened) const;
  /// Where Esc leads: to that step, or out of a lab to the view that it was opened from. None: nothing led here.
  std::optional<document::View> view(const pages::Opened& opened) const;

 private:
  std::optional<document::View> step_;   // of the tour
  std::optional<document::View> scene_;  // from which a lab was opened
};

/// The scene that a lab belongs to, at its first beat; none outside of labs, and for labs about a whole trace, which
/// files open on.
std::optional<document::View> scene_of_lab(const pages::Opened& opened);

}  // namespace warpwalk::shell
