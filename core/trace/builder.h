#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/trace/event.h"
#include "core/trace/problem.h"
#include "core/trace/trace.h"

namespace warpwalk::trace {

/// Turns events into the rows of a Trace, in file order. finish() then names the tracks and pairs the flows; link()
/// (link.h) does the rest.
class Builder {
 public:
  Builder(Trace& trace, Problems& problems) : trace_(trace), problems_(problems) {}

  /// `byte_offset`: of the event in the text, for problems.
  void add(const RawEvent& event, std::uint64_t byte_offset);
  void finish();
  /// Bytes held besides the trace itself.
  std::size_t bytes() const { return flow_ends_.bytes(); }

 private:
  struct FlowEnd {
    std::int64_t id;
    std::int64_t time;
    StringId text_id;  // where the id is no number
    StringId name;
    StringId category;
    TrackId track;
    char phase;
  };
  struct Named {  // what M events say of a process or a thread
    StringId name = 0;
    StringId labels = 0;
    std::int64_t sort_index = absent;
  };
  struct TrackKey {
    StringId pid, tid;
    std::uint32_t flags;  // gpu, pid is text, tid is text
    bool operator==(const TrackKey&) const = default;
  };
  struct TrackKeyHash {
    std::size_t operator()(const TrackKey& k) const {
      return (std::size_t{k.pid} * 0x9e3779b97f4a7c15u + k.tid) * 0x9e3779b97f4a7c15u + k.flags;
    }
  };

  void slice(const RawEvent& event, std::uint64_t byte_offset);
  void instant(const RawEvent& event);
  void counter(const RawEvent& event);
  void flow(const RawEvent& event);
  void describe(const RawEvent& event);
  void note_irregular(std::uint32_t irregular, std::uint64_t byte_offset, const RawEvent& event);

  std::uint32_t op(const RawEvent& event);
  std::uint32_t python(const RawEvent& event);
  std::uint32_t call(const RawEvent& event);
  std::uint32_t kernel(const RawEvent& event, std::uint64_t byte_offset);
  std::uint32_t transfer(const RawEvent& event);
  std::uint32_t sync(const RawEvent& event);

  StringId text(const RawText& raw);
  StringId text(const RawValue& value);
  StringId json(const RawValue& value);
  bool whole(const RawArg& arg, std::int64_t& out);
  bool real(const RawArg& arg, double& out);
  void keep(const RawArg& arg);
  StringId kept();
  TrackId track_of(const RawEvent& event, bool gpu);
  bool read_time(const RawEvent& event, std::int64_t& out, std::uint64_t byte_offset);

  Trace& trace_;
  Problems& problems_;
  Column<FlowEnd> flow_ends_;
  std::unordered_map<TrackKey, TrackId, TrackKeyHash> track_ids_;
  std::unordered_map<StringId, Named> processes_;
  std::unordered_map<TrackKey, Named, TrackKeyHash> threads_;
  TrackId recent_[2] = {~TrackId{0}, ~TrackId{0}};  // the last CPU and the last GPU track: most events follow their like
  std::string extra_;    // the members kept so far of the event at hand
  std::string scratch_;
};

}  // namespace warpwalk::trace
