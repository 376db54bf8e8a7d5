#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/run/exercise/grade.h"
#include "core/run/exercise/submission_figures.h"
#include "core/run/launch/line_costs.h"

namespace warpwalk::run {
namespace {

/// "1,234" for whole numbers, two digits behind the point for small ones.
std::string number(double value) {
  if (std::abs(value) >= 100 || value == std::floor(value)) {
    std::string digits = fmt::format("{:.0f}", value);
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > (value < 0 ? 1 : 0); at -= 3)
      digits.insert(static_cast<std::size_t>(at), ",");
    return digits;
  }
  return fmt::format("{:.2f}", value);
}

struct Word {
  std::string_view name, words;
};

/// Figures as a student reads them.
constexpr Word figure_words[] = {
    {"cycles", "cycles"},
    {"warp_instructions", "warp instructions"},
    {"thread_instructions", "thread instructions"},
    {"thread_instructions/warp_instructions", "active threads per warp instruction"},
    {"registers", "registers per thread"},
    {"blocks_per_sm", "thread blocks per SM"},
    {"occupancy_pct", "% theoretical occupancy"},
    {"achieved_occupancy_pct", "% achieved occupancy"},
    {"global_load_requests", "global load instructions of warps"},
    {"global_store_requests", "global store instructions of warps"},
    {"global_load_sectors", "sectors loaded from global memory"},
    {"global_store_sectors", "sectors stored to global memory"},
    {"shared_load_wavefronts/atomic_instructions", "wavefronts of shared memory loads per atomic instruction"},
    {"barrier_instructions/atomic_instructions", "barriers per atomic instruction"},
    {"global_load_sectors/global_store_sectors", "sectors loaded per sector stored"},
    {"global_load_sectors/global_load_requests", "sectors per global load"},
    {"global_store_sectors/global_store_requests", "sectors per global store"},
    {"shared_load_wavefronts", "wavefronts of shared memory loads"},
    {"shared_store_wavefronts", "wavefronts of shared memory stores"},
    {"shared_bank_conflicts", "bank conflicts"},
    {"dram_read_bytes", "bytes read from device memory"},
    {"dram_write_bytes", "bytes written to device memory"},
    {"local_instructions", "accesses of warps to local memory"},
    {"atomic_instructions", "atomic instructions of warps"},
    {"barrier_instructions", "barrier instructions of warps"},
    {"tensor_instructions", "tensor core instructions of warps"},
    {"async_copy_instructions", "asynchronous copy instructions of warps"},
};

std::string figure_in_words(const std::string& figure) {
  const auto found = std::ranges::find(figure_words, figure, &Word::name);
  return found == std::end(figure_words) ? figure : std::string(found->words);
}

/// What a warp waited for, as the end of a sentence.
std::string_view wait_words(gpu::StallReason reason) {
  switch (reason) {
    case gpu::StallReason::long_scoreboard: return "for data from global or local memory";
    case gpu::StallReason::short_scoreboard:
      return "for shared memory, a special function, or an access whose registers were still to be read";
    case gpu::StallReason::barrier: return "for other warps at a barrier";
    case gpu::StallReason::membar: return "for a memory fence";
    case gpu::StallReason::math_pipe_throttle: return "for a busy arithmetic pipe";
    case gpu::StallReason::mio_throttle: return "for the queue to shared memory";
    case gpu::StallReason::lg_throttle: return "for the queue to global and local memory";
    case gpu::StallReason::tex_throttle: return "for the queue to the texture unit";
    case gpu::StallReason::dispatch_stall: return "for the ports of the register file";
    case gpu::StallReason::branch_resolving: return "for the target of a branch";
    case gpu::StallReason::no_instruction: return "for their next instruction";
    case gpu::StallReason::imc_miss: return "for a constant";
    case gpu::StallReason::wait: return "for the result of the instruction before";
    case gpu::StallReason::not_selected: return "for their turn, since other warps were issued";
    case gpu::StallReason::drain: return "for their last stores";
    case gpu::StallReason::sleeping: return "in a sleep";
    case gpu::StallReason::selected: break;
  }
  return "";
}

/// The line with the largest value of a metric; 0 if there is none.
std::uint32_t hottest(const DraftRun& run, LineMetric metric) {
  const auto lines = run.costs.hottest(metric);
  return lines.empty() ? 0 : static_cast<std::uint32_t>(lines.front());
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string stall_reason(const DraftRun& run, std::uint32_t& line) {
  line = hottest(run, LineMetric::stalls);
  if (line == 0) return {};
  const LineCosts& costs = run.costs.lines.at(line);
  const auto reason = costs.main_reason();
  if (!reason) return {};
  const std::uint64_t all = run.costs.total().stalled();
  return fmt::format(" {:.0f} % of the time that warps waited was spent at line {}, mostly {} ({}).",
                     share(costs.stalled(), all), line, wait_words(*reason), gpu::name_of(*reason));
}

std::string sector_reason(const DraftRun& run, std::uint32_t& line) {
  line = hottest(run, LineMetric::sectors);
  if (line == 0) return {};
  const gpu::AccessCounts& accesses = run.costs.lines.at(line).accesses;
  const auto per_request = [&](std::uint64_t sectors) {
    return static_cast<double>(sectors) / static_cast<double>(std::max<std::uint64_t>(accesses.global_requests, 1));
  };
  return fmt::format(
      " Line {} moves {:.1f} sectors per request, where {:.1f} would do: {:.0f} % of its traffic is wasted.", line,
      per_request(accesses.global_sectors), per_request(accesses.ideal_sectors),
      share(accesses.global_sectors - accesses.ideal_sectors, accesses.global_sectors));
}

std::string conflict_reason(const DraftRun& run, std::uint32_t& line) {
  line = hottest(run, LineMetric::conflicts);
  if (line == 0) return {};
  const gpu::AccessCounts& accesses = run.costs.lines.at(line).accesses;
  return fmt::format(" Line {} has {} of them: each of its accesses takes {:.1f} wavefronts.", line,
                     number(static_cast<double>(accesses.bank_conflicts)),
                     static_cast<double>(accesses.shared_wavefronts) /
                         static_cast<double>(std::max<std::uint64_t>(accesses.shared_requests, 1)));
}

std::string occupancy_reason(const DraftRun& run) {
  const auto words = [](gpu::Limiter limiter) -> std::string_view {
    switch (limiter) {
      case gpu::Limiter::warps: return "the number of warps";
      case gpu::Limiter::registers: return "the registers";
      case gpu::Limiter::shared: return "the shared memory";
      case gpu::Limiter::blocks: return "the number of thread blocks";
      case gpu::Limiter::barriers: break;
    }
    return "the number of barriers";
  };
  std::string limits;
  for (const gpu::Limiter limiter : run.result.simulation.occupancy.limiters)
    limits += fmt::format("{}{}", limits.empty() ? "" : " and ", words(limiter));
  return fmt::format(" What limits it is {} of an SM.", limits);
}

/// The sentence about where the figure comes from, with its line.
std::string cause(const Criterion& criterion, const Grade& grade, std::uint32_t& line) {
  if (!grade.run) return {};
  const DraftRun& run = *grade.run;
  if (criterion.figure == "cycles") return stall_reason(run, line);
  if (criterion.figure.starts_with("global_") || criterion.figure.starts_with("dram_")) return sector_reason(run, line);
  if (criterion.figure.starts_with("shared_")) return conflict_reason(run, line);
  if (criterion.figure.find("occupancy") != std::string::npos || criterion.figure == "blocks_per_sm")
    return occupancy_reason(run);
  return {};
}

}  // namespace

Verdict judge(const Criterion& criterion, const Grade& grade,
              const std::map<std::string, double, std::less<>>& starter) {
  Verdict verdict;
  verdict.criterion = criterion.name();
  verdict.of_starter = criterion.of_starter;
  verdict.at_least = !criterion.at_most;
  verdict.limit = criterion.at_most ? criterion.at_most : criterion.at_least;
  const std::string words = figure_in_words(criterion.name());
  const auto own = figure_of(grade.figures, criterion.figure, criterion.per);
  const auto base = figure_of(starter, criterion.figure, criterion.per);
  if (!own || (criterion.of_starter && (!base || *base == 0))) {
    // A launch without loads has no sectors per load: there is nothing to object to, unless some are wanted.
    const auto counted = figure_of(grade.figures, criterion.figure, {});
    verdict.passed = criterion.at_most.has_value() && counted == 0;
    verdict.reason = fmt::format("The kernel has no {}.", words);
    return verdict;
  }
  verdict.value = criterion.of_starter ? *own / *base : *own;
  verdict.passed = (!criterion.at_most || *verdict.value <= *criterion.at_most) &&
                   (!criterion.at_least || *verdict.value >= *criterion.at_least);
  if (verdict.passed && criterion.at_least && criterion.at_most) verdict.limit = criterion.at_most;
  const bool too_small = criterion.at_least && *verdict.value < *criterion.at_least;
  if (too_small) {
    verdict.limit = criterion.at_least;
    verdict.at_least = true;
  }
  const std::string bound = fmt::format("{} {}", verdict.at_least ? "at least" : "at most", number(*verdict.limit));
  if (criterion.of_starter)
    verdict.reason = fmt::format("{} {}, {} times the starter's {}; {} is wanted.", number(*own), words,
                                 fmt::format("{:.2f}", *verdict.value), number(*base), bound);
  else
    verdict.reason = fmt::format("{} {}; {} is wanted.", number(*own), words, bound);
  if (!verdict.passed) verdict.reason += cause(criterion, grade, verdict.line);
  return verdict;
}

}  // namespace warpwalk::run
