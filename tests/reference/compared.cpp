#include "tests/reference/compared.h"

#include <algorithm>

#include "core/gpu/device/device_file.h"

namespace warpwalk::reference {

gpu::Device h200() { return *gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json"); }

std::filesystem::path timed_launch(const Row& row) { return folder() / "timed" / (row.at("case") + ".json"); }

base::Result<Compared> compare(const gpu::Device& device, const Row& row, const std::filesystem::path& launch,
                               int threads) {
  Compared result;
  result.name = row.at("case");
  auto loaded = run::load_launch(launch, device);
  if (!loaded) return base::Error{loaded.error()};
  gpu::SimulateOptions options;
  options.threads = threads;
  auto ran = run::run_launch(device, *loaded, options);
  if (!ran) return base::Error{ran.error()};
  result.simulation = std::move(ran->simulation);

  const gpu::Counters& counters = result.simulation.counters;
  const auto add = [&](std::string name, double simulated, double measured, std::optional<double> tolerance) {
    result.counters.push_back({std::move(name), simulated, measured, tolerance});
  };
  const auto measured = [&](const char* column) { return std::stod(row.at(column)); };
  const auto of = [](std::uint64_t number) { return static_cast<double>(number); };
  add("global_load_requests", of(counters.global_load_requests), measured("gld_requests"), 0.0);
  add("global_store_requests", of(counters.global_store_requests), measured("gst_requests"), 0.0);
  add("global_load_sectors", of(counters.global_load_sectors), measured("gld_sectors"), 0.01);
  add("global_store_sectors", of(counters.global_store_sectors), measured("gst_sectors"), 0.01);
  // Measured wavefronts also include arbitration between warps: the measured conflicts that the addresses do not
  // explain. This noise is capped at a small share, so that conflicts missed by the simulation are not taken for it.
  constexpr double max_noise = 0.06;
  const double wavefronts = measured("shared_ld_wavefronts") + measured("shared_st_wavefronts");
  const double noise =
      std::clamp(measured("shared_conflicts") - of(counters.shared_bank_conflicts), 0.0, max_noise * wavefronts);
  add("shared wavefronts", of(counters.shared_load_wavefronts + counters.shared_store_wavefronts), wavefronts, {});
  add("the same less noise", of(counters.shared_load_wavefronts + counters.shared_store_wavefronts), wavefronts - noise,
      0.03);
  add("occupancy_pct", result.simulation.occupancy.percent, measured("theoretical_occupancy_pct"), 0.0);
  add("warp_instructions", of(counters.warp_instructions), measured("warp_inst"), {});
  const bool promised = row.at("kernel") == "divergent";
  add("thread_instructions", of(counters.thread_instructions), measured("thread_inst"),
      promised ? std::optional(0.01) : std::nullopt);
  return result;
}

}  // namespace warpwalk::reference
