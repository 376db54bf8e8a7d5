#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/analysis/ranks/rank_digest.h"

namespace warpwalk::analysis {

/// What is taken off a value before it is written, so that small numbers remain.
enum class DigestLess : std::uint8_t { nothing, previous, call, arrival };
std::string_view name_of(DigestLess less);

/// A column of a table in a digest.
template <class Row>
struct DigestColumn {
  std::string_view name;
  DigestLess less = DigestLess::nothing;
  std::int64_t least = 0, most = 0;  ///< what a file may have
  std::string_view about;
  std::int64_t (*get)(const Row&) = nullptr;
  void (*set)(Row&, std::int64_t) = nullptr;
};

/// The columns of the collectives and of their costs, in the order of the file.
std::span<const DigestColumn<RankCollective>> collective_columns();
std::span<const DigestColumn<StretchCost>> cost_columns();

/// "line", "kernel" ...: the kinds of costs by their numbers.
std::string_view name_of(CostKind kind);
constexpr std::size_t cost_kinds = static_cast<std::size_t>(CostKind::copy) + 1;

}  // namespace warpwalk::analysis
