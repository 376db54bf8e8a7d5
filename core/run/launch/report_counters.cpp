#include "core/run/launch/report.h"

namespace warpwalk::run {

std::vector<ReportCounter> report_counters(const gpu::Counters& counters, bool machine_code) {
  std::vector<ReportCounter> rows;
  if (!machine_code) rows.push_back({"ptx_warp_instructions", counters.ptx_warp_instructions});
  rows.insert(rows.end(), {{"warp_instructions", counters.warp_instructions},
                           {"thread_instructions", counters.thread_instructions},
                           {"global_load_requests", counters.global_load_requests},
                           {"global_store_requests", counters.global_store_requests},
                           {"global_load_sectors", counters.global_load_sectors},
                           {"global_store_sectors", counters.global_store_sectors},
                           {"shared_load_wavefronts", counters.shared_load_wavefronts},
                           {"shared_store_wavefronts", counters.shared_store_wavefronts},
                           {"shared_bank_conflicts", counters.shared_bank_conflicts}});
  return rows;
}

double warp_instructions_per_second(const gpu::Simulation& simulation) {
  if (!(simulation.host_seconds > 0)) return 0;
  return static_cast<double>(simulation.counters.warp_instructions) / simulation.host_seconds;
}

}  // namespace warpwalk::run
