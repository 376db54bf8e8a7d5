#include "core/gpu/history/origin/operation_log.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/gpu/exec/address_space.h"
#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/run/matrix_place.h"

namespace warpwalk::gpu {

using Flow = OperationFlow::Kind;

namespace {

/// The first block of the group that a block belongs to.
std::uint64_t first_of_group(const BlockState& block) {
  return block.cluster != nullptr ? block.cluster->blocks.front()->index : block.index;
}

}  // namespace

// WriteCounts

void WriteCounts::note(std::uint64_t group, std::uint64_t address, std::uint64_t bytes) {
  for (auto at = last_.lower_bound(address); at != last_.end() && at->first < address + bytes; ++at) {
    std::vector<Writer>& writers = at->second;
    const auto known = std::ranges::find(writers, group, &Writer::group);
    if (known == writers.end())
      writers.push_back({group, 0});
    else
      std::rotate(known, known + 1, writers.end());
    ++writers.back().writes;
  }
}

const WriteCounts::Writer* WriteCounts::last(std::uint64_t byte) const {
  const auto found = last_.find(byte);
  return found == last_.end() || found->second.empty() ? nullptr : &found->second.back();
}

// GroupObserver

bool GroupObserver::enters(const Machine& machine) {
  inside_ = false;
  memory_ = machine.context.memory;
  group_ = first_of_group(*machine.block);
  if (options_.cancel != nullptr && options_.cancel->load(std::memory_order_relaxed)) stop_ = true;
  if (group_ != options_.group) {
    // Without an order, a block runs to its end before the next one begins.
    const bool in_order = program_.needs_block_order || program_.uses_clusters || machine.context.explicit_cluster;
    if (seen_ && options_.stops_behind_group && !in_order) stop_ = true;
    return false;
  }
  seen_ = true;
  const OriginWarp entered{machine.block->index, machine.warp->id};
  const auto known = std::ranges::find(warps_, entered);
  warp_ = static_cast<std::uint32_t>(known - warps_.begin());
  if (known == warps_.end()) {
    warps_.push_back(entered);
    states_.emplace_back();
    states_.back().issued.resize(program_.sources.size());
  }
  return true;
}

void GroupObserver::before(const Machine& machine, const Op& op) {
  WarpState& state = states_[warp_];
  const auto index = static_cast<std::uint32_t>(&op - program_.ops.data());
  // An instruction's operations follow one another; a marker of a basic block lies between two runs of the same one.
  if (op.instruction != state.instruction || (state.last != no_index && index <= state.last)) {
    state.instruction = op.instruction;
    if (op.instruction != no_index) issues({warps_[warp_], op.instruction, state.issued[op.instruction]++});
  }
  state.last = index;
  const OperationFlow& flow = flows_[index];
  if (flow.kind == Flow::none) return;
  std::uint32_t lanes = machine.executing_lanes(op);
  if (flow.all_lanes && op.guard < 0) lanes = all_lanes;
  if (flow.all_lanes && op.guard >= 0) {
    const std::uint32_t p = machine.predicate(op.guard);
    lanes = op.guard_negated ? ~p : p;
  }
  if (lanes == 0) return;
  const auto frame = static_cast<std::uint32_t>(machine.register_files[0] - machine.warp->registers.data());
  inside_ = true;
  happened_ = flow.kind != Flow::exchange;
  const std::uint32_t issued = flow.instruction < state.issued.size() ? state.issued[flow.instruction] : 0;
  begin(machine, op, {index, warp_, lanes, frame, issued - std::min(issued, 1U), OperationLog::nothing});
}

void GroupObserver::after(const Machine& machine, const Op& op) {
  if (!std::exchange(inside_, false)) return;
  end(machine, op, happened_);
  if (happened_) ++number_;
}

void GroupObserver::exchanged(std::uint32_t together, const std::array<std::uint32_t, 32>& sources) {
  if (!inside_) return;
  happened_ = true;
  exchange(together, sources);
}

void GroupObserver::copied(const CopiedPiece& piece) {
  if (inside_) copy(piece);
}

void GroupObserver::before_access(std::size_t region, std::uint64_t offset, std::uint64_t bytes, Kind kind) {
  if (kind == Kind::read) return;
  const std::uint64_t address = memory_->regions()[region].base + offset;
  writes_.note(group_, address, bytes);
  if (group_ == options_.group) write(address, bytes);
}

// OperationLogger

OperationLog OperationLogger::take() {
  log_.warps = warps_;
  return std::move(log_);
}

/// The addresses of all 32 lanes.
void OperationLogger::add_addresses(const Machine& machine, const Op& op) {
  const Access& access = program_.accesses[op.table_index];
  std::array<std::uint64_t, 32> at{};
  if (access.space == ptx::Space::param && !access.has_base) {
    at.fill(parameter_base + op.immediate);
  } else {
    machine.addresses(op, access, at.data());
    for (std::uint64_t& address : at) {
      if (access.space == ptx::Space::shared) {
        address = (address - shared_window < shared_window_bytes ? address - shared_window : address) | shared_tag;
      } else if (access.space == ptx::Space::local) {
        address |= local_tag;
      } else if (address - shared_window < shared_window_bytes) {
        address = (address - shared_window) | shared_tag;
      } else if (address - local_window < window_bytes) {
        address = (address - local_window) | local_tag;
      }
    }
  }
  log_.values.insert(log_.values.end(), at.begin(), at.end());
}

/// Where the matrix begins, and the distances of its rows and columns in elements.
void OperationLogger::add_fragment(const Machine& machine, const Op& op) {
  add_addresses(machine, op);
  const std::uint64_t begin = log_.values[log_.values.size() - 32];
  log_.values.resize(log_.values.size() - 32);
  const std::uint64_t stride = machine.at<const std::uint32_t>(op.b)[0];
  const bool by_rows = program_.matrices[op.target].by_rows;
  log_.values.insert(log_.values.end(), {begin, by_rows ? stride : 1, by_rows ? 1 : stride});
}

/// The descriptors of A and B, and whether C is added.
void OperationLogger::add_group_product(const Machine& machine, const Op& op) {
  const GroupProduct& product = program_.group_products[op.table_index];
  const auto descriptor = [&](std::size_t first) {
    return *machine.at<const std::uint32_t>(product.descriptors[first]) |
           std::uint64_t{*machine.at<const std::uint32_t>(product.descriptors[first + 1])} << 32;
  };
  const bool adds = op.p_in < 0 || ((machine.predicate(op.p_in) & 1) != 0) != op.p_in_negated;
  log_.values.insert(log_.values.end(), {product.a.empty() ? descriptor(0) : 0, descriptor(2), adds ? 1U : 0U,
                                         machine.block->shared_base, machine.warp->id % 4});
}

void OperationLogger::issues(const LaunchMoment& moment) {
  if (moment_ && !moment_end_ && !log_.full && moment == *moment_) moment_end_ = log_.entries.size();
}

void OperationLogger::begin(const Machine& machine, const Op& op, const OperationLog::Entry& entry) {
  if (log_.full || log_.bytes() > limit_) {
    log_.full = true;
    return;
  }
  log_.entries.push_back(entry);
  log_.entries.back().values = static_cast<std::uint32_t>(log_.values.size());
  switch (flows_[entry.op].kind) {
    case Flow::load:
    case Flow::store:
    case Flow::store_async:
    case Flow::atomic:
    case Flow::load_matrix:
    case Flow::store_matrix: add_addresses(machine, op); break;
    case Flow::copy_async: {
      // Targets, sources, and the bytes that are read; the rest is zero.
      add_addresses(machine, op);
      const Access& access = program_.accesses[op.table_index];
      const std::uint64_t offset = *machine.at<const std::uint64_t>(op.c);
      std::uint32_t ignored = 0;
      if (op.p_in >= 0) ignored = op.p_in_negated ? ~machine.predicate(op.p_in) : machine.predicate(op.p_in);
      for (int lane = 0; lane < lanes_per_warp; ++lane)
        log_.values.push_back(machine.at<const std::uint64_t>(op.b)[lane] + offset);
      for (int lane = 0; lane < lanes_per_warp; ++lane) {
        std::uint64_t size = access.bytes;
        if (op.bytes != 0) size = std::min<std::uint64_t>(size, machine.at<const std::uint32_t>(op.d)[lane]);
        log_.values.push_back((ignored >> lane & 1) != 0 ? 0 : size);
      }
      break;
    }
    case Flow::load_fragment:
    case Flow::store_fragment: add_fragment(machine, op); break;
    case Flow::group_mma: add_group_product(machine, op); break;
    case Flow::call:
    case Flow::call_return: local_before_ = machine.split->local; break;
    case Flow::select:
      log_.values.push_back(op.p_in_negated ? ~machine.predicate(op.p_in) : machine.predicate(op.p_in));
      break;
    case Flow::exchange: log_.entries.back().lanes = 0; break;  // until it takes place
    default: break;
  }
}

void OperationLogger::exchange(std::uint32_t together, const std::array<std::uint32_t, 32>& sources) {
  if (log_.full) return;
  // Lanes may form several groups, each of which exchanges on its own.
  OperationLog::Entry& entry = log_.entries.back();
  if (entry.lanes == 0) log_.values.resize(log_.values.size() + 32);
  entry.lanes |= together;
  for_lanes(together, [&](int lane) {
    log_.values[entry.values + static_cast<std::size_t>(lane)] = sources[static_cast<std::size_t>(lane)];
  });
}

void OperationLogger::copy(const CopiedPiece& piece) {
  if (log_.full) return;
  log_.values.insert(log_.values.end(),
                     {piece.from | (piece.from_global ? 0 : shared_tag), piece.to | (piece.to_global ? 0 : shared_tag),
                      piece.bytes | (piece.combines ? piece_combines : 0), piece.filled});
}

void OperationLogger::end(const Machine& machine, const Op& op, bool happened) {
  if (log_.full) return;
  const OperationLog::Entry& entry = log_.entries.back();
  const Flow kind = flows_[entry.op].kind;
  if (!happened) {
    log_.entries.pop_back();
  } else if (kind == Flow::call || kind == Flow::call_return) {
    // The stacks of caller and callee, the callee, and the call that is returned from.
    const bool calls = kind == Flow::call;
    const std::uint64_t caller = calls ? local_before_ : machine.split->local;
    const std::uint64_t callee = calls ? machine.split->local : local_before_;
    const std::uint64_t function = calls ? program_.ops[machine.pc].function : op.immediate;
    const std::uint64_t call = calls ? op.table_index : program_.ops[machine.pc - 1].table_index;
    log_.values.insert(log_.values.end(), {caller, callee, function, call});
  } else if (kind == Flow::bulk_copy) {
    log_.values.push_back((log_.values.size() - entry.values) / values_per_piece);  // the number of pieces, last
  }
}

void OperationLogger::write(std::uint64_t address, std::uint64_t bytes) {
  if (log_.full) return;  // it has no entry for this write, and the last one may have written the byte before
  for (auto at = marks_.lower_bound(address); at != marks_.end() && at->first < address + bytes; ++at) {
    const std::uint64_t writes = ++written_[at->first];
    for (Mark& mark : at->second)
      if (mark.nth == writes) mark.end = log_.entries.size();
  }
}

std::size_t OperationLogger::end_of(std::uint64_t byte, std::uint64_t nth) const {
  const auto found = marks_.find(byte);
  if (found != marks_.end())
    for (const Mark& mark : found->second)
      if (mark.nth == nth) return mark.end;
  return 0;
}

}  // namespace warpwalk::gpu
