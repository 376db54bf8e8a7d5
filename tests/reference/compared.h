#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/run/launch/run_launch.h"
#include "tests/reference/measured.h"

namespace warpwalk::reference {

/// One counter, simulated and measured, and how far the former may be off.
struct Counted {
  std::string name;  ///< as in the report
  double simulated = 0, measured = 0;
  std::optional<double> tolerance;  ///< of the measured; none: shown, not promised

  /// Relative; 0 where both are 0.
  double error() const { return measured == 0 ? (simulated == 0 ? 0 : 1) : (simulated - measured) / measured; }
  bool within() const { return !tolerance || (error() <= *tolerance && -error() <= *tolerance); }
};

/// A row of h200_measured.csv and the same launch simulated.
struct Compared {
  std::string name;
  gpu::Simulation simulation;
  std::vector<Counted> counters;
};

/// Simulates the launch of a row. The error is one line.
std::variant<Compared, std::string> compare(const gpu::Device& device, const Row& row, int threads);

/// The H200's description.
gpu::Device h200();

}  // namespace warpwalk::reference
