#pragma once

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace warpwalk::instrumentation {

/// A process's place in a distributed run of at least two processes.
struct ProcessRank {
  std::uint32_t rank = 0, world = 0;
  bool operator==(const ProcessRank&) const = default;
};

/// Reads the rank from variables of the environment, as launchers set them: torchrun and accelerate, Open MPI, MPICH
/// and Intel MPI, srun. Nothing if there is no launcher, or only one process. SLURM_NTASKS is not asked: it describes
/// the allocation, also for a program that was started without srun.
template <class GetVariable>
std::optional<ProcessRank> rank_from_environment(GetVariable&& variable) {
  struct Launcher {
    const char *rank, *world;
  };
  constexpr Launcher launchers[] = {{"RANK", "WORLD_SIZE"},
                                    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                    {"PMI_RANK", "PMI_SIZE"},
                                    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
  const auto number = [&](const char* name) -> std::optional<std::uint32_t> {
    const char* const set = variable(name);
    const std::string_view text = set == nullptr ? "" : set;
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return {};
    return value;
  };
  for (const Launcher& launcher : launchers) {
    const auto rank = number(launcher.rank), world = number(launcher.world);
    if (rank && world && *world > 1 && *rank < *world) return ProcessRank{*rank, *world};
  }
  return {};
}
inline std::optional<ProcessRank> rank_from_environment() {
  return rank_from_environment([](const char* name) { return std::getenv(name); });
}

}  // namespace warpwalk::instrumentation
