// With the sanitizer, the GPU starts when this library is loaded, before the program registers functions for its end.
// What was not freed is then reported after the program's static objects have been destroyed.
#include <cstdlib>
#include <string_view>

#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated {
namespace {

[[gnu::constructor]] void start_early() {
  const char* const sanitize = std::getenv("WARPWALK_SANITIZE");
  const char* const description = std::getenv("WARPWALK_GPU");
  if (sanitize != nullptr && std::string_view(sanitize) == "1" && description != nullptr) Gpu::the();
}

}  // namespace
}  // namespace warpwalk::simulated
