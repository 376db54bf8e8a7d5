#pragma once

#include "app/pages/page.h"

namespace warpwalk::pages {

/// The sheet that lists all keys, each with what it does.
class HelpPage final : public Page {
 public:
  explicit HelpPage(const Context& context) : Page(context) {}

  bool open(Action) override { return true; }
  void paint(draw::Ui& ui) override;
};

}  // namespace warpwalk::pages
