#include "app/verbs/stages/view_options.h"

#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/document/view_options.h"
#include "core/story/scene_list.h"

namespace warpwalk::verbs {
namespace {

constexpr std::pair<std::string_view, std::string ViewOptions::*> single_options[] = {{"scene", &ViewOptions::scene},
                                                                                      {"at", &ViewOptions::at},
                                                                                      {"follow", &ViewOptions::follow},
                                                                                      {"names", &ViewOptions::names}};

}  // namespace

void add_view_options(CLI::App& verb, ViewOptions& options) {
  verb.add_option("--scene", options.scene, "the name of the scene (see render --list)");
  verb.add_option(
      "--at", options.at,
      "launch or b3 (beat by its key or number), 12.5us (time since the trace's start) or c1500 (kernel cycle)");
  verb.add_option("--follow", options.follow,
                  "op:N, kernel:N or launch:N, N from 0; default: the op with the most GPU time; and a number of its "
                  "result: element:ROW,COLUMN, alone or after op:N/");
  verb.add_option("--names", options.names, "names of the GPU's parts: hardware, company or both");
  verb.add_option("--set", options.set, "SCENE.CONTROL=VALUE: set a control of a scene, for example sm.registers=64")
      ->allow_extra_args(false);
}

base::Result<void> apply_view_options(const ViewOptions& options, document::View& view) {
  std::vector<std::pair<std::string_view, std::string>> given;
  for (const auto& [name, member] : single_options)
    if (!(options.*member).empty()) given.emplace_back(name, options.*member);
  for (const std::string& setting : options.set) given.emplace_back("set", setting);
  for (const auto& [name, value] : given)
    if (const auto done = document::set_view_option(view, name, value); !done)
      return base::Error{fmt::format("--{} {}", name, done.error())};
  if (options.route.empty()) return {};
  if (options.route != "first" && options.route != "all")
    return base::Error{fmt::format("--route {}: not a choice; use first or all", options.route)};
  view.first_route = options.route == "first";
  return {};
}

base::Result<void> check_view_beat(const document::View& view) {
  if (const auto unknown = story::unknown_beat(*story::find_scene(view.scene), view.moment))
    return base::Error{"--at " + *unknown};
  return {};
}

base::Result<draw::Theme> chosen_theme(const ViewOptions& options, std::string_view usual) {
  auto theme = draw::theme_named(options.theme.empty() ? usual : options.theme);
  if (!theme)
    return base::Error{fmt::format("--theme {}: not a theme; use dark, light or high-contrast", options.theme)};
  return *std::move(theme);
}

}  // namespace warpwalk::verbs
