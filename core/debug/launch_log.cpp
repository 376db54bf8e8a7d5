#include "core/debug/launch_log.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace warpwalk::debug {
namespace {

int first_lane(std::uint32_t mask) { return std::countr_zero(mask); }
int last_lane(std::uint32_t mask) { return 31 - std::countl_zero(mask); }

/// The distance of the addresses of neighbouring lanes, if it is the same for all.
std::optional<std::int32_t> stride_of(const gpu::LoggedAccess& access) {
  const int first = first_lane(access.mask);
  const std::uint32_t others = access.mask & (access.mask - 1);
  if (others == 0) return 0;
  const int second = first_lane(others);
  const auto at = [&](int lane) { return static_cast<std::int64_t>(access.at[static_cast<std::size_t>(lane)]); };
  const std::int64_t distance = at(second) - at(first);
  if (distance % (second - first) != 0) return {};
  const std::int64_t stride = distance / (second - first);
  if (stride < INT32_MIN || stride > INT32_MAX) return {};
  for (std::uint32_t left = others; left != 0; left &= left - 1) {
    const int lane = first_lane(left);
    if (at(lane) - at(first) != stride * (lane - first)) return {};
  }
  return static_cast<std::int32_t>(stride);
}

}  // namespace

gpu::WarpPlace SmLog::warp_of(std::size_t issue) const {
  const std::vector<Arrival>& arrivals = arrivals_[issues_[issue].slot];
  return std::prev(std::ranges::upper_bound(arrivals, issue, {}, &Arrival::issue))->warp;
}

std::size_t SmLog::first_at(std::int64_t cycle) const {
  const auto found =
      std::ranges::lower_bound(issues_, cycle, {}, [](const LoggedIssue& i) { return std::int64_t{i.cycle}; });
  return static_cast<std::size_t>(found - issues_.begin());
}

std::optional<std::pair<std::size_t, std::size_t>> SmLog::range_of(std::uint64_t block, std::uint32_t warp) const {
  for (const std::vector<Arrival>& slot : arrivals_)
    for (std::size_t i = 0; i < slot.size(); ++i)
      if (slot[i].warp.block == block && slot[i].warp.warp == warp)
        return std::pair(slot[i].issue, i + 1 < slot.size() ? slot[i + 1].issue : issues_.size());
  return {};
}

std::optional<std::size_t> SmLog::next_of_warp(std::size_t issue, int lane) const {
  const std::uint32_t slot = issues_[issue].slot;
  const std::vector<Arrival>& arrivals = arrivals_[slot];
  const auto after = std::ranges::upper_bound(arrivals, issue, {}, &Arrival::issue);
  const std::size_t end = after == arrivals.end() ? issues_.size() : after->issue;
  for (std::size_t i = issue + 1; i < end; ++i)
    if (issues_[i].slot == slot && (lane < 0 || (issues_[i].lanes >> lane & 1) != 0)) return i;
  return {};
}

std::optional<std::size_t> SmLog::previous_of_warp(std::size_t issue, int lane) const {
  const std::uint32_t slot = issues_[issue].slot;
  const std::vector<Arrival>& arrivals = arrivals_[slot];
  const std::size_t begin = std::prev(std::ranges::upper_bound(arrivals, issue, {}, &Arrival::issue))->issue;
  for (std::size_t i = issue; i-- > begin;)
    if (issues_[i].slot == slot && (lane < 0 || (issues_[i].lanes >> lane & 1) != 0)) return i;
  return {};
}

std::optional<std::size_t> SmLog::first_of_warp(std::uint64_t block, std::uint32_t warp, std::int64_t cycle) const {
  const auto range = range_of(block, warp);
  if (!range) return {};
  const std::uint32_t slot = issues_[range->first].slot;
  for (std::size_t i = std::max(range->first, first_at(cycle)); i < range->second; ++i)
    if (issues_[i].slot == slot) return i;
  return {};
}

std::optional<std::size_t> SmLog::last_of_warp(std::uint64_t block, std::uint32_t warp) const {
  const auto range = range_of(block, warp);
  if (!range) return {};
  const std::uint32_t slot = issues_[range->first].slot;
  for (std::size_t i = range->second; i-- > range->first;)
    if (issues_[i].slot == slot) return i;
  return {};
}

std::span<const AccessRow> SmLog::accesses_of(std::size_t issue) const {
  const auto same = std::ranges::equal_range(accesses_, issue, {}, [](const AccessRow& a) { return a.issue; });
  return {same.begin(), same.end()};
}

std::uint64_t SmLog::address_of(const AccessRow& access, int lane) const {
  if (access.addresses != AccessRow::none) {
    const std::uint32_t below = access.mask & ((std::uint32_t{1} << lane) - 1);
    return addresses_[access.addresses + static_cast<std::size_t>(std::popcount(below))];
  }
  const int from = access.stride >= 0 ? first_lane(access.mask) : last_lane(access.mask);
  return access.low + static_cast<std::uint64_t>(std::int64_t{access.stride} * (lane - from));
}

std::uint32_t SmLog::lanes_touching(const AccessRow& access, std::uint64_t address, std::uint64_t bytes) const {
  if (address >= access.low + access.span || access.low >= address + bytes) return 0;
  if (access.mask == 0) return 1;
  std::uint32_t lanes = 0;
  for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
    const int lane = first_lane(left);
    const std::uint64_t at = address_of(access, lane);
    if (at < address + bytes && address < at + access.bytes) lanes |= std::uint32_t{1} << lane;
  }
  return lanes;
}

void SmLog::copy_written(const AccessRow& access, std::uint64_t address, std::span<std::uint8_t> into) const {
  if (access.values == AccessRow::none) return;
  const auto copy = [&](std::uint64_t at, std::uint64_t bytes, std::size_t values) {
    const std::uint64_t from = std::max(at, address), to = std::min(at + bytes, address + into.size());
    if (from < to) std::memcpy(into.data() + (from - address), values_.data() + values + (from - at), to - from);
  };
  if (access.mask == 0) return copy(access.low, access.span, access.values);
  std::size_t values = access.values;
  for (std::uint32_t left = access.mask; left != 0; left &= left - 1, values += access.bytes)
    copy(address_of(access, first_lane(left)), access.bytes, values);
}

std::size_t SmLog::bytes() const {
  return issues_.capacity() * sizeof issues_[0] + accesses_.capacity() * sizeof accesses_[0] +
         addresses_.capacity() * sizeof addresses_[0] + values_.capacity();
}

void SmLog::keep_values(AccessRow& row, std::uint64_t address, std::uint64_t bytes) {
  if (row.values == AccessRow::none) row.values = static_cast<std::uint32_t>(values_.size());
  const std::size_t at = values_.size();
  values_.resize(at + bytes);
  const gpu::Region* const region = memory_.find(address);
  if (region != nullptr && address - region->base + bytes <= region->bytes)
    std::memcpy(values_.data() + at, region->data + (address - region->base), bytes);
}

void SmLog::issued(const gpu::IssuedInstruction& what, const std::vector<gpu::LoggedAccess>& accesses) {
  const gpu::WarpPlace& warp = what.warp;
  if (warp.slot >= arrivals_.size()) arrivals_.resize(warp.slot + std::size_t{1});
  std::vector<Arrival>& arrivals = arrivals_[warp.slot];
  if (arrivals.empty() || !(arrivals.back().warp == warp)) arrivals.push_back({issues_.size(), warp});
  LoggedIssue& issue = issues_.emplace_back();
  issue.cycle = static_cast<std::uint32_t>(what.cycle);
  issue.instruction = what.instruction & 0xffffff;
  issue.slot = warp.slot & 0xff;
  issue.lanes = what.lanes;
  issue.executing = what.executing;
  for (const gpu::LoggedAccess& access : accesses) {
    if (access.mask == 0) continue;
    AccessRow row;
    row.issue = static_cast<std::uint32_t>(issues_.size() - 1);
    row.mask = access.mask;
    row.bytes = access.bytes;
    row.space = access.space;
    row.writes = access.writes || access.atomic;
    row.atomic = access.atomic;
    row.low = ~std::uint64_t{0};
    std::uint64_t high = 0;
    for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
      const std::uint64_t at = access.at[static_cast<std::size_t>(first_lane(left))];
      row.low = std::min(row.low, at);
      high = std::max(high, at + access.bytes);
    }
    row.span = static_cast<std::uint32_t>(std::min<std::uint64_t>(high - row.low, UINT32_MAX));
    if (const auto stride = stride_of(access)) {
      row.stride = *stride;
    } else {
      row.addresses = static_cast<std::uint32_t>(addresses_.size());
      for (std::uint32_t left = access.mask; left != 0; left &= left - 1)
        addresses_.push_back(access.at[static_cast<std::size_t>(first_lane(left))]);
    }
    if (row.writes && row.space == AccessRow::Space::global)
      for (std::uint32_t left = access.mask; left != 0; left &= left - 1)
        keep_values(row, access.at[static_cast<std::size_t>(first_lane(left))], access.bytes);
    accesses_.push_back(row);
  }
}

void SmLog::copied(const std::vector<gpu::LoggedBulk>& copies) {
  for (const gpu::LoggedBulk& copy : copies)
    for (const gpu::LoggedBulk::Range& range : copy.ranges) {
      if (range.bytes == 0) continue;
      AccessRow row;
      row.issue = static_cast<std::uint32_t>(issues_.size() - 1);
      row.low = range.address;
      row.span = static_cast<std::uint32_t>(std::min<std::uint64_t>(range.bytes, UINT32_MAX));
      row.writes = copy.writes;
      row.atomic = copy.reduces;
      if (row.writes) keep_values(row, row.low, row.span);
      accesses_.push_back(row);
    }
}

}  // namespace warpwalk::debug
