#include "app/shell/session/way_back.h"

#include "core/story/scene_list.h"

namespace warpwalk::shell {
namespace {

bool is_lab(std::string_view name) {
  const story::Scene* const scene = story::find_scene(name);
  return scene != nullptr && scene->is_lab();
}

// Whether a view that was left is one of what is followed now.
bool still_there(const std::optional<document::View>& left, const pages::Opened& opened) {
  return left && opened.document && left->file == opened.view.file && left->follow == opened.view.follow;
}

// The view that was left, with the settings as they are now and without its motion.
document::View returned(const document::View& left, const pages::Opened& opened) {
  document::View view = left;
  view.naming = opened.view.naming;
  view.controls = opened.view.controls;
  if (view.moment.is_beat()) view.moment.phase = 1;
  return view;
}

}  // namespace

void WayBack::leave(const pages::Opened& opened, std::string_view to) {
  const document::View& view = opened.view;
  if (view.scene == to) return;
  if (view.scene == story::tour().name) step_ = view;
  if (is_lab(to) && !is_lab(view.scene)) scene_ = view;
}

void WayBack::forget() {
  step_.reset();
  scene_.reset();
}

const document::View* WayBack::step(const pages::Opened& opened) const {
  return still_there(step_, opened) && opened.view.scene != story::tour().name ? &*step_ : nullptr;
}

std::optional<document::View> WayBack::view(const pages::Opened& opened) const {
  if (is_lab(opened.view.scene) && still_there(scene_, opened)) return returned(*scene_, opened);
  const document::View* const from = step(opened);
  return from != nullptr ? std::optional(returned(*from, opened)) : std::nullopt;
}

std::optional<document::View> scene_of_lab(const pages::Opened& opened) {
  const story::Scene* const lab = story::find_scene(opened.view.scene);
  if (lab == nullptr || !lab->is_lab() || lab->name == document::overview_scene || lab->name == document::ranks_scene)
    return {};
  document::View view = opened.view;
  view.scene = lab->opens_from;
  view.moment = {story::Moment::Kind::beat, 1, 1};
  return view;
}

}  // namespace warpwalk::shell
