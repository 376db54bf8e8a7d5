// Fuzzes the trace reader with arbitrary bytes. The resulting trace must be safe to use without checks (every index in
// range, every string UTF-8, every JSON string valid JSON), must not depend on the size of the read window, and must
// survive a round trip through the writer and the reader. Called by libFuzzer or driver.cpp.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>

#include "core/trace/chrome/writer.h"
#include "core/trace/link.h"
#include "core/trace/read/read_trace.h"
#include "tests/fuzz/require.h"
#include "tests/trace/equal.h"

namespace warpwalk::trace {
namespace {

using fuzz::require;
using fuzz::require_line;

void require_equal(const Trace& a, const Trace& b, const char* what) {
  const std::optional<std::string> difference = equal(a, b);
  if (difference) std::fprintf(stderr, "%s\n", difference->c_str());
  require(!difference, what);
}

void require_utf8(std::string_view text, const char* what) {
  rapidjson::MemoryStream in(text.data(), text.size());
  rapidjson::StringBuffer unused;
  while (in.Tell() < text.size()) require(rapidjson::UTF8<>::Validate(in, unused), what);
}

void require_json(std::string_view json, const char* what) {
  rapidjson::MemoryStream in(json.data(), json.size());
  rapidjson::BaseReaderHandler<> ignore;
  rapidjson::Reader reader;
  reader.Parse<rapidjson::kParseIterativeFlag>(in, ignore);
  // 1e999 is valid JSON but out of rapidjson's range.
  if (!reader.HasParseError() || reader.GetParseErrorCode() == rapidjson::kParseErrorNumberTooBig) return;
  std::fprintf(stderr, "%s at byte %zu of: %.*s\n", rapidjson::GetParseError_En(reader.GetParseErrorCode()),
               reader.GetErrorOffset(), static_cast<int>(json.size()), json.data());
  require(false, what);
}

class Walk {
 public:
  explicit Walk(const Trace& trace) : trace_(trace), rows_(trace.slices) {}

  void everything() const {
    for (StringId id = 0; id < trace_.strings.size(); ++id) require_utf8(trace_.text(id), "texts are UTF-8");
    tracks();
    slices();
    details();
    orders();
    rest();
    records();
  }

 private:
  void text(StringId id) const { require(id < trace_.strings.size(), "a text is in the pool"); }
  void json(StringId id) const {
    text(id);
    if (id != 0) require_json(trace_.text(id), "what is kept as JSON is JSON");
  }
  void members(StringId id) const {
    text(id);
    if (id == 0) return;
    std::string object("{");
    object += trace_.text(id);
    object += '}';
    require_json(object, "what is kept as members of an object is that");
  }
  void track(TrackId id) const { require(id < trace_.tracks.size(), "a track exists"); }
  void slice(SliceId id) const { require(id < rows_.size(), "a slice exists"); }

  void tracks() const {
    std::size_t covered = 0;
    for (TrackId id = 0; id < trace_.tracks.size(); ++id) {
      const Track& t = trace_.tracks[id];
      for (const StringId s : {t.pid, t.tid, t.name, t.process_name, t.process_labels}) text(s);
      require(t.first <= t.last && t.last <= rows_.size(), "a track's slices exist");
      for (SliceId s = t.first; s < t.last; ++s) require(rows_.track[s] == id, "a track's slices are its own");
      covered += t.last - t.first;
    }
    require(covered == rows_.size(), "every slice is in the range of its track");
  }

  void slices() const {
    const std::size_t n = rows_.size();
    for (const std::size_t size : {rows_.duration.size(), rows_.name.size(), rows_.extra.size(), rows_.track.size(),
                                   rows_.detail.size(), rows_.parent.size(), rows_.kind.size()})
      require(size == n, "all columns of slices are equally long");
    for (SliceId s = 0; s < n; ++s) {
      track(rows_.track[s]);
      text(rows_.name[s]);
      members(rows_.extra[s]);
      require(static_cast<std::size_t>(rows_.kind[s]) < slice_kinds, "a kind is one of the kinds");
      require(rows_.duration[s] >= 0, "no duration is negative");
      require(rows_.start[s] <= std::numeric_limits<std::int64_t>::max() - rows_.duration[s], "an end is a time");
      require(rows_.detail[s] < details_of(rows_.kind[s]), "a detail exists");
      if (s != 0) require(in_order(s - 1, s), "slices are sorted");
      parent(s);
      launch(s);
    }
  }

  std::size_t details_of(SliceKind kind) const {
    switch (kind) {
      case SliceKind::op:
      case SliceKind::annotation: return trace_.ops.size();
      case SliceKind::python: return trace_.python.size();
      case SliceKind::runtime:
      case SliceKind::driver: return trace_.calls.size();
      case SliceKind::kernel: return trace_.kernels.size();
      case SliceKind::memcpy:
      case SliceKind::memset: return trace_.transfers.size();
      case SliceKind::sync: return trace_.syncs.size();
      default: return trace_.strings.size();
    }
  }

  bool in_order(SliceId a, SliceId b) const {
    if (rows_.track[a] != rows_.track[b]) return rows_.track[a] < rows_.track[b];
    if (rows_.start[a] != rows_.start[b]) return rows_.start[a] < rows_.start[b];
    return rows_.duration[a] >= rows_.duration[b];
  }

  void parent(SliceId s) const {
    const SliceId p = rows_.parent[s];
    if (p != no_slice) {
      require(p < s, "a parent precedes its children");
      require(rows_.track[p] == rows_.track[s], "a parent is on the same track");
      require(rows_.start[p] <= rows_.start[s] && rows_.end(s) <= rows_.end(p), "a parent encloses its children");
    }
    const SliceId op = enclosing(trace_, s, SliceKind::op);
    require(op == no_slice || (op < s && rows_.kind[op] == SliceKind::op), "the enclosing op is an op");
  }

  void launch(SliceId s) const {
    const SliceId call = launch_of(trace_, s);
    const SliceId op = op_of(trace_, s);
    if (call == no_slice) {
      require(op == no_slice, "there is no way to an op but through the launch");
      return;
    }
    slice(call);
    require(is_gpu_work(rows_.kind[s]) && is_call(rows_.kind[call]), "calls launch GPU work");
    require(op == no_slice || rows_.kind[op] == SliceKind::op, "what launched the work is an op");
  }

  void details() const {
    for (const OpDetail& op : trace_.ops)
      for (const StringId s :
           {op.input_dims, op.input_strides, op.input_types, op.concrete_inputs, op.call_stack, op.module_hierarchy})
        json(s);
    for (const KernelDetail& kernel : trace_.kernels) {
      for (const auto& shape : {kernel.grid, kernel.block})
        require(std::all_of(shape.begin(), shape.end(), [](auto n) { return n > 0; }) ||
                    std::all_of(shape.begin(), shape.end(), [](auto n) { return n == 0; }),
                "a shape is three positive numbers, or not recorded");
    }
    for (const SyncDetail& sync : trace_.syncs) text(sync.kind);
  }

  void orders() const {
    order(trace_.op_order, SliceKind::op);
    order(trace_.kernel_order, SliceKind::kernel);
    std::size_t with_launch = 0;
    for (SliceId s = 0; s < rows_.size(); ++s) with_launch += launch_of(trace_, s) != no_slice;
    require(trace_.launched.size() == with_launch, "all launched work is listed, once");
    for (std::size_t i = 0; i < trace_.launched.size(); ++i) {
      const auto [call, work] = trace_.launched[i];
      slice(work);
      require(launch_of(trace_, work) == call, "the list of launched work agrees with the work");
      require(i == 0 || trace_.launched[i - 1].first <= call, "the list of launched work is sorted by launch");
    }
    require(trace_.begin_ns <= trace_.end_ns, "the trace begins before it ends");
  }

  void order(const Column<SliceId>& listed, SliceKind kind) const {
    std::size_t of_kind = 0;
    for (const SliceKind k : rows_.kind) of_kind += k == kind;
    require(listed.size() == of_kind, "each op and kernel has one number");
    for (std::size_t i = 0; i < listed.size(); ++i) {
      slice(listed[i]);
      require(rows_.kind[listed[i]] == kind, "ops and kernels are numbered apart");
      require(i == 0 || rows_.start[listed[i - 1]] <= rows_.start[listed[i]], "ops and kernels are numbered by start");
    }
  }

  template <class Row>
  void by_time(const Column<Row>& table) const {
    for (std::size_t i = 0; i < table.size(); ++i) {
      track(table[i].track);
      require(i == 0 || table[i - 1].time <= table[i].time, "a table is sorted by time");
    }
  }

  void rest() const {
    by_time(trace_.memory);
    by_time(trace_.instants);
    by_time(trace_.counters);
    for (const MemoryEvent& event : trace_.memory) members(event.extra);
    for (const Instant& instant : trace_.instants) {
      text(instant.name);
      text(instant.category);
      members(instant.extra);
    }
    for (const Counter& counter : trace_.counters) {
      text(counter.name);
      text(counter.category);
      members(counter.values);
    }
    for (const Flow& flow : trace_.flows) {
      for (const StringId s : {flow.name, flow.category}) text(s);
      track(flow.from_track);
      track(flow.to_track);
    }
    for (const Device& device : trace_.devices) text(device.name);
    for (const auto& [key, value] : trace_.metadata) {
      text(key);
      json(value);
    }
  }

  template <class Table>
  static void row(std::size_t number, const Table& table) {
    require(number == no_record || number < table.size(), "a record's row exists");
  }
  void records() const {
    const Records& records = trace_.records;
    for (const OpDetail& op : trace_.ops)
      require(op.dispatch == absent || static_cast<std::uint64_t>(op.dispatch) < records.dispatches.size(),
              "an op's dispatch record exists");
    for (const KernelDetail& kernel : trace_.kernels)
      require(kernel.record == absent || static_cast<std::uint64_t>(kernel.record) < records.kernels.size(),
              "a kernel's record exists");
    for (const KernelRecord& kernel : records.kernels) {
      row(kernel.module, records.modules);
      for (const KernelArgument& argument : kernel.arguments) row(argument.allocation, records.allocations);
      for (const InitialBuffer& buffer : kernel.buffers) {
        row(buffer.allocation, records.allocations);
        require(buffer.bytes.size() <= max_initial_bytes, "a buffer's bytes are few");
      }
      for (const BufferDigest& digest : kernel.digests) row(digest.allocation, records.allocations);
    }
  }

  const Trace& trace_;
  const Slices& rows_;
};

void require_text_line(std::string_view message) {
  require_line(message);
  require_utf8(message, "a message is UTF-8");
}

ReadOptions small_caps() {
  ReadOptions options;
  options.memory_cap_bytes = std::uint64_t{16} << 20;
  options.entry_cap_bytes = std::uint64_t{64} << 10;
  return options;
}

ReadResult read_and_walk(std::string_view bytes) {
  ReadResult result = read_trace_text(bytes, small_caps(), "fuzz");
  Walk(result.trace).everything();
  for (const Problem& problem : result.problems.rows()) {
    require(problem.count > 0, "a problem occurred");
    require_text_line(problem.message);
  }
  if (result.error) {
    require_text_line(*result.error);
    require(result.events == 0, "an error means that nothing was salvaged");
  }
  return result;
}

void require_same_in_pieces(std::string_view bytes, const ReadResult& whole) {
  ReadOptions options = small_caps();
  options.window_bytes = 1 + bytes.size() % 97;
  const ReadResult again = read_trace_text(bytes, options, "fuzz");
  require(again.events == whole.events, "the same events in pieces as in one");
  // After a broken event, how much more is lost depends on the size of the read window.
  if (whole.problems.count_of(ProblemKind::lost_event) != 0) return;
  require(again.error.has_value() == whole.error.has_value(), "the same error in pieces as in one");
  require_equal(again.trace, whole.trace, "the same trace in pieces as in one");
  const auto& a = again.problems.rows();
  const auto& b = whole.problems.rows();
  require(std::equal(a.begin(), a.end(), b.begin(), b.end(),
                     [](const Problem& x, const Problem& y) {
                       return x.kind == y.kind && x.count == y.count && x.byte_offset == y.byte_offset;
                     }),
          "the same problems in pieces as in one");
}

void require_written_and_read(const Trace& trace) {
  const std::string written = write_trace_text(trace);
  require_json(written, "what is written is JSON");
  const ReadResult again = read_trace_text(written);
  require_equal(again.trace, trace, "what is written and read is the same");
  require(write_trace_text(again.trace) == written, "the same trace is written as the same bytes");
}

void try_bytes(std::string_view bytes) {
  const ReadResult result = read_and_walk(bytes);
  require_written_and_read(result.trace);
  // Beyond the caps, the reader stops at a place that depends on the window size; gzip contents may be that large.
  if (bytes.size() < small_caps().entry_cap_bytes && !bytes.starts_with("\x1f\x8b"))
    require_same_in_pieces(bytes, result);
}

}  // namespace
}  // namespace warpwalk::trace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warpwalk::trace::try_bytes({reinterpret_cast<const char*>(data), size});
  return 0;
}
