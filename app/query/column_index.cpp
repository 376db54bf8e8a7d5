#include "app/query/column_index.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <unordered_map>

namespace warpwalk::query {
namespace {

// The order of values of different types in SQLite.
int rank_of(const Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell)) return 0;
  return std::holds_alternative<std::string_view>(cell) ? 2 : 1;
}

bool is_before(const Cell& a, const Cell& b) {
  if (rank_of(a) != rank_of(b)) return rank_of(a) < rank_of(b);
  if (rank_of(a) == 0) return false;
  if (rank_of(a) == 2) return std::get<std::string_view>(a) < std::get<std::string_view>(b);
  const auto* const whole_a = std::get_if<std::int64_t>(&a);
  const auto* const whole_b = std::get_if<std::int64_t>(&b);
  if (whole_a != nullptr && whole_b != nullptr) return *whole_a < *whole_b;
  const auto real = [](const Cell& cell) {
    const auto* const whole = std::get_if<std::int64_t>(&cell);
    return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(cell);
  };
  return real(a) < real(b);
}

}  // namespace

std::int64_t key_of(std::string_view text) { return static_cast<std::int64_t>(std::hash<std::string_view>()(text)); }

std::int64_t key_of(double number) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  if (number <= static_cast<double>(least)) return least;
  if (number >= static_cast<double>(most)) return most;
  return static_cast<std::int64_t>(number);
}

std::optional<std::int64_t> key_of(const Cell& cell, ColumnType type) {
  if (const auto* const number = std::get_if<std::int64_t>(&cell)) return *number;
  if (const auto* const number = std::get_if<double>(&cell)) return key_of(*number);
  if (std::holds_alternative<std::monostate>(cell)) return {};
  if (type != ColumnType::text) return std::numeric_limits<std::int64_t>::max();
  if (const auto* const text = std::get_if<std::string_view>(&cell)) return key_of(*text);
  return key_of(std::string_view(std::get<std::string>(cell)));
}

ColumnIndex::ColumnIndex(const Column& column, Source& source, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row)
    if (const auto key = key_of(column.value(source, row), column.type))
      entries_.emplace_back(*key, static_cast<std::uint32_t>(row));
  if (!std::ranges::is_sorted(entries_)) std::ranges::sort(entries_);
}

std::pair<const ColumnIndex::Entry*, const ColumnIndex::Entry*> ColumnIndex::find(KeyRange range) const {
  const auto from = std::ranges::lower_bound(entries_, range.from, {}, &Entry::first);
  const auto to = std::ranges::upper_bound(entries_, range.to, {}, &Entry::first);
  const Entry* const data = entries_.data();
  return {data + (from - entries_.begin()), data + std::max(from - entries_.begin(), to - entries_.begin())};
}

std::vector<std::uint32_t> rows_by_value(const Column& column, Source& source, std::size_t rows) {
  // Each row's group, numbered as they appear.
  std::vector<Cell> values;
  std::vector<std::uint32_t> group_of(rows), sizes;
  std::unordered_map<std::string_view, std::uint32_t> texts;
  std::unordered_map<std::int64_t, std::uint32_t> numbers;
  std::map<double, std::uint32_t> reals;
  std::deque<std::string> kept;  // texts that were made for a cell
  std::uint32_t null_group = 0;
  bool any_null = false;
  const auto new_group = [&](Cell value) {
    values.push_back(std::move(value));
    sizes.push_back(0);
    return static_cast<std::uint32_t>(values.size() - 1);
  };
  const auto group_in = [&](auto& groups, auto key) {
    if (const auto found = groups.find(key); found != groups.end()) return found->second;
    const std::uint32_t fresh = new_group(key);
    groups.emplace(key, fresh);
    return fresh;
  };
  for (std::size_t row = 0; row < rows; ++row) {
    const Cell cell = column.value(source, row);
    std::uint32_t& group = group_of[row];
    if (const auto* const view = std::get_if<std::string_view>(&cell)) {
      group = group_in(texts, *view);
    } else if (const auto* const text = std::get_if<std::string>(&cell)) {
      const auto found = texts.find(*text);
      group = found != texts.end() ? found->second : group_in(texts, std::string_view(kept.emplace_back(*text)));
    } else if (const auto* const number = std::get_if<std::int64_t>(&cell)) {
      group = group_in(numbers, *number);
    } else if (const auto* const real = std::get_if<double>(&cell)) {
      group = group_in(reals, *real);
    } else {
      if (!any_null) null_group = new_group({});
      any_null = true;
      group = null_group;
    }
    ++sizes[group];
  }
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return is_before(values[a], values[b]); });
  std::vector<std::uint32_t> place(values.size());
  std::uint32_t at = 0;
  for (const std::uint32_t group : order) {
    place[group] = at;
    at += sizes[group];
  }
  std::vector<std::uint32_t> sorted(rows);
  for (std::size_t row = 0; row < rows; ++row) sorted[place[group_of[row]]++] = static_cast<std::uint32_t>(row);
  return sorted;
}

}  // namespace warpwalk::query
