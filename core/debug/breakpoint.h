#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/debug/expression.h"
#include "core/debug/recording.h"

namespace warpwalk::debug {

/// Where to stop. Its places are all issues of all warps of the launch that it means, found when it is first needed.
struct Breakpoint {
  enum class Kind : std::uint8_t { line, function, instruction, data, exception };
  enum class Access : std::uint8_t { change, read, any };

  int id = 0;
  Kind kind = Kind::line;
  bool verified = false;
  std::string message;  ///< why it is not verified, or what it means
  std::string file;     ///< line: as it was asked for
  std::uint32_t file_index = 0, line = 0;
  std::string name;                         ///< function, or the expression of a data breakpoint
  std::vector<std::uint32_t> instructions;  ///< line, function, instruction
  gpu::ValuePlace place;                    ///< data
  Access access = Access::change;
  gpu::FindingKind finding = gpu::FindingKind::out_of_bounds;  ///< exception
  std::optional<Expression> condition;
  std::string condition_text;
  std::string hits_text;  ///< ">= 10", "% 3", "5": the hits since the launch began at which it stops

  std::string log_message;  ///< not empty: to be written instead of stopping, with values for {EXPRESSION}

  /// A place with the lane that stops there.
  struct Hit {
    Position at;
    std::uint8_t lane = 0;
    std::uint32_t note = 0;  ///< exception: index into Recording::findings()
  };
  std::optional<std::vector<Hit>> candidates = {};  ///< ascending; without the condition
  std::optional<std::vector<Hit>> counted = {};     ///< with `hits_text`: those at which it stops
};

/// The condition on the number of hits: whether the nth hit (from 1) stops.
struct HitRule {
  enum class Kind : std::uint8_t { equal, at_least, more, less, multiple };
  Kind kind = Kind::at_least;
  std::uint64_t number = 1;
  bool stops_at(std::uint64_t hit) const;
};
/// "5" and "== 5" (only the 5th), ">= 5", "> 5", "< 5", "% 5" (each 5th); nullopt for anything else.
std::optional<HitRule> parse_hit_rule(std::string_view text);

/// Fills in the candidates. On failure, returns one line.
base::Result<void> find_candidates(Recording& recording, Breakpoint& breakpoint);
/// Whether a warp arrives at these lines with this issue: the issue before it was at another line, or later in the
/// code.
bool arrives(const Recording& recording, const Position& at, const std::vector<bool>& instructions);
/// The next hit after a position (or at it, if `inclusive`), or the last one before it; nullopt if there is none.
/// Evaluates the conditions.
/// `error` gets the line of a condition that fails; its places do not stop then.
std::optional<Breakpoint::Hit> next_hit(Recording& recording, Breakpoint& breakpoint, const Position& from,
                                        bool forward, bool inclusive, std::string& error);

/// The bytes of a place before and after an issue; nullopt if they cannot be read.
struct Change {
  std::vector<std::uint8_t> before, after;
};
std::optional<Change> change_at(Recording& recording, const gpu::ValuePlace& place, const Position& at);

}  // namespace warpwalk::debug
