#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace warpwalk::story {

/// A launch on one of the GPUs of a sweep.
struct SweptPoint {
  double value = 0, cycles = 0;  ///< of the parameter; simulated
  std::string gpu;               ///< what is changed: "l2_bytes 3.1e+07"; else the name of the GPU
  bool front = false;            ///< no other GPU has a cheaper value and fewer cycles
};

/// How the cycles of a launch follow a parameter, if nothing else changes.
struct Sensitivity {
  std::string parameter;
  double elasticity = 0;  ///< slope of log(cycles) over log(parameter)
  double base = 0, from = 0, to = 0, cycles_from = 0, cycles_to = 0;
  std::size_t gpus = 0;
};

struct SweptLaunch {
  std::string name;
  std::map<std::string, std::vector<SweptPoint>> points;  ///< by parameter
  std::vector<Sensitivity> sensitivity;                   ///< the strongest first
  std::set<std::string> larger_is_cheaper;                ///< parameters that raise the cycles, such as latencies
};

/// What warpwalk.sweep() of the Python package keeps in a walk (docs/sweeps.md).
struct Sweep {
  std::string base;  ///< name of the GPU
  std::vector<SweptLaunch> launches;
  std::map<std::string, std::string> units;  ///< by parameter

  bool empty() const { return launches.empty(); }
};

/// The sweep in a trace; empty without one, and if it is damaged or of another version.
Sweep sweep_of(const trace::Trace& trace);

}  // namespace warpwalk::story
