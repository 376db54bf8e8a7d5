#pragma once

#include <string_view>
#include <vector>

#include "core/story/pictures/panels.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// Something for students to bring about with the controls of a lab.
struct Task {
  std::string_view key;  ///< of its text in [LAB.task]
  bool done = false;     ///< with the present settings
};

/// The tasks of a lab, each with whether it is done.
Panel tasks_panel(const SceneInput& input, std::string_view lab, const std::vector<Task>& tasks);

}  // namespace warpwalk::story
