#include "app/verbs/common/load.h"

#include <chrono>
#include <cstdio>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "app/verbs/common/terminal.h"

namespace warpwalk::verbs {

LoadedTrace load(const std::filesystem::path& file, std::uint64_t memory_cap_bytes) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  Clock::time_point shown = begin;
  bool any_shown = false;
  trace::ReadOptions options;
  if (memory_cap_bytes != 0) options.memory_cap_bytes = memory_cap_bytes;
  if (isatty(STDERR_FILENO) != 0)
    options.on_progress = [&](const trace::ReadProgress& progress) {
      const Clock::time_point now = Clock::now();
      if (now - shown > std::chrono::milliseconds(200)) {
        shown = now;
        any_shown = true;
        const double share = progress.bytes_total == 0 ? 0
                                                       : 100.0 * static_cast<double>(progress.bytes_read) /
                                                             static_cast<double>(progress.bytes_total);
        fmt::print(stderr, "\rreading {}: {:.0f} %, {} events, Ctrl-C stops ", terminal_line(file.filename().string()),
                   share, progress.events);
        std::fflush(stderr);
      }
      return true;
    };
  LoadedTrace loaded;
  loaded.result = trace::read_trace(file, options);
  loaded.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  if (any_shown) fmt::print(stderr, "\r\x1b[K");
  return loaded;
}

std::vector<std::string> lost_data(const std::filesystem::path& file, const trace::ReadResult& result) {
  std::vector<std::string> lines;
  for (const trace::Problem& problem : result.problems.rows())
    if (trace::loses_data(problem.kind))
      lines.push_back(fmt::format("{}: {} ({}): {}", file.filename().string(), trace::name_of(problem.kind),
                                  problem.count, problem.message));
  return lines;
}

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
  return static_cast<std::uint64_t>(usage.ru_maxrss);
#else
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;  // Linux counts in kB
#endif
}

}  // namespace warpwalk::verbs
