#pragma once

// This folder reads the dumps of PyTorch's flight recorder: the last collectives and messages that a rank has called.
// core/analysis/ranks/hang compares those of all ranks. The fields are those of
// torch/csrc/distributed/c10d/FlightRecorder.hpp and FlightRecorderDetail.hpp, versions 2.0 to 2.10.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/trace/string_pool.h"

namespace warpwalk::trace::flight {

/// How far the recorder knew a call to be. Without TORCH_NCCL_ENABLE_TIMING no call is known to have started.
enum class State : std::uint8_t { scheduled, started, completed, unknown };

/// One call of a collective, a send or a receive: an entry of the ring buffer. Texts are in Dumps::texts.
struct Call {
  std::int64_t record = -1;      ///< counts the calls of the rank, from 0
  std::int64_t group_id = -1;    ///< counts the groups of the rank; not the same on all ranks
  std::int64_t collective = -1;  ///< counts the collectives of the group on this rank, from 1
  std::int64_t message = -1;     ///< the same for sends and receives; those that are batched share one number
  StringId group = 0, description = 0;
  StringId name = 0;                           ///< "all_reduce", "send 0->1", without the library's name
  StringId input_sizes = 0, output_sizes = 0;  ///< "[[1000], [10, 20]]"
  StringId input_types = 0, output_types = 0;  ///< "Float, Float"
  StringId function = 0, file = 0;             ///< of the innermost frame that is not a library's
  std::int64_t line = 0;                       ///< of that frame; 0: not recorded
  std::int64_t created = 0;                    ///< when it was called, ns since 1970
  std::int64_t timeout_ms = 0;
  State state = State::unknown;
  bool timed = false;    ///< the recorder knew when it started
  bool retired = false;  ///< the watchdog has let go of it: it is complete, or it timed out
  bool is_message = false;
};

/// A process group, as a rank knows it.
struct Group {
  StringId name = 0, description = 0;
  std::vector<std::int64_t> ranks;  ///< in the order of the group
};

/// The last numbers of the collectives of a group on this rank; -1: none.
struct Status {
  std::int64_t group_id = -1;
  std::int64_t enqueued = -1, started = -1, completed = -1;
};

/// The dump of one rank.
struct Dump {
  std::filesystem::path file;
  std::string version;
  std::vector<Group> groups;
  std::vector<Status> statuses;
  std::vector<Call> calls;  ///< in the order of the calls
  std::string problem;      ///< one line on what could not be read; empty: nothing
};

/// The dumps of several ranks, whose texts are stored once.
struct Dumps {
  StringPool texts;
  std::vector<Dump> dumps;

  std::string_view text(StringId id) const { return texts[id]; }
};

}  // namespace warpwalk::trace::flight
