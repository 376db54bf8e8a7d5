#include "tests/trace/equal.h"

#include <utility>

#include <fmt/format.h>

#include "core/trace/chrome/detail_fields.h"

namespace warpwalk::trace {
namespace {

class Comparison {
 public:
  Comparison(const Trace& a, const Trace& b) : a_(a), b_(b) {}

  std::optional<std::string> run() {
    whole("base time", a_.base_time_ns, b_.base_time_ns);
    whole("first moment", a_.begin_ns, b_.begin_ns);
    whole("last moment", a_.end_ns, b_.end_ns);
    rows("metadata", a_.metadata, b_.metadata, [&](const auto& x, const auto& y) {
      text("key", x.first, y.first);
      text("value", x.second, y.second);
    });
    rows("device", a_.devices, b_.devices, [&](const Device& x, const Device& y) { device(x, y); });
    rows("track", a_.tracks, b_.tracks, [&](const Track& x, const Track& y) { track(x, y); });
    slices();
    details("op", a_.ops, b_.ops);
    details("Python frame", a_.python, b_.python);
    details("call", a_.calls, b_.calls);
    details("kernel", a_.kernels, b_.kernels,
            [&](const KernelDetail& x, const KernelDetail& y) { whole("launch", x.launch, y.launch); });
    details("transfer", a_.transfers, b_.transfers,
            [&](const TransferDetail& x, const TransferDetail& y) { whole("launch", x.launch, y.launch); });
    details("synchronisation", a_.syncs, b_.syncs);
    details("memory event", a_.memory, b_.memory, [&](const MemoryEvent& x, const MemoryEvent& y) {
      whole("time", x.time, y.time);
      whole("track", x.track, y.track);
      text("extra", x.extra, y.extra);
      whole("out of memory", x.out_of_memory, y.out_of_memory);
    });
    rows("instant", a_.instants, b_.instants, [&](const Instant& x, const Instant& y) {
      whole("time", x.time, y.time);
      text("name", x.name, y.name);
      text("category", x.category, y.category);
      text("extra", x.extra, y.extra);
      whole("track", x.track, y.track);
      whole("scope", x.scope, y.scope);
    });
    rows("counter", a_.counters, b_.counters, [&](const Counter& x, const Counter& y) {
      whole("time", x.time, y.time);
      text("name", x.name, y.name);
      text("category", x.category, y.category);
      text("values", x.values, y.values);
      whole("track", x.track, y.track);
    });
    rows("flow", a_.flows, b_.flows, [&](const Flow& x, const Flow& y) {
      whole("start", x.from_time, y.from_time);
      whole("end", x.to_time, y.to_time);
      text("name", x.name, y.name);
      text("category", x.category, y.category);
      whole("start's track", x.from_track, y.from_track);
      whole("end's track", x.to_track, y.to_track);
    });
    const auto slice_ids = [&](SliceId x, SliceId y) { whole("slice", x, y); };
    rows("op in order", a_.op_order, b_.op_order, slice_ids);
    rows("kernel in order", a_.kernel_order, b_.kernel_order, slice_ids);
    rows("launched work", a_.launched, b_.launched, [&](const auto& x, const auto& y) {
      whole("launch", x.first, y.first);
      whole("work", x.second, y.second);
    });
    records();
    return std::move(difference_);
  }

 private:
  template <class Rows, class Compare>
  void rows(std::string_view what, const Rows& a, const Rows& b, Compare compare) {
    if (difference_) return;
    if (a.size() != b.size()) {
      difference_ = fmt::format("{}: {} and {} rows", what, a.size(), b.size());
      return;
    }
    what_ = what;
    auto y = b.begin();
    row_ = 0;
    for (const auto& x : a) {
      compare(x, *y);
      if (difference_) return;
      ++y;
      ++row_;
    }
    what_ = {};
  }

  template <class Row, class More>
  void details(std::string_view what, const Column<Row>& a, const Column<Row>& b, More more) {
    rows(what, a, b, [&](const Row& x, const Row& y) {
      for (const Field<Row>& field : fields_of<Row>) {
        if (field.whole != nullptr) whole(name_of(field.key), x.*field.whole, y.*field.whole);
        if (field.real != nullptr) real(name_of(field.key), x.*field.real, y.*field.real);
        if (field.string != nullptr) text(name_of(field.key), x.*field.string, y.*field.string);
        if (field.shape != nullptr)
          for (std::size_t i = 0; i < 3; ++i) whole(name_of(field.key), (x.*field.shape)[i], (y.*field.shape)[i]);
      }
      more(x, y);
    });
  }
  template <class Row>
  void details(std::string_view what, const Column<Row>& a, const Column<Row>& b) {
    details(what, a, b, [](const Row&, const Row&) {});
  }

  template <class Value>
  void differ(std::string_view field, const Value& x, const Value& y) {
    if (difference_) return;
    difference_ = what_.empty() ? fmt::format("{}: {} and {}", field, x, y)
                                : fmt::format("{} {}: {} is {} and {}", what_, row_, field, x, y);
  }
  void whole(std::string_view field, std::int64_t x, std::int64_t y) {
    if (x != y) differ(field, x, y);
  }
  void real(std::string_view field, double x, double y) {
    if (x != y) differ(field, x, y);
  }
  void text(std::string_view field, StringId x, StringId y) {
    if (a_.text(x) != b_.text(y)) differ(field, fmt::format("\"{}\"", a_.text(x)), fmt::format("\"{}\"", b_.text(y)));
  }

  void device(const Device& x, const Device& y) {
    text("name", x.name, y.name);
    whole("id", x.id, y.id);
    whole("memory", x.total_memory, y.total_memory);
    whole("compute capability", x.compute_major, y.compute_major);
    whole("minor compute capability", x.compute_minor, y.compute_minor);
    whole("SMs", x.sms, y.sms);
    whole("warp size", x.warp_size, y.warp_size);
    whole("threads per block", x.max_threads_per_block, y.max_threads_per_block);
    whole("threads per SM", x.max_threads_per_sm, y.max_threads_per_sm);
    whole("registers per block", x.registers_per_block, y.registers_per_block);
    whole("registers per SM", x.registers_per_sm, y.registers_per_sm);
    whole("shared memory per block", x.shared_per_block, y.shared_per_block);
    whole("opt-in shared memory per block", x.shared_per_block_optin, y.shared_per_block_optin);
    whole("shared memory per SM", x.shared_per_sm, y.shared_per_sm);
  }

  void track(const Track& x, const Track& y) {
    text("pid", x.pid, y.pid);
    text("tid", x.tid, y.tid);
    text("name", x.name, y.name);
    text("process name", x.process_name, y.process_name);
    text("process labels", x.process_labels, y.process_labels);
    whole("sort index", x.sort_index, y.sort_index);
    whole("process sort index", x.process_sort_index, y.process_sort_index);
    whole("device", x.device, y.device);
    whole("stream", x.stream, y.stream);
    whole("first slice", x.first, y.first);
    whole("last slice", x.last, y.last);
    whole("on a GPU", x.gpu, y.gpu);
    whole("pid is text", x.pid_is_text, y.pid_is_text);
    whole("tid is text", x.tid_is_text, y.tid_is_text);
  }

  void slices() {
    const Slices &x = a_.slices, &y = b_.slices;
    rows("slice", x.start, y.start, [&](std::int64_t, std::int64_t) {
      const auto s = static_cast<SliceId>(row_);
      whole("start", x.start[s], y.start[s]);
      whole("duration", x.duration[s], y.duration[s]);
      text("name", x.name[s], y.name[s]);
      text("extra", x.extra[s], y.extra[s]);
      whole("track", x.track[s], y.track[s]);
      whole("parent", x.parent[s], y.parent[s]);
      whole("kind", static_cast<int>(x.kind[s]), static_cast<int>(y.kind[s]));
      if (difference_) return;
      if (x.kind[s] == SliceKind::other)
        text("category", x.detail[s], y.detail[s]);
      else
        whole("detail", x.detail[s], y.detail[s]);
    });
  }

  void records() {
    const Records &x = a_.records, &y = b_.records;
    const auto same = [&](std::string_view what, const auto& left, const auto& right) {
      rows(what, left, right, [&](const auto& p, const auto& q) {
        if (!(p == q)) difference_ = fmt::format("{} {} differs", what, row_);
      });
    };
    if (!difference_ && x.expression != y.expression)
      differ("expression", std::string_view(x.expression), std::string_view(y.expression));
    same("source", x.sources, y.sources);
    same("module", x.modules, y.modules);
    same("allocation", x.allocations, y.allocations);
    same("dispatch record", x.dispatches, y.dispatches);
    same("kernel record", x.kernels, y.kernels);
  }

  const Trace& a_;
  const Trace& b_;
  std::string_view what_;
  std::size_t row_ = 0;
  std::optional<std::string> difference_;
};

}  // namespace

std::optional<std::string> equal(const Trace& a, const Trace& b) { return Comparison(a, b).run(); }

}  // namespace warpwalk::trace
