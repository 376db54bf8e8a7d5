#include "core/gpu/exec/launch_check.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "core/gpu/blocks/cluster_placement.h"
#include "core/gpu/blocks/launch_shape.h"
#include "core/gpu/exec/address_space.h"
#include "core/gpu/exec/launch_addresses.h"

namespace warpwalk::gpu {

namespace {

std::string sizes_of(const ptx::Function& entry) {
  std::string list;
  for (const ptx::Parameter& parameter : entry.parameters) {
    if (!list.empty()) list += ", ";
    list += fmt::format("{} ({} bytes)", parameter.name, parameter.bytes);
  }
  return list.empty() ? "none" : list;
}

std::optional<std::string> argument_error(const ptx::Function& entry, const Launch& launch) {
  if (launch.arguments.size() != entry.parameters.size()) {
    return fmt::format("`{}` takes {} arguments, but the launch has {}; expected: {}", entry.name,
                       entry.parameters.size(), launch.arguments.size(), sizes_of(entry));
  }
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    const Argument& argument = launch.arguments[i];
    const bool is_address = argument.buffer >= 0 || argument.texture >= 0;
    const std::size_t bytes = is_address ? 8 : argument.bytes.size();
    if (bytes != entry.parameters[i].bytes) {
      return fmt::format("argument {} has {} bytes; parameter {} of `{}` has {}", i, bytes, entry.parameters[i].name,
                         entry.name, entry.parameters[i].bytes);
    }
  }
  return {};
}

std::optional<std::string> buffer_error(const Launch& launch) {
  std::vector<const Buffer*> placed;
  for (const Buffer& buffer : launch.buffers)
    if (buffer.address != 0 && !buffer.bytes.empty()) placed.push_back(&buffer);
  std::sort(placed.begin(), placed.end(), [](const Buffer* a, const Buffer* b) { return a->address < b->address; });
  std::uint64_t end = 0;
  for (const Buffer* const buffer : placed) {
    if (!holds_buffers(buffer->address, buffer->bytes.size()))
      return fmt::format("buffer `{}` is at {:#x}, an address that the simulated GPU uses itself", buffer->name,
                         buffer->address);
    if (buffer->address < end)
      return fmt::format("buffer `{}` is at {:#x}, where the buffer before it has not ended; buffers must not overlap",
                         buffer->name, buffer->address);
    end = buffer->address + buffer->bytes.size();
  }
  return {};
}

std::optional<std::string> shape_error(const Device& device, const Program& program, const Launch& launch) {
  for (std::size_t i = 0; i < 3; ++i) {
    const char axis = "xyz"[i];
    if (launch.grid[i] == 0 || launch.grid[i] > max_grid[i]) {
      return fmt::format("grid.{} is {}; it must be from 1 to {}", axis, launch.grid[i], max_grid[i]);
    }
    if (launch.block[i] == 0 || launch.block[i] > max_block[i]) {
      return fmt::format("block.{} is {}; it must be from 1 to {}", axis, launch.block[i], max_block[i]);
    }
  }
  const std::uint64_t threads = std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
  if (threads > static_cast<std::uint64_t>(*device.threads_per_block)) {
    return fmt::format("the block has {} threads; {} supports at most {}", threads, device.name,
                       *device.threads_per_block);
  }
  const ptx::Function& entry = *program.entry;
  if (entry.reqntid && *entry.reqntid != launch.block) {
    return fmt::format("`{}` must be launched with blocks of ({},{},{}) (.reqntid)", entry.name, (*entry.reqntid)[0],
                       (*entry.reqntid)[1], (*entry.reqntid)[2]);
  }
  if (entry.maxntid) {
    const auto& maximum = *entry.maxntid;
    if (threads > std::uint64_t{maximum[0]} * maximum[1] * maximum[2]) {
      return fmt::format("the block has {} threads; `{}` was compiled for at most {} (.maxntid)", threads, entry.name,
                         std::uint64_t{maximum[0]} * maximum[1] * maximum[2]);
    }
  }
  return {};
}

constexpr std::uint32_t portable_cluster = 8, largest_cluster = 16;  // CUDA programming guide, "Thread Block Clusters"

/// 9 of "9.0".
int major_of(const std::string& compute_capability) {
  int major = 0;
  std::from_chars(compute_capability.data(), compute_capability.data() + compute_capability.size(), major);
  return major;
}

std::optional<std::string> cluster_error(const Device& device, const Program& program, const Launch& launch) {
  const ptx::Function& entry = *program.entry;
  const auto cluster = cluster_of(program, launch);
  if ((cluster || entry.explicit_cluster || program.uses_clusters) && major_of(*device.compute_capability) < 9)
    return fmt::format("`{}` uses thread block clusters, which need compute capability 9.0; {} has {}", entry.name,
                       device.name, *device.compute_capability);
  if (!cluster) {
    if (!entry.explicit_cluster) return {};
    return fmt::format("`{}` must be launched with a cluster size (.explicitcluster)", entry.name);
  }
  const auto& size = *cluster;
  if (entry.reqnctapercluster && size != *entry.reqnctapercluster) {
    const auto& required = *entry.reqnctapercluster;
    return fmt::format("`{}` must be launched with clusters of ({},{},{}) blocks (.reqnctapercluster)", entry.name,
                       required[0], required[1], required[2]);
  }
  std::uint64_t blocks = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    if (size[i] == 0 || launch.grid[i] % size[i] != 0)
      return fmt::format("cluster.{0} is {1}, but grid.{0} is {2}; the grid must be a multiple of the cluster size",
                         "xyz"[i], size[i], launch.grid[i]);
    blocks *= size[i];
  }
  if (blocks > largest_cluster || (blocks > portable_cluster && !launch.nonportable_cluster))
    return fmt::format("the cluster has {} blocks; the limit is {}{}", blocks, portable_cluster,
                       blocks > largest_cluster
                           ? fmt::format(", or {} with a non-portable cluster size", largest_cluster)
                           : " unless the launch allows a non-portable cluster size");
  if (entry.maxclusterrank && blocks > *entry.maxclusterrank)
    return fmt::format("the cluster has {} blocks; `{}` was compiled for at most {} (.maxclusterrank)", blocks,
                       entry.name, *entry.maxclusterrank);
  return {};
}

/// All blocks of a cooperative grid, and all blocks of a cluster, must be resident at once.
std::optional<std::string> residency_error(const Device& device, const Program& program, const Launch& launch,
                                           std::int64_t blocks_per_sm) {
  const auto cluster = cluster_of(program, launch);
  const std::int64_t size = cluster ? std::int64_t{(*cluster)[0]} * (*cluster)[1] * (*cluster)[2] : 1;
  const std::int64_t clusters =
      cluster ? max_active_clusters(device, size, blocks_per_sm) : blocks_per_sm * *device.sm_count;
  if (clusters == 0)
    return fmt::format("a cluster of {} blocks does not fit on {}: at most {} such blocks run on an SM at once", size,
                       device.name, blocks_per_sm);
  const std::uint64_t blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  const auto resident = static_cast<std::uint64_t>(clusters * size);
  if (!launch.cooperative || blocks <= resident) return {};
  return fmt::format("too many blocks in cooperative launch: the grid has {}, but at most {} are resident at once ({})",
                     blocks, resident,
                     cluster ? fmt::format("{} clusters of {}", clusters, size)
                             : fmt::format("{} per SM x {} SMs", blocks_per_sm, *device.sm_count));
}

}  // namespace

std::optional<std::array<std::uint32_t, 3>> cluster_of(const Program& program, const Launch& launch) {
  return launch.cluster ? launch.cluster : program.entry->reqnctapercluster;
}

base::Result<Occupancy> check_launch(const Device& device, const Program& program, const Launch& launch,
                                     int registers) {
  if (auto wrong = shape_error(device, program, launch)) return base::Error{*std::move(wrong)};
  if (auto wrong = cluster_error(device, program, launch)) return base::Error{*std::move(wrong)};
  if (auto wrong = argument_error(*program.entry, launch)) return base::Error{*std::move(wrong)};
  if (auto wrong = buffer_error(launch)) return base::Error{*std::move(wrong)};
  if (auto wrong = address_error(program, launch)) return base::Error{*std::move(wrong)};
  BlockNeeds needs;
  needs.threads = std::int64_t{launch.block[0]} * launch.block[1] * launch.block[2];
  needs.registers = registers;
  needs.static_shared = program.static_shared;
  needs.dynamic_shared = launch.dynamic_shared_bytes;
  needs.barriers = std::max(1, program.barriers);
  // Shared memory beyond the default limit (48 KB) counts as an opt-in.
  needs.shared_optin = needs.static_shared + needs.dynamic_shared > *device.shared_per_block;
  Occupancy occupancy = occupancy_of(device, needs);
  if (!occupancy.failure.empty()) return base::Error{occupancy.failure};
  if (auto wrong = residency_error(device, program, launch, occupancy.blocks_per_sm))
    return base::Error{*std::move(wrong)};
  return occupancy;
}

}  // namespace warpwalk::gpu
