#include "core/platform/limit_resources.h"

#include <algorithm>

#include <sys/resource.h>

namespace warpwalk::platform {
namespace {

template <class Resource>
void limit(Resource resource, std::uint64_t value) {
  rlimit now{};
  if (getrlimit(resource, &now) != 0) return;
  const auto bound = std::min(static_cast<rlim_t>(value), now.rlim_max);
  now.rlim_cur = now.rlim_max = bound;
  setrlimit(resource, &now);
}

}  // namespace

void limit_resources([[maybe_unused]] std::uint64_t address_space_bytes, std::uint64_t cpu_seconds) {
#ifndef __SANITIZE_ADDRESS__  // which reserves terabytes of addresses, so that every allocation would fail
  limit(RLIMIT_AS, address_space_bytes);
#endif
  limit(RLIMIT_CPU, cpu_seconds);
  limit(RLIMIT_CORE, 0);
}

}  // namespace warpwalk::platform
