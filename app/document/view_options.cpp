#include "app/document/view_options.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "core/story/scene_list.h"

namespace warpwalk::document {
namespace {

base::Result<void> set_scene(View& view, std::string_view value) {
  if (story::find_scene(value) == nullptr)
    return base::Error{fmt::format("{}: not a scene; see warpwalk render --list", value)};
  view.scene = value;
  return {};
}

base::Result<void> set_moment(View& view, std::string_view value) {
  auto moment = story::parse_moment(value);
  if (!moment) return base::Error{moment.error()};
  view.moment = *std::move(moment);
  return {};
}

base::Result<void> set_followed(View& view, std::string_view value) {
  view.follow = value;
  return {};
}

base::Result<void> set_names(View& view, std::string_view value) {
  const auto naming = story::naming_named(value);
  if (!naming) return base::Error{fmt::format("{}: not a choice; use hardware, company or both", value)};
  view.naming = *naming;
  return {};
}

base::Result<void> set_control(View& view, std::string_view value) {
  const auto set = story::parse_setting(value);
  if (!set) return base::Error{set.error()};
  view.controls.set(set->name, set->value);
  return {};
}

struct ViewOption {
  std::string_view name;
  base::Result<void> (*set)(View& view, std::string_view value);
};

constexpr std::array<ViewOption, 5> view_options = {
    {{"scene", set_scene}, {"at", set_moment}, {"follow", set_followed}, {"names", set_names}, {"set", set_control}}};

}  // namespace

bool is_view_option(std::string_view option) {
  return std::ranges::find(view_options, option, &ViewOption::name) != view_options.end();
}

base::Result<void> set_view_option(View& view, std::string_view option, std::string_view value) {
  const auto* const row = std::ranges::find(view_options, option, &ViewOption::name);
  if (row == view_options.end()) return base::Error{fmt::format("{}: not an option of a view", option)};
  return row->set(view, value);
}

}  // namespace warpwalk::document
