#pragma once

#include <cstddef>

#include "app/pages/page.h"

namespace warpwalk::pages {

/// The sheet with the terms of the stage and their meanings. Up, Down and the wheel scroll it.
class GlossaryPage final : public Page {
 public:
  explicit GlossaryPage(const Context& context) : Page(context) {}

  bool open(Action by) override;
  void paint(draw::Ui& ui) override;

 private:
  std::size_t scroll_ = 0;  // the first entry shown
};

}  // namespace warpwalk::pages
