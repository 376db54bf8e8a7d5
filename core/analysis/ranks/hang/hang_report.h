#pragma once

// This folder compares the dumps of PyTorch's flight recorder of all ranks: which collective is open, who waits in it,
// who has not called it. The rules follow from what PyTorch records (core/trace/flight/dump.h); its own tool,
// torch.distributed.flight_recorder, compares the same fields.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/trace/flight/dump.h"

namespace warpwalk::analysis {

/// A process group: ranks that share a name and a list of members. With split groups, several groups share a name.
struct HangGroup {
  std::string name, description;    ///< "0", "default_pg"
  std::vector<std::int64_t> ranks;  ///< in the order of the group
};

/// One call of one rank, as the dump has it.
struct HangCall {
  std::int64_t rank = -1;
  std::size_t group = 0;  ///< index in HangReport::groups
  std::string name;       ///< "all_reduce", "send to rank 1"
  std::int64_t sequence = -1;
  trace::flight::State state = trace::flight::State::unknown;
  bool timed = false;  ///< its dump knows which calls have started
  std::string function, file;
  std::int64_t line = 0;  ///< 0: not recorded
  std::string input_sizes, output_sizes, input_types, output_types;
  std::int64_t created = 0;  ///< ns since 1970
  std::int64_t timeout_ms = 0;
  bool timed_out = false;
};

enum class MismatchKind : std::uint8_t {
  collective,  ///< the ranks call different collectives
  order,       ///< they call the same ones in another order, or one rank has left one out
  size,        ///< other numbers of elements
  type,        ///< other element types
};
/// "collective", "order", "size" or "type".
std::string_view name_of(MismatchKind kind);

/// Calls of the same number that do not fit together.
struct Mismatch {
  MismatchKind kind = MismatchKind::collective;
  std::int64_t sequence = -1;
  std::vector<HangCall> sides;                   ///< one call for each way in which it is called; the most ranks first
  std::vector<std::vector<std::int64_t>> ranks;  ///< by side
};

/// A collective or message that is not complete on all ranks.
struct Wait {
  std::size_t group = 0;
  std::string collective;              ///< as most of the ranks call it
  std::int64_t sequence = -1;          ///< its number in the group; of a message: the number on the rank that waits
  bool message = false;                ///< a send or a receive
  std::vector<std::int64_t> waiting;   ///< have called it, and it is not complete there
  std::vector<std::int64_t> missing;   ///< have not called it
  std::vector<std::int64_t> complete;  ///< it is complete there
  std::vector<std::int64_t> unknown;   ///< there is no dump
  std::vector<std::int64_t> unsure;    ///< there is a dump, but it does not go back far enough to say
  std::vector<HangCall> calls;         ///< of the ranks that have called it, by rank
  /// Of each missing rank: the call that it waits in, else its last one. Nullopt: its dump has no call.
  std::vector<std::optional<HangCall>> instead;
  std::optional<Mismatch> mismatch;
  std::size_t behind = 0;               ///< later open collectives of the group
  std::vector<std::size_t> because_of;  ///< indices of waits in which missing ranks are
  bool circle = false;                  ///< these lead back to this one

  /// started if it is known to have started on a waiting rank, completed if nobody waits, else scheduled.
  trace::flight::State state() const;
  /// Whether the GPUs of the waiting ranks have stopped: the others have completed a collective in which every rank
  /// needs what all others give. A broadcast, for example, is complete on its root before the others have it.
  bool stopped() const;
  /// When the first waiting rank called it, ns since 1970; 0: unknown.
  std::int64_t since() const;
};

struct HangReport {
  std::vector<HangGroup> groups;
  std::vector<std::int64_t> ranks;    ///< that have a dump, sorted
  std::vector<std::int64_t> no_dump;  ///< members of groups without one, sorted
  std::vector<std::size_t> calls;     ///< in the dump of each rank
  std::vector<std::int64_t> dropped;  ///< calls of each rank that were dropped, or left out, before the dump's first
  std::vector<Wait> waits;            ///< causes first
  /// Ranks that others wait for and that wait for nobody: those that have not called something, and those whose GPU
  /// stopped; sorted.
  std::vector<std::int64_t> suspects;
  std::optional<HangCall> last;       ///< the last call that is complete, if nothing is open
  std::vector<std::string> problems;  ///< one line each: files that were left out or are damaged
};

/// Compares dumps. `ranks`: of each dump, all different.
HangReport hang_report(const trace::flight::Dumps& dumps, const std::vector<std::int64_t>& ranks);

/// Whether one of these paths is a dump, or a folder with one.
bool has_dumps(const std::vector<std::filesystem::path>& paths);

/// Reads the dumps of files and folders. Files that are none, or that do not say their rank, are named in
/// HangReport::problems. Fails if none is left; one line.
base::Result<HangReport> read_hang(const std::vector<std::filesystem::path>& paths);

}  // namespace warpwalk::analysis
