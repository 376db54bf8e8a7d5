#include "core/story/labs/lab.h"

#include <fmt/format.h>

namespace warpwalk::story {

std::string linear_text(std::int64_t i, const gpu::Shape& shape) {
  const gpu::Shape at = gpu::coordinates_of(i, shape);
  return fmt::format("{} + {} * ({} + {} * {}) = {}", at[0], shape[0], at[1], shape[1], at[2], i);
}

}  // namespace warpwalk::story
