#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/trace/chrome/detail_fields.h"
#include "core/trace/chrome/event.h"
#include "core/trace/problem.h"
#include "core/trace/trace.h"

namespace warpwalk::trace {

/// Turns events into the rows of a Trace, in file order. finish() then names the tracks and pairs the flows; link()
/// (link.h) does the rest.
class Builder {
 public:
  Builder(Trace& trace, Problems& problems) : trace_(trace), problems_(problems) {
    flow_ends_.use(trace.flows.memory());
    edges_.use(trace.flows.memory());
  }

  /// `byte_offset`: the event's position in the text, for problem reports.
  void add(const RawEvent& event, std::uint64_t byte_offset);
  void finish();
  /// Bytes held in addition to the trace.
  std::size_t bytes() const { return flow_ends_.bytes() + edges_.bytes(); }

 private:
  struct FlowEnd {
    std::int64_t id;
    std::int64_t time;
    std::uint64_t byte_offset;
    StringId text_id;  // set if the id is not a number
    StringId name;
    StringId category;
    StringId pid;        // set if it is a text, which can name a rank
    std::uint32_t rank;  // of the pid; flows of different ranks can have equal ids
    TrackId track;
    bool start;
    bool launch;  // see is_launch_flow()
    bool links;   // see links_launch()
  };
  // The begin or end of a slice that the file has as two events.
  struct SliceEdge {
    std::int64_t time;
    std::uint64_t byte_offset;
    std::int64_t id;  // this and the next three: of asynchronous slices
    StringId text_id;
    StringId category;
    StringId process;
    TrackId thread;
    StringId name;
    StringId extra;  // of an end
    SliceId slice;   // no_slice: an end
    bool asynchronous;
  };
  // How the rows without a category of one track are read; see builder_devices.cpp.
  enum class Reading : std::uint8_t { as_other, work, gpu_annotation, op, call, host, unread };
  struct RowReading {
    Reading how = Reading::as_other;
    TrackId to = 0;  // where the rows go
    std::int64_t device = absent;
    std::int64_t stream = absent;
    StringId process = 0;
    bool copies = false;  // the stream has only copies
  };
  // GPU work without a correlation, to be found by the flow that ends at its start.
  struct UnlinkedWork {
    TrackId track;  // of the flow's end
    std::int64_t start;
    SliceId slice;
    bool operator<(const UnlinkedWork& o) const { return track != o.track ? track < o.track : start < o.start; }
  };
  // pid and tid as in the file. finish() maps them to a model track, since the track metadata may come last in the
  // file.
  struct FileTrack {
    StringId pid = 0;
    StringId tid = 0;
    bool pid_is_text = false;
    bool tid_is_text = false;
    bool gpu = false;
    bool operator==(const FileTrack&) const = default;
  };
  struct FileTrackHash {
    std::size_t operator()(const FileTrack& t) const {
      const std::size_t flags = t.pid_is_text * 1u + t.tid_is_text * 2u + t.gpu * 4u;
      return (std::size_t{t.pid} * 0x9e3779b97f4a7c15u + t.tid) * 0x9e3779b97f4a7c15u + flags;
    }
  };
  struct Named {  // a process's or thread's metadata from M events
    StringId name = 0;
    StringId labels = 0;
    std::int64_t sort_index = absent;
  };

  void slice(const RawEvent& event);
  void instant(const RawEvent& event);
  void counter(const RawEvent& event);
  void flow(const RawEvent& event);
  void describe(const RawEvent& event);
  void describe_track(const RawEvent& event, const FileTrack& as);
  void report_no_phase(std::uint64_t at);
  void note_irregular(const RawEvent& event);
  void note_decoded(std::uint32_t irregular, std::string_view where);

  template <class Row>
  void fill(const RawEvent& event, Row& row);
  template <class Row>
  std::uint32_t add_row(const RawEvent& event, Column<Row>& table);
  template <class Row>
  bool take(const RawArg& arg, const Field<Row>& field, Row& row);

  StringId text(const RawValue& value);
  StringId frame_name(const RawValue& name);
  StringId json(const RawValue& value);
  bool read_integer(const RawArg& arg, std::int64_t& out);
  bool read_real(const RawArg& arg, double& out);
  bool shape(const RawArg& arg, std::array<std::int32_t, 3>& out);
  void append_extra(const RawArg& arg);
  StringId keep_all(const RawEvent& event);
  StringId take_extra();
  bool read_time(const RawEvent& event, std::int64_t& out);
  std::int64_t read_duration(const RawEvent& event, std::int64_t start);
  SliceKind kind_of(const RawValue& category);

  StringId id_of(const RawValue& value, bool& is_text);
  FileTrack file_track(const RawEvent& event, bool gpu);
  TrackId track_of(const RawEvent& event, bool gpu);
  void name_tracks();

  // The rows without a category, in builder_devices.cpp.
  void read_rows_without_category();
  std::vector<RowReading> row_readings();
  RowReading row_reading(const FileTrack& track) const;
  std::string_view process_name(const FileTrack& track) const;
  std::string_view thread_name(FileTrack track) const;
  bool has_stream_threads(StringId pid) const;
  TrackId stream_twin(TrackId id);
  void read_row(SliceId s, const RowReading& reading);
  void read_work(SliceId s, const RowReading& reading);
  void report_unread(const std::vector<RowReading>& readings, const std::vector<std::uint64_t>& counts);

  // The slices with a begin and an end, in builder_pairs.cpp.
  void begin_slice(const RawEvent& event, bool asynchronous);
  void end_slice(const RawEvent& event, bool asynchronous);
  SliceEdge slice_edge(const RawEvent& event, bool asynchronous);
  void pair_edges();
  void end_innermost(const SliceEdge& end, std::vector<const SliceEdge*>& open);
  StringId merged_extra(StringId first, StringId second);
  void leave_open(std::vector<const SliceEdge*>& open);
  void place_asynchronous(const std::vector<const SliceEdge*>& edges);
  TrackId beside_thread(TrackId thread, std::size_t lane);

  // The flows, in builder_flows.cpp.
  void pair_flows();
  void link_launch(const FlowEnd& start, const FlowEnd& end);
  void remove_explained(std::vector<const FlowEnd*>& unmatched) const;

  Trace& trace_;
  Problems& problems_;
  std::uint64_t event_offset_ = 0;  // byte offset of the current event
  Column<FlowEnd> flow_ends_;
  Column<SliceEdge> edges_;
  std::int64_t last_time_ = absent;     // of the file, once leave_open() needs it
  std::vector<FileTrack> file_tracks_;  // one per row of trace_.tracks, until finish()
  std::unordered_map<FileTrack, TrackId, FileTrackHash> track_ids_;
  std::unordered_map<StringId, Named> processes_;
  std::unordered_map<FileTrack, Named, FileTrackHash> threads_;
  std::unordered_map<FileTrack, Track, FileTrackHash> described_;  // by "warpwalk_track" events
  TrackId recent_[2] = {~TrackId{0}, ~TrackId{0}};  // the last CPU and GPU track: consecutive events mostly share one
  std::vector<UnlinkedWork> unlinked_;              // sorted
  std::int64_t last_correlation_ = absent;          // the highest one, once link_launch() needs it
  std::optional<std::uint64_t> empty_at_;           // where the event before this one was an empty object
  std::string extra_;                               // the current event's args without a column, so far
  std::string scratch_;
};

}  // namespace warpwalk::trace
