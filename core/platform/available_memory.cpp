#include "core/platform/available_memory.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include <sys/resource.h>
#include <unistd.h>

namespace warpwalk::platform {
namespace {

/// The first number in the first line that starts with `key`, e.g. "MemAvailable:  123 kB"; nullopt if there is none.
std::optional<std::uint64_t> number_in(const std::filesystem::path& file, std::string_view key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t from = line.find_first_of("0123456789", key.size());
    if (from == std::string::npos) return {};
    std::uint64_t number = 0;
    for (std::size_t i = from; i < line.size() && line[i] >= '0' && line[i] <= '9' && number < (std::uint64_t{1} << 58);
         ++i)
      number = number * 10 + static_cast<std::uint64_t>(line[i] - '0');
    return number;
  }
  return {};
}

}  // namespace

std::uint64_t available_memory() {
  std::uint64_t bytes = std::uint64_t{1} << 63;
  if (const auto kilobytes = number_in("/proc/meminfo", "MemAvailable:")) bytes = *kilobytes * 1024;
  const auto maximum = number_in("/sys/fs/cgroup/memory.max", ""),
             used = number_in("/sys/fs/cgroup/memory.current", "");
  if (maximum && used) bytes = std::min(bytes, *maximum > *used ? *maximum - *used : 0);
  rlimit limit{};
  const auto mapped_pages = number_in("/proc/self/statm", "");
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && mapped_pages) {
    const std::uint64_t mapped = *mapped_pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    bytes = std::min<std::uint64_t>(bytes, limit.rlim_cur > mapped ? limit.rlim_cur - mapped : 0);
  }
  return bytes;
}

}  // namespace warpwalk::platform
