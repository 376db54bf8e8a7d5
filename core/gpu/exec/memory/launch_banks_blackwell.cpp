#include <algorithm>
#include <array>
#include <cmath>

#include "core/gpu/exec/address_space.h"
#include "core/gpu/exec/memory/launch_banks.h"

namespace warpwalk::gpu {
namespace {

// Places in bank 0, as the code has them that ptxas 13.0 makes of reads of PTX's special registers.
constexpr std::uint32_t bank_3_place = 0x120, workspace_place = 0x254, cluster_place = 0x2a0;
constexpr std::uint32_t dynamic_shared_place = 0x2ac, inverses_place = 0x2b0, clusters_place = 0x2c0;
constexpr std::uint32_t cluster_blocks_place = 0x2cc, sm_count_place = 0x2d0, local_window_place = 0x2f8;
constexpr std::uint32_t parameters_place = 0x348, descriptor_place = 0x358, block_place = 0x360;
constexpr std::uint32_t is_cluster_place = 0x36c, grid_place = 0x370, stack_place = 0x37c;

/// A part of the bank: the words that are filled, and the memory descriptor, which nothing depends on here.
struct Part {
  std::uint32_t begin, end;
};
constexpr std::array<Part, 9> known_parts{{{bank_3_place, bank_3_place + 8},
                                           {workspace_place, workspace_place + 8},
                                           {blackwell_reserved_shared_constant, blackwell_reserved_shared_constant + 4},
                                           {cluster_place, inverses_place + 12},
                                           {clusters_place, sm_count_place + 4},
                                           {local_window_place, local_window_place + 8},
                                           {parameters_place, parameters_place + 8},
                                           {descriptor_place, descriptor_place + 8},
                                           {block_place, stack_place + 4}}};

}  // namespace

bool is_known_blackwell_constant(std::uint32_t offset, std::uint32_t bytes) {
  return std::ranges::any_of(known_parts,
                             [&](const Part& part) { return offset >= part.begin && offset + bytes <= part.end; });
}

void fill_blackwell_launch(const Program& program, const Launch& launch, std::uint32_t sm_count,
                           std::vector<std::uint8_t>& bytes) {
  const auto asked = launch.cluster ? launch.cluster : program.entry->reqnctapercluster;
  const std::array<std::uint32_t, 3> cluster = asked.value_or(std::array<std::uint32_t, 3>{1, 1, 1});
  for (std::size_t i = 0; i < 3; ++i) {
    put_constant(bytes, block_place + 4 * i, launch.block[i]);
    put_constant(bytes, grid_place + 4 * i, launch.grid[i]);
    put_constant(bytes, cluster_place + 4 * i, cluster[i]);
    // Rounded up, so that a block's number times this, rounded down, is the number of its cluster.
    put_constant(bytes, inverses_place + 4 * i, std::nextafter(1.0F / static_cast<float>(cluster[i]), 2.0F));
    put_constant(bytes, clusters_place + 4 * i, launch.grid[i] / cluster[i]);
  }
  put_constant<std::uint32_t>(bytes, is_cluster_place, asked ? 1 : 0);
  put_constant(bytes, cluster_blocks_place, cluster[0] * cluster[1] * cluster[2]);
  put_constant(bytes, stack_place, program.functions.front().local_bytes);  // the stack grows downwards from here
  put_constant(bytes, local_window_place, local_window);
  put_constant(bytes, parameters_place, parameter_base);
  put_constant(bytes, bank_3_place, bank_address(3));
  put_constant(bytes, dynamic_shared_place, launch.dynamic_shared_bytes);
  put_constant(bytes, sm_count_place, sm_count);
  put_constant(bytes, workspace_place, launch.cooperative ? static_cast<std::uint32_t>(grid_workspace >> 32) : 0U);
  put_constant(bytes, workspace_place + 4, launch.cooperative ? static_cast<std::uint32_t>(grid_workspace) : 0U);
  put_constant(bytes, blackwell_reserved_shared_constant, reserved_shared_offset);
}

}  // namespace warpwalk::gpu
