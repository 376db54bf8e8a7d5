#pragma once

#include <string>

namespace warpwalk::testing {

/// Names the instances of a parametrized test by their parameter, which is text.
inline constexpr auto plain_name = [](const auto& info) -> std::string { return info.param; };

}  // namespace warpwalk::testing
