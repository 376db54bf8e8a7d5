#pragma once

// This folder makes a trace of a recording's rows, and reads NVML. inject is the part of the recorder in the recorded
// program.

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/trace/problem.h"
#include "core/trace/trace.h"
#include "instrumentation/graph_losses.h"
#include "instrumentation/loaded_code.h"
#include "instrumentation/nccl_calls.h"
#include "instrumentation/process_rank.h"
#include "instrumentation/rows.h"

namespace warpwalk::instrumentation {

/// How a recording ended and what it lacks.
struct RecordingSummary {
  std::string program;              ///< the command line
  std::uint32_t pid = 0;            ///< of the recorded process
  std::optional<ProcessRank> rank;  ///< if it is one of a distributed run
  std::string boot_id;              ///< see ClockRow
  std::uint32_t cupti_api = 0;      ///< see Begin
  std::uint64_t findings = 0;       ///< errors in kernels that the simulated GPU found
  std::string simulated_on;         ///< name of the simulated GPU; empty: a real one
  std::uint64_t rows = 0;
  std::uint64_t dropped = 0;    ///< records that CUPTI reports as dropped
  std::uint64_t unwritten = 0;  ///< rows that did not fit on the disk
  std::uint64_t unknown = 0;    ///< records of a kind that was not requested
  std::uint64_t untimed = 0;    ///< kernels without times
  GraphLosses graphs;
  std::uint64_t unfinished = 0;     ///< GPU work and ranges still open when the recording ended
  std::uint64_t damaged_bytes = 0;  ///< bytes of the recording that could not be read
  std::uint64_t left_out = 0;       ///< rows beyond the memory cap
  bool closed = false;              ///< the recording was closed properly
  std::uint32_t signal = 0;         ///< the signal that ended the program, if recorded; 0: none
  std::int64_t cut_out_ns = 0;      ///< pauses for recording launches with their memory, which the times leave out
  std::vector<std::string> warnings;
  std::string fatal_error;  ///< why no GPU activity was recorded; empty if it was
};

/// Builds a Trace from rows in any order.
class TraceBuilder {
 public:
  void add(const Row& row);
  /// For a process whose environment does not say its rank.
  void set_rank(ProcessRank rank) { account_.rank = rank; }
  /// Treats the launches that are recorded with their memory as failed, also if their rows say that they succeeded.
  void launches_failed() { launches_failed_ = true; }
  /// Adds the Python frames, ops and memory events of a trace that torch.profiler recorded in the same process.
  void add_profile(const trace::Trace& profile);
  /// Returns the linked trace and fills the account. The caller sets `account.rows`, `damaged_bytes` and `left_out`.
  trace::Trace finish(RecordingSummary& account);
  /// The code that the program loaded and launched. Call it after finish().
  LoadedCode release_code();
  /// Bytes of memory in use.
  std::size_t bytes() const {
    return trace_.bytes() + launched_.size() * sizeof launched_[0] +
           transfer_graphs_.size() * sizeof transfer_graphs_[0];
  }

 private:
  struct RangeField {
    trace::StringId key = 0, text = 0;
    std::uint32_t kind = 0;  ///< PayloadRow::Kind
    std::uint64_t value = 0;
  };
  struct Range {
    std::uint64_t time = 0;
    trace::StringId text = 0;
    std::uint32_t thread = 0, domain = 0;
    std::vector<RangeField> fields = {};
  };
  struct Span {
    std::uint64_t start = 0, end = 0;
  };

  void add_row(const Begin& row);
  void add_row(const Name& row);
  void add_row(const DeviceRow& row);
  void add_row(const ContextRow& row);
  void add_row(const StreamRow& row);
  void add_row(const KernelRow& row);
  void add_row(const CallRow& row);
  void add_row(const MemcpyRow& row);
  void add_row(const MemsetRow& row);
  void add_row(const SyncRow& row);
  void add_row(const OverheadRow& row);
  void add_row(const EventRecordRow& row);
  void add_row(const ExternalRow& row);
  void add_row(const MemoryRow& row);
  void add_row(const PoolRow& row);
  void add_row(const PushRow& row);
  void add_row(const PopRow& row);
  void add_row(const RangeStartRow& row);
  void add_row(const RangeEndRow& row);
  void add_row(const MarkRow& row);
  void add_row(const ThreadRow& row);
  void add_row(const LossRow& row);
  void add_row(const ErrorRow& row);
  void add_row(const End& row);
  void add_row(const CodeBegin&) { code_recorded_ = true; }
  void add_row(const LateBegin&) { late_ = true; }
  void add_row(const CubinRow& row);
  void add_row(const CubinPart& row);
  void add_row(const InsideWork& row);
  void add_row(const InsideWorkEnd& row);
  void add_row(const InsideLaunch& row);
  void add_row(const InsideRange& row);
  void add_row(const InsidePart& row);
  void add_row(const InsideEnd& row);
  void add_row(const RankRow& row);
  void add_row(const ClockRow& row);
  void add_row(const PayloadRow& row);
  void add_row(const SimulatedRow& row);
  void add_row(const FindingRow& row);
  void add_row(const PtxRow& row) { ptx_[row.number]; }
  void add_row(const PtxPart& row) { ptx_[row.number] += row.text; }
  void add_row(const SimulatedKernel& row);
  void add_row(const TouchedRow& row);
  void add_row(const CounterRow& row);

  std::int64_t since_base(std::uint64_t time);
  trace::StringId text(std::string_view text) { return trace_.strings.intern(text); }
  trace::StringId name(std::uint32_t id) const;
  trace::TrackId thread_track(std::uint32_t thread);
  trace::TrackId stream_track(std::uint32_t device, std::int64_t stream);
  /// A track of the process that does not belong to a thread.
  trace::TrackId side_track(std::string_view name);
  void slice(trace::SliceKind kind, trace::StringId name, Span span, trace::TrackId track, std::size_t detail,
             trace::StringId extra);
  void transfer(trace::SliceKind kind, std::string_view name, Span span, const trace::TransferDetail& detail,
                std::uint32_t graph, const std::string& extra);
  void range(const Range& range, std::uint64_t end, trace::TrackId track, bool finished);
  /// The fields of a range's payload as members of a JSON object.
  std::string payload_json(const Range& range) const;
  NcclRange nccl_range(const Range& range, std::size_t slice) const;
  /// Gives the ranges of NCCL what is known of their collectives.
  void complete_nccl();
  void add_distributed_info();
  void instant(std::uint64_t time, std::string_view category, trace::StringId name, trace::TrackId track,
               const std::string& extra);

  /// True if the call was made by the recorder itself, while it recorded a launch with its memory.
  bool is_own(const CallRow& row);
  /// True if the row may come from the recorder itself. It is then kept until finish().
  bool hold_back(const Row& row, std::uint64_t start);
  void add_held_back();
  void close_ranges();
  void apply_external_ids();
  void complete_kernels();
  /// Gives each simulated kernel a record with its counters.
  void complete_simulated();
  /// Links the trace, and sorts what its kernels launched as link() sorts the kernels.
  void link_trace();
  void complete_waits();
  void name_tracks();
  void add_metadata(const RecordingSummary& account);

  trace::Trace trace_;
  RecordingSummary account_;
  std::uint32_t pid_ = 0;
  std::uint64_t base_ = 0;                                             // 0: no time seen yet
  std::uint64_t last_ = 0;                                             // the latest time of a range
  std::vector<trace::StringId> names_;                                 // by number
  std::unordered_map<trace::StringId, trace::StringId> kernel_names_;  // mangled to demangled
  std::unordered_map<std::uint32_t, trace::TrackId> thread_tracks_;
  std::unordered_map<std::uint64_t, trace::TrackId> stream_tracks_;  // by device and stream
  std::map<std::string, trace::TrackId, std::less<>> side_tracks_;
  std::unordered_map<std::uint32_t, ContextRow> contexts_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int32_t> priorities_;  // by context and stream
  std::unordered_map<std::uint32_t, std::string> threads_;
  std::unordered_map<std::uint32_t, std::uint64_t> external_ids_;                 // by correlation
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Range>> stacks_;  // by thread and domain
  std::unordered_map<std::uint64_t, Range> open_;
  std::uint64_t last_op_end_ = 0;
  NcclCalls nccl_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::map<std::uint32_t, std::uint32_t>>
      event_records_;                           // by context and event: correlation to stream
  std::vector<std::uint32_t> sync_events_;      // one per row of trace_.syncs
  std::vector<std::uint32_t> transfer_graphs_;  // one per row of trace_.transfers; 0: no graph
  std::vector<LaunchedFunction> launched_;      // one per row of trace_.kernels
  bool code_recorded_ = false;
  bool late_ = false;                          // see LateBegin
  std::map<std::uint32_t, CubinRow> cubins_;   // by number
  std::map<std::uint32_t, std::string> code_;  // by cubin number

  struct Work {
    std::uint64_t start = 0, end = 0;  // end 0: not yet known
    std::uint32_t thread = 0;
    std::uint32_t launch = 0;  // correlation, if the work comes after the launch
  };
  std::int64_t pause_without(const Work& work) const;
  /// Takes the recorder's pauses out of all times.
  void cut_out(const std::vector<Work>& own_work);
  std::vector<Work> own_work_;
  std::set<std::uint32_t> own_correlations_;
  std::vector<Row> held_back_;
  struct Inside {
    run::LaunchRecording launch;
    bool complete = false;                                          ///< it can be run again
    bool ended = false;                                             ///< it has an InsideEnd
    std::size_t reading = std::numeric_limits<std::size_t>::max();  ///< the work in which its memory is read
  };
  void add_kernel_of(Inside& inside, const std::vector<Work>& own_work);
  std::map<std::uint32_t, Inside> inside_;  // by number
  bool launches_failed_ = false;

  /// Kernels of the simulated GPU, by correlation and graph node.
  struct Simulated {
    SimulatedKernel kernel;
    std::vector<trace::NamedCounter> counters;
  };
  std::map<std::pair<std::uint32_t, std::uint64_t>, Simulated> simulated_;
  std::map<std::uint32_t, std::string> ptx_;  // by number
  std::vector<std::string> finding_lines_;
};

}  // namespace warpwalk::instrumentation
