#include "app/shell/asked_trail.h"

#include <algorithm>

namespace warpwalk::shell {
namespace {

constexpr std::size_t kept_views = 100;
constexpr std::string_view asked_control = "lanes.asked";

bool asks_about_value(const pictures::Touch& touched) {
  return std::ranges::any_of(touched.set, [](const auto& set) { return set.first == asked_control; });
}

}  // namespace

bool leads_to_writer(const pictures::Touch& touched) { return touched.cycle && asks_about_value(touched); }

void AskedTrail::note(const pages::Opened& opened, const pictures::Touch& touched) {
  if (!asks_about_value(touched)) return;
  if (views_.size() == kept_views) views_.erase(views_.begin());
  views_.push_back(opened.view);
}

bool AskedTrail::ask(Parts& parts) {
  const pages::Opened& opened = parts.opened();
  document::View view = opened.view;
  if ((view.scene != "lanes" && view.scene != "schedulers") || !opened.stage || !opened.stage->cycle) return false;
  if (view.scene == "lanes" && view.controls.get("lanes", "asked").value_or(0) != 0) {
    view.controls.clear(asked_control);
  } else {
    views_.push_back(opened.view);
    view.controls.set(asked_control, 1);
    // The warp of the schedulers is that of the lanes, unless another one was chosen there.
    if (view.scene == "schedulers") view.controls.clear("lanes.warp");
  }
  view.scene = "lanes";
  view.moment = {story::Moment::Kind::cycle, opened.stage->cycle->at, 1};
  parts.session.go(view);
  return true;
}

bool AskedTrail::back(Parts& parts) {
  if (views_.empty()) return false;
  const document::View view = std::move(views_.back());
  views_.pop_back();
  parts.session.go(view);
  return true;
}

}  // namespace warpwalk::shell
