#include "app/verbs/common/load_ranks.h"

#include <chrono>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "app/verbs/common/terminal.h"

namespace warpwalk::verbs {
namespace {

/// The line on a terminal that shows how far reading has come.
class RanksLine {
 public:
  explicit RanksLine(const std::string& name) : name_(terminal_line(name)) {}
  ~RanksLine() {
    if (any_) fmt::print(stderr, "\r\x1b[K");
  }
  RanksLine(const RanksLine&) = delete;
  RanksLine& operator=(const RanksLine&) = delete;

  void show(const analysis::RanksProgress& progress) {
    const auto now = std::chrono::steady_clock::now();
    if (now - shown_ <= std::chrono::milliseconds(200)) return;
    shown_ = now;
    any_ = true;
    const double share =
        progress.total == 0 ? 0 : 100.0 * static_cast<double>(progress.bytes) / static_cast<double>(progress.total);
    fmt::print(stderr, "\rreading {}: {:.0f} %, {} of {} traces, Ctrl-C stops ", name_, share, progress.done,
               progress.files);
    std::fflush(stderr);
  }

 private:
  std::string name_;
  std::chrono::steady_clock::time_point shown_ = std::chrono::steady_clock::now();
  bool any_ = false;
};

}  // namespace

base::Result<analysis::RankSource> load_ranks(const std::vector<std::filesystem::path>& paths, std::int64_t number,
                                              std::uint64_t memory) {
  analysis::RanksOptions options;
  if (memory != 0) options.memory = memory;
  RanksLine line(analysis::name_of_ranks(paths));
  if (isatty(STDERR_FILENO) != 0)
    options.on_progress = [&line](const analysis::RanksProgress& progress) {
      line.show(progress);
      return true;
    };
  return analysis::read_rank_source(paths, number, options);
}

std::string rank_without_ranks(std::int64_t number, const std::vector<std::filesystem::path>& paths) {
  if (number == analysis::any_rank || analysis::names_ranks(paths)) return {};
  return fmt::format("--rank {}: chooses among the traces of ranks; give a folder, or the trace of each rank", number);
}

}  // namespace warpwalk::verbs
