#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "core/story/pictures/panels.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story::testing {

/// A beat of a lab with the default walk of relu_matmul; the settings are without the lab's name.
Stage lab_with(std::string_view lab, std::int64_t beat,
               std::initializer_list<std::pair<const char*, double>> settings = {});
/// The same with descriptions of GPUs but without records of measured and simulated launches.
Stage lab_without_records(std::string_view lab, std::int64_t beat);
const Panels& lab_panels(const Stage& stage);
/// A control's value; NaN if there is none.
double lab_control(const Stage& stage, std::string_view name);
/// Which tasks of the last beat are done: a letter each, "x" or "-".
std::string tasks_done(std::string_view lab, std::initializer_list<std::pair<const char*, double>> settings);

}  // namespace warpwalk::story::testing
