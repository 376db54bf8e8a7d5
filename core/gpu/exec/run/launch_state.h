#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/blocks/block_scheduler.h"
#include "core/gpu/exec/machine/machine.h"
#include "core/gpu/exec/memory/device_heap.h"
#include "core/gpu/exec/memory/launch_banks.h"

namespace warpwalk::gpu {

/// The memory of a launch and what its blocks share while they run. Writes go to the launch's buffers.
class LaunchState {
 public:
  /// Places the buffers, variables, parameters, constant banks and textures in the simulated GPU's memory. The launch
  /// has passed check_launch() and must outlive the state. Returns a one-line message if a texture is invalid.
  static base::Result<std::unique_ptr<LaunchState>> make(const Device& device, const Program& program, Launch& launch,
                                                         const Occupancy& occupancy, bool sanitize);
  ~LaunchState();
  LaunchState(const LaunchState&) = delete;
  LaunchState& operator=(const LaunchState&) = delete;

  LaunchContext context;

 private:
  LaunchState(Launch& launch, bool whole_words);
  void add_variables(const Program& program);
  void add_outer(bool whole_words, bool sanitize);
  void add_buffers(const Program& program, bool sanitize);
  void set_initial(const Program& program, const ptx::Variable& variable, std::vector<std::uint8_t>& bytes) const;
  void add_parameters(const Program& program);
  void add_workspace();
  void add_heap(const Program& program, bool sanitize);
  void add_banks(const Program& program, std::uint32_t sm_count);
  void place_blocks(const Device& device, const Program& program, const Occupancy& occupancy);

  Launch& launch_;
  std::vector<std::size_t> sizes_;  ///< of the buffers, before they were extended to whole words
  Memory memory_;
  std::vector<std::vector<std::uint8_t>> variables_;
  std::vector<std::vector<std::uint8_t>> written_;
  std::vector<std::uint64_t> buffers_;  ///< addresses
  std::vector<std::uint8_t> parameters_;
  std::shared_ptr<DeviceHeap> heap_;
  LaunchBanks banks_;  ///< of machine code
  TextureTable textures_;
  std::vector<SmId> sm_of_block_;
};

}  // namespace warpwalk::gpu
