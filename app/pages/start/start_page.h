#pragma once

#include "app/pages/page.h"
#include "app/pages/start/start_files.h"
#include "app/pages/start/start_view.h"

namespace warpwalk::pages {

/// The page that the window starts with: walks, lessons, labs, recent files, and what else can be done.
class StartPage final : public Page {
 public:
  explicit StartPage(const Context& context) : Page(context) {}

  bool open(Action by) override;
  bool takes(const draw::KeyPress& press, bool own) const override;
  void paint(draw::Ui& ui) override;

 private:
  StartContent content() const;
  StartItem tour_item() const;
  StartItem item_of(std::string_view key, Action action) const;

  StartFiles files_;  // read when the page opens
  StartState state_;
};

}  // namespace warpwalk::pages
