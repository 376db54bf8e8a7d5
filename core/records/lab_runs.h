#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::records {

/// A figure of a launch, measured on an H200 with Nsight Compute and simulated.
struct BothWays {
  std::optional<double> measured, simulated;
};

/// A launch of the labs on one GPU: tests/validate/labs/timed/LAUNCH.json.
struct LabRun {
  std::string launch;            ///< "read_four_8"
  std::string gpu;               ///< id of the description: "h200", "h200_2sm"
  BothWays cycles;               ///< SM clocks, launch overhead included, caches cold
  BothWays active;               ///< cycles with a resident warp, mean of the SMs
  BothWays issued;               ///< warp instructions per scheduler and active cycle, in percent
  BothWays dram;                 ///< bytes read from and written to GPU memory
  BothWays l1_hits;              ///< percent of the sectors
  double global_sectors = 0;     ///< of 32 bytes, that loads and stores ask L1 for; simulated
  double shared_wavefronts = 0;  ///< simulated
  double instructions = 0;       ///< executed by warps; simulated
  double occupancy = 0;          ///< theoretical, percent
};

/// Reads a file of assets/devices (ID_labs.csv), which tests/validate/labs.py writes. On failure, returns a one-line
/// message without the file's name.
base::Result<std::vector<LabRun>> parse_lab_runs(std::string_view text);

/// The run of a launch on a GPU; null if there is none.
const LabRun* find_run(const std::vector<LabRun>& runs, std::string_view launch, std::string_view gpu = "h200");

/// The same work on a CPU and on an H200 in the same machine.
struct CoreTimes {
  std::string work;                 ///< "busy", "saxpy"; "chain" and "chase": one thread alone
  double size = 0;                  ///< elements; bytes of the buffer of a chase
  double cores = 1;                 ///< of the CPU, that `all_cores` used
  double one_core = 0;              ///< ns; of one step with one thread alone, like the other times
  std::optional<double> all_cores;  ///< ns
  double gpu = 0;                   ///< ns, launch and synchronisation included
};

/// Reads a file of assets/devices (ID_cores.csv), which tests/validate/labs.py writes. On failure, returns a one-line
/// message without the file's name.
base::Result<std::vector<CoreTimes>> parse_core_times(std::string_view text);

/// Reads assets/devices/ID_allocator.csv, which tests/ops/allocator/times.py writes: times of one call by the bytes
/// asked for, as rows of the works cached_alloc, cached_free, cuda_malloc and cuda_free. On failure, returns a one-line
/// message without the file's name.
base::Result<std::vector<CoreTimes>> parse_allocator_times(std::string_view text);

}  // namespace warpwalk::records
