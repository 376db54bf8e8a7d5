#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/document/view.h"
#include "app/draw/theme.h"
#include "core/base/result.h"

namespace CLI {
class App;
}

namespace warpwalk::verbs {

/// The options of the command line that say what is looked at, of the window, render and export alike.
struct ViewOptions {
  std::string scene;             ///< empty: the verb's first one
  std::string at;                ///< empty: the verb's own moment
  std::string follow;            ///< empty: the op with the most GPU time
  std::string names;             ///< hardware, company or both; empty: the verb's default
  std::vector<std::string> set;  ///< each SCENE.CONTROL=VALUE
  std::string route;             ///< first or all; empty: the verb's default
  std::string theme;             ///< empty: the verb's default
};

/// Adds --scene, --at, --follow, --names and --set. `options` outlives the verb.
void add_view_options(CLI::App& verb, ViewOptions& options);

/// Sets what the options say. The error is one line that names the option: "--scene attic: not a scene; ...".
base::Result<void> apply_view_options(const ViewOptions& options, document::View& view);

/// The same error if the view's scene does not have the beat of --at.
base::Result<void> check_view_beat(const document::View& view);

/// The theme of --theme, or the one with the name `usual`.
base::Result<draw::Theme> chosen_theme(const ViewOptions& options, std::string_view usual);

}  // namespace warpwalk::verbs
