#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpwalk::instrumentation {

class RowSink;

/// The simulated GPU of this process, whose libcuda.so.1 is in instrumentation/simulated, as a recorder uses it that
/// the program begins and ends itself.
class SimulatedGpu {
 public:
  /// Finds it. False if the process has none: no libcuda.so.1, or NVIDIA's.
  bool find();
  /// Its name, and the program's time in ns since the epoch. Starts it, if the program has not.
  const char* start(std::uint64_t (*&clock)()) const { return start_(&clock); }
  /// From now on it adds its rows. `open_ops`: the ops that are open on the calling thread.
  void attach(RowSink& rows, std::vector<std::string> (*open_ops)()) const { attach_(&rows, open_ops); }
  /// Waits for its work. Afterwards it adds no rows.
  void detach() const { detach_(); }

 private:
  const char* (*start_)(std::uint64_t (**clock)()) = nullptr;
  void (*attach_)(RowSink*, std::vector<std::string> (*open_ops)()) = nullptr;
  void (*detach_)() = nullptr;
};

}  // namespace warpwalk::instrumentation
