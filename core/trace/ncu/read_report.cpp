#include "core/trace/ncu/read_report.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/platform/byte_source.h"
#include "core/trace/ncu/container.h"
#include "core/trace/ncu/messages.h"
#include "core/trace/ncu/read_csv.h"
#include "core/trace/source_end.h"

namespace warpwalk::trace::ncu {
namespace {

constexpr std::size_t first_lines = std::size_t{1} << 16;  // in which the CSV of ncu begins

std::string launches_kept(std::size_t launches) {
  if (launches == 0) return "there is no launch before it";
  return launches == 1 ? "the launch before it is kept" : fmt::format("the {} launches before it are kept", launches);
}

void read_block(const Block& block, std::uint64_t at, Report& report, Problems& problems) {
  std::uint64_t process = 0;
  if (!read_block_header(block.header, report, process))
    problems.add(ProblemKind::lost_metadata, at,
                 [&] { return fmt::format("the header of the block at byte {} is damaged", at); });
  // The tables of all blocks are one.
  for (const std::string_view text : block.strings) report.metric_names.emplace_back(text);
  for (const std::string_view source : block.sources)
    if (!read_source(source, report))
      problems.add(ProblemKind::lost_metadata, at,
                   [&] { return fmt::format("the code in the block at byte {} is damaged", at); });
  for (const std::string_view launch : block.launches)
    if (!read_launch(launch, process, report))
      problems.add(ProblemKind::lost_event, at,
                   [&] { return fmt::format("a launch in the block at byte {} is damaged; it is left out", at); });
  if (block.other_results > 0 && problems.count(ProblemKind::unread_device_rows, at, block.other_results))
    problems.rows().back().message =
        "results of ranges, command lists or graphs are not of one kernel; they are not read";
}

// Without a launch, the reason is the error.
void note_no_launch(const Container& container, const Problems& problems, ReportRead& read) {
  if (!read.report.launches.empty()) return;
  if (!container.damage().empty())
    read.error = container.damage();
  else if (!problems.rows().empty())
    read.error = problems.rows().front().message;
  else
    read.error = "is a report of Nsight Compute without a launch; profile again, with a filter that some kernel passes";
}

}  // namespace

bool is_of_nsight_compute(std::string_view first_bytes) { return is_report(first_bytes) || is_csv(first_bytes); }

ReportRead read_report(Window& window, const Options& options, Problems& problems) {
  window.fill(first_lines);
  if (is_csv(window.text())) return read_csv(window, options, problems);
  ReportRead read;
  Report& report = read.report;
  Container container(window);
  std::size_t held = 0;
  for (std::size_t measured = 0;;) {
    const auto block = container.next();
    if (!block) break;
    const std::uint64_t at = window.offset();
    read_block(*block, at, report, problems);
    // The sum over all launches is only needed now and then.
    if (report.launches.size() >= 2 * measured || report.launches.size() - measured > 256) {
      held = report.bytes();
      measured = report.launches.size();
    }
    if (held > options.memory_cap_bytes) {
      read.stopped = true;
      problems.add(ProblemKind::memory_cap, at,
                   fmt::format("reading stopped at byte {}: the report reached the cap of {}; {}", window.offset(),
                               base::bytes_text(static_cast<double>(options.memory_cap_bytes)),
                               launches_kept(report.launches.size())));
    } else if (options.go_on && !options.go_on(report.launches.size())) {
      read.stopped = true;
      problems.add(
          ProblemKind::cancelled, at,
          fmt::format("reading was cancelled at byte {}; {}", window.offset(), launches_kept(report.launches.size())));
    }
    if (read.stopped) break;
  }
  if (!container.damage().empty())
    problems.add(container.cut_off() ? ProblemKind::truncated : ProblemKind::lost_event, window.offset(),
                 fmt::format("{}; {}", container.damage(), launches_kept(report.launches.size())));
  if (container.skipped() > 0 && problems.count(ProblemKind::too_long, 0, container.skipped()))
    problems.rows().back().message = "a block of the report is larger than the reader's limit; it is skipped";
  note_no_launch(container, problems, read);
  return read;
}

base::Result<ReportFile> read_report_file(const std::filesystem::path& file) {
  auto source = platform::open_source(file);
  if (!source) return base::Error{source.error()};
  constexpr std::size_t window_bytes = std::size_t{1} << 20;
  constexpr std::uint64_t block_cap = std::uint64_t{256} << 20;
  Window window(**source, window_bytes, block_cap);
  window.fill(first_lines);
  if (!is_of_nsight_compute(window.text()))
    return base::Error{fmt::format(
        "{}: is no report of Nsight Compute; give a file that ncu -o writes (.ncu-rep), or what it prints with --csv",
        file.string())};
  Problems problems;
  ReportRead read = read_report(window, {}, problems);
  if (read.error) return base::Error{fmt::format("{}: {}", file.string(), *read.error)};
  note_source_end(**source, window, read.report.launches.size(), problems);
  ReportFile result{std::move(read.report), {}};
  for (const Problem& problem : problems.rows())
    if (loses_data(problem.kind)) result.lost.push_back(fmt::format("{}: {}", file.string(), problem.message));
  return result;
}

}  // namespace warpwalk::trace::ncu
