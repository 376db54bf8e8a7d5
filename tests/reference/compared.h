#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/device/device.h"
#include "core/run/launch/run_launch.h"
#include "tests/reference/measured.h"

namespace warpwalk::reference {

/// One counter, simulated and measured, with its tolerance.
struct Counted {
  std::string name;  ///< as in the report
  double simulated = 0, measured = 0;
  std::optional<double> tolerance;  ///< relative to measured; nullopt: shown but not checked

  /// Relative error; 0 if both are 0.
  double error() const { return measured == 0 ? (simulated == 0 ? 0 : 1) : (simulated - measured) / measured; }
  bool within() const { return !tolerance || (error() <= *tolerance && -error() <= *tolerance); }
};

/// A row of h200_measured.csv compared with a simulation of the same launch.
struct Compared {
  std::string name;
  gpu::Simulation simulation;
  std::vector<Counted> counters;
};

/// Simulates the launch file of a row. Returns a one-line error on failure.
base::Result<Compared> compare(const gpu::Device& device, const Row& row, const std::filesystem::path& launch,
                               int threads);

/// The launch file of a row of tests/reference/h200_measured.csv.
std::filesystem::path timed_launch(const Row& row);

/// The device description of the H200.
gpu::Device h200();

}  // namespace warpwalk::reference
