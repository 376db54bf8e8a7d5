
#include <fmt/format.h>
#include <rapidjson/document.h>

#include "core/base/exact_json.h"
#include "core/trace/chrome/inside_json.h"
#include "core/trace/chrome/record_input.h"
#include "core/trace/chrome/records_json.h"
#include "core/trace/chrome/records_names.h"

namespace warpwalk::trace {
namespace {

using Value = rapidjson::Value;

class RecordReader {
 public:
  RecordReader(Records& records, RecordInput& in) : records_(records), in_(in) {}

  void read(const Value& root) {
    in_.text(root, "expression", records_.expression);
    in_.each_object(root, "sources", [&](const Value& value) {
      Source row;
      const bool good =
          in_.text(value, "what", row.what) && in_.text(value, "by", row.by) && in_.origin(value, "origin", row.origin);
      if (good) records_.sources.push_back(std::move(row));
      return good;
    });
    table(root, "modules", records_.modules, modules_, [&](const Value& v, Module& row) { return module(v, row); });
    table(root, "allocations", records_.allocations, allocations_,
          [&](const Value& v, Allocation& row) { return allocation(v, row); });
    std::vector<bool> unused;
    table(root, "dispatches", records_.dispatches, unused,
          [&](const Value& v, DispatchRecord& row) { return dispatch(v, row); });
    table(root, "kernels", records_.kernels, unused, [&](const Value& v, KernelRecord& row) { return kernel(v, row); });
  }

 private:
  // Reads rows that are referenced by number: an unusable row is kept as an empty row.
  template <class Row, class Read>
  void table(const Value& root, const char* key, std::vector<Row>& rows, std::vector<bool>& usable, Read read) {
    in_.each(root, key, [&](const Value& value) {
      Row row;
      const bool good = value.IsObject() ? read(value, row) : in_.reject("", "is not an object");
      usable.push_back(good);
      rows.push_back(good ? std::move(row) : Row{});
      return good;
    });
  }

  bool module(const Value& value, Module& row) {
    in_.each(value, "line_map", [&](const Value& entry) {
      LineMapRow line;
      if (!entry.IsArray() || entry.Size() != 3) return in_.reject("", "is not three whole numbers");
      if (!in_.whole_value(entry[0], "", line.sass_offset) || !in_.whole_value(entry[1], "", line.ptx_line) ||
          !in_.whole_value(entry[2], "", line.source_line))
        return false;
      row.line_map.push_back(line);
      return true;
    });
    in_.text(value, "name", row.name);
    in_.text(value, "source_file", row.source_file);
    read_source(value, row);
    in_.text(value, "sass", row.sass);
    in_.bytes(value, "cubin", row.cubin);
    return in_.text(value, "ptx", row.ptx);
  }

  // A module has its source itself, or names an earlier module that has the same one.
  void read_source(const Value& value, Module& row) {
    std::string text;
    in_.text(value, "source", text);
    row.source = std::move(text);
    std::size_t other = no_record;
    in_.row(value, "source_of", modules_, other);
    if (other != no_record && row.source.empty()) row.source = records_.modules[other].source;
  }

  bool allocation(const Value& value, Allocation& row) {
    in_.text(value, "name", row.name);
    in_.integer(value, "segment", row.segment);
    in_.integer(value, "segment_bytes", row.segment_bytes);
    in_.integer(value, "rounded_bytes", row.rounded_bytes);
    in_.integer(value, "allocated_ns", row.allocated_ns);
    in_.integer(value, "freed_ns", row.freed_ns);
    in_.text(value, "variable", row.variable);
    return in_.integer(value, "device", row.device) && in_.integer(value, "address", row.address) &&
           in_.integer(value, "bytes", row.bytes);
  }

  bool dispatch(const Value& value, DispatchRecord& row) {
    in_.text(value, "op", row.op);
    const bool whole = in_.each_object(value, "steps", [&](const Value& v) {
      DispatchStep& step = row.steps.emplace_back();
      return in_.text(v, "key", step.key) && in_.text(v, "function", step.function) &&
             in_.text(v, "effect", step.effect) && in_.each(v, "key_set", [&](const Value& key) {
               if (!key.IsString()) return in_.reject("", "is not a string");
               step.key_set.emplace_back(key.GetString(), key.GetStringLength());
               return true;
             });
    });
    if (!whole) row.steps.clear();
    return in_.origin(value, "origin", row.origin);
  }

  bool kernel(const Value& value, KernelRecord& row) {
    in_.row(value, "module", modules_, row.module);
    in_.text(value, "entry", row.entry);
    in_.triple(value, "grid", row.grid);
    in_.triple(value, "block", row.block);
    in_.integer(value, "dynamic_shared_bytes", row.dynamic_shared_bytes);
    if (in_.integer(value, "registers", row.registers)) in_.text(value, "registers_origin", row.registers_origin);
    in_.text(value, "code", row.code);
    in_.text(value, "device_hash", row.device_hash);
    in_.text(value, "simulator_version", row.simulator_version);
    in_.text(value, "measured_by", row.measured_by);
    const bool arguments_good =
        in_.each_object(value, "arguments", [&](const Value& v) { return argument(v, row.arguments.emplace_back()); });
    if (!arguments_good) row.arguments.clear();
    in_.each_object(value, "buffers", [&](const Value& v) {
      InitialBuffer one;
      const bool good = buffer(v, one);
      if (good) row.buffers.push_back(std::move(one));
      return good;
    });
    in_.each_object(value, "digests", [&](const Value& v) {
      BufferDigest one;
      const bool good = in_.row(v, "allocation", allocations_, one.allocation) && in_.sha256(v, "sha256", one.sha256);
      if (good) row.digests.push_back(std::move(one));
      return good;
    });
    if (const Value* const inside = RecordInput::member(value, "inside")) {
      RecordedState one;
      if (read_inside(in_, *inside, one)) row.state = std::move(one);
    }
    placement(value, row);
    in_.each_object(value, "counters", [&](const Value& v) {
      NamedCounter one;
      const bool good =
          in_.text(v, "name", one.name) && in_.real(v, "value", one.value) && in_.origin(v, "origin", one.origin);
      if (good) row.counters.push_back(std::move(one));
      return good;
    });
    const bool cycles_good = in_.integer(value, "cycles", row.cycles);
    if (!origin_of(value, "cycles", "cycles_origin", row.cycles_origin) || !cycles_good) row.cycles = -1;
    std::string caches;
    if (!in_.text(value, "caches", caches)) return true;
    row.caches_carried = caches == "carried";
    if (!caches.empty() && !row.caches_carried) in_.reject("caches", "is not carried");
    return true;
  }

  bool addresses(const Value& value, std::vector<AddressField>& out) {
    return in_.each_object(value, "addresses", [&](const Value& v) {
      AddressField& field = out.emplace_back();
      return in_.integer(v, "at", field.at) && in_.row(v, "allocation", allocations_, field.allocation) &&
             in_.text(v, "variable", field.variable) && in_.text(v, "function", field.function) &&
             in_.integer(v, "offset", field.offset);
    });
  }

  bool argument(const Value& value, KernelArgument& row) {
    std::string kind;
    if (!in_.text(value, "kind", kind) || !in_.text(value, "dtype", row.dtype)) return false;
    if (kind != "scalar" && kind != "pointer") return in_.reject("kind", "is neither scalar nor pointer");
    row.kind = kind == "scalar" ? KernelArgument::Kind::scalar : KernelArgument::Kind::pointer;
    if (!in_.bytes(value, "bytes", row.bytes) || !in_.row(value, "allocation", allocations_, row.allocation) ||
        !in_.integer(value, "offset", row.offset) || !addresses(value, row.addresses))
      return false;
    const std::size_t wanted = dtype_bytes(row.dtype);
    if (row.kind == KernelArgument::Kind::scalar && wanted != 0 && row.bytes.size() != wanted)
      return in_.reject("bytes", fmt::format("has {} bytes, but {} has {}", row.bytes.size(), row.dtype, wanted));
    return true;
  }

  bool buffer(const Value& value, InitialBuffer& row) {
    using Kind = InitialBuffer::Kind;
    std::string kind;
    if (!in_.text(value, "kind", kind)) return false;
    bool known = false;
    for (const Kind one : {Kind::fill, Kind::iota, Kind::random, Kind::bytes, Kind::digest, Kind::produced})
      if (kind == name_of(one)) {
        row.kind = one;
        known = true;
      }
    if (!known) return in_.reject("kind", "is not one of fill, iota, random, bytes, digest, produced");
    if (!in_.row(value, "allocation", allocations_, row.allocation) || !in_.text(value, "dtype", row.dtype) ||
        !in_.integer(value, "count", row.count) || !in_.real(value, "value", row.value) ||
        !in_.integer(value, "seed", row.seed) || !in_.bytes(value, "bytes", row.bytes) ||
        !in_.sha256(value, "sha256", row.sha256) || !addresses(value, row.addresses))
      return false;
    const bool ranges_good = in_.each_object(value, "written", [&](const Value& v) {
      std::array<std::uint64_t, 2>& range = row.written.emplace_back();
      return in_.integer(v, "first", range[0]) && in_.integer(v, "count", range[1]);
    });
    if (!ranges_good) return false;
    const std::size_t size = dtype_bytes(row.dtype);
    if (row.kind == Kind::bytes && row.bytes.size() > max_initial_bytes)
      return in_.reject("bytes", fmt::format("has {} bytes; the maximum is {}", row.bytes.size(), max_initial_bytes));
    if (row.kind == Kind::bytes && size != 0 && (row.bytes.size() % size != 0 || row.bytes.size() / size != row.count))
      return in_.reject("bytes", fmt::format("has {} bytes, which does not match {} elements of {}", row.bytes.size(),
                                             row.count, row.dtype));
    if (row.kind == Kind::digest && row.sha256.empty()) return in_.reject("sha256", "is missing");
    return true;
  }

  void placement(const Value& value, KernelRecord& row) {
    bool good = in_.each(value, "placement", [&](const Value& v) {
      BlockPlacement block;
      if (!v.IsArray() || v.Size() != 3) return in_.reject("", "is not three whole numbers");
      row.placement.push_back(block);
      return in_.whole_value(v[0], "", row.placement.back().sm) &&
             in_.whole_value(v[1], "", row.placement.back().start) &&
             in_.whole_value(v[2], "", row.placement.back().end);
    });
    good = origin_of(value, "placement", "placement_origin", row.placement_origin) && good;
    const auto& [x, y, z] = row.grid;
    // Each factor fits in 32 bits, so a product of two fits in 64; the third is checked by division.
    const std::uint64_t xy = std::uint64_t{x} * y;
    const bool all_blocks = z != 0 && row.placement.size() % z == 0 && row.placement.size() / z == xy;
    if (good && !row.placement.empty() && xy != 0 && z != 0 && !all_blocks)
      good = in_.reject("placement",
                        fmt::format("has {} blocks, but the grid is {} x {} x {}", row.placement.size(), x, y, z));
    if (!good) row.placement.clear();
  }

  // Reads a figure's origin, which may be missing only if the figure is missing.
  bool origin_of(const Value& value, const char* figure, const char* key, Origin& out) {
    if (RecordInput::member(value, figure) == nullptr && RecordInput::member(value, key) == nullptr) return true;
    return in_.origin(value, key, out);
  }

  Records& records_;
  RecordInput& in_;
  std::vector<bool> modules_;
  std::vector<bool> allocations_;
};

}  // namespace

void read_records(std::string_view json, Trace& trace, Problems& problems, std::uint64_t byte_offset) {
  RecordInput in(problems, byte_offset);
  rapidjson::Document document;
  const auto parsed = base::parse_exact(json, document, base::Encoding::as_is);
  if (parsed.IsError() || !document.IsObject()) {
    in.reject("", "is not a readable object");
    return;
  }
  std::int64_t format = records_format;
  if (RecordInput::member(document, "format") == nullptr) in.reject("format", "is missing");
  in.integer(document, "format", format);
  if (format > records_format)
    problems.add(ProblemKind::bad_record, byte_offset, [&] {
      return fmt::format(
          "\"warpwalk\" at byte {} was written by a newer warpwalk (format {}); only its known parts are read",
          byte_offset, format);
    });
  RecordReader(trace.records, in).read(document);
}

}  // namespace warpwalk::trace
