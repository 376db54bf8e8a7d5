#include "core/debug/launch_log.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace warpwalk::debug {
namespace {

/// Offsets in a pattern are smaller.
constexpr std::uint64_t farthest = std::uint64_t{0xffff0000};

int first_lane(std::uint32_t mask) { return std::countr_zero(mask); }

/// Fills in the pattern of some lanes of an access, without those that are too far from the lowest. Returns the lowest
/// address.
std::uint64_t fill_pattern(const gpu::LoggedAccess& access, std::uint32_t lanes, AccessPattern& pattern) {
  if (lanes == ~std::uint32_t{0}) {
    // Loops over all lanes, which compilers vectorise.
    std::uint64_t low = access.at[0], high = access.at[0];
    for (const std::uint64_t at : access.at) low = std::min(low, at), high = std::max(high, at);
    if (high - low < farthest) {
      for (std::size_t lane = 0; lane < access.at.size(); ++lane)
        pattern.offsets[lane] = static_cast<std::uint32_t>(access.at[lane] - low);
      pattern.mask = lanes;
      pattern.span = static_cast<std::uint32_t>(high - low) + access.bytes;
      return low;
    }
  }
  std::uint64_t low = ~std::uint64_t{0};
  for (std::uint32_t left = lanes; left != 0; left &= left - 1)
    low = std::min(low, access.at[static_cast<std::size_t>(first_lane(left))]);
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(first_lane(left));
    const std::uint64_t offset = access.at[lane] - low;
    if (offset >= farthest) continue;
    pattern.mask |= std::uint32_t{1} << lane;
    pattern.offsets[lane] = static_cast<std::uint32_t>(offset);
    pattern.span = std::max(pattern.span, static_cast<std::uint32_t>(offset) + access.bytes);
  }
  return low;
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
  return access.low + pattern_of(access).offsets[static_cast<std::size_t>(lane)];
}

std::uint32_t SmLog::number_of(const AccessPattern& pattern, std::uint32_t instruction) {
  if (instruction >= last_patterns_.size()) last_patterns_.resize(instruction + std::size_t{1});
  std::uint32_t& last = last_patterns_[instruction];
  if (last < patterns_.size() && patterns_[last] == pattern) return last;
  std::uint64_t hash = (std::uint64_t{pattern.mask} << 32 | pattern.span) * 0x9e3779b97f4a7c15;
  for (const std::uint32_t offset : pattern.offsets) hash = (hash ^ offset) * 0x100000001b3;
  const auto [begin, end] = pattern_numbers_.equal_range(hash);
  for (auto known = begin; known != end; ++known)
    if (patterns_[known->second] == pattern) return last = known->second;
  const auto number = static_cast<std::uint32_t>(patterns_.size());
  patterns_.push_back(pattern);
  pattern_numbers_.emplace(hash, number);
  return last = number;
}

std::uint32_t SmLog::lanes_touching(const AccessRow& access, std::uint64_t address, std::uint64_t bytes) const {
  if (!near(access, address, bytes)) return 0;
  const std::uint32_t mask = pattern_of(access).mask;
  if (mask == 0) return 1;
  std::uint32_t lanes = 0;
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
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
  const AccessPattern& pattern = pattern_of(access);
  if (pattern.mask == 0) return copy(access.low, pattern.span, access.values);
  std::size_t values = access.values;
  for (std::uint32_t left = pattern.mask; left != 0; left &= left - 1, values += access.bytes)
    copy(address_of(access, first_lane(left)), access.bytes, values);
}

std::size_t SmLog::bytes() const {
  return issues_.capacity() * sizeof issues_[0] + accesses_.capacity() * sizeof accesses_[0] +
         patterns_.capacity() * sizeof patterns_[0] + values_.capacity();
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
    // Lanes that are 4 GB apart are two rows.
    for (std::uint32_t left = access.mask; left != 0;) {
      AccessRow row;
      row.issue = static_cast<std::uint32_t>(issues_.size() - 1);
      row.bytes = access.bytes;
      row.space = access.space;
      row.writes = access.writes || access.atomic;
      row.atomic = access.atomic;
      AccessPattern pattern;
      row.low = fill_pattern(access, left, pattern);
      left &= ~pattern.mask;
      row.pattern = number_of(pattern, issue.instruction);
      if (row.writes && row.space == AccessRow::Space::global)
        for (std::uint32_t of = pattern.mask; of != 0; of &= of - 1)
          keep_values(row, access.at[static_cast<std::size_t>(first_lane(of))], access.bytes);
      accesses_.push_back(row);
    }
  }
}

void SmLog::copied(const std::vector<gpu::LoggedBulk>& copies) {
  for (const gpu::LoggedBulk& copy : copies)
    for (const gpu::LoggedBulk::Range& range : copy.ranges) {
      if (range.bytes == 0) continue;
      AccessRow row;
      row.issue = static_cast<std::uint32_t>(issues_.size() - 1);
      row.low = range.address;
      AccessPattern pattern;
      pattern.span = static_cast<std::uint32_t>(std::min(range.bytes, farthest));
      row.pattern = number_of(pattern, issues_.back().instruction);
      row.writes = copy.writes;
      row.atomic = copy.reduces;
      if (row.writes) keep_values(row, row.low, pattern.span);
      accesses_.push_back(row);
    }
}

}  // namespace warpwalk::debug
