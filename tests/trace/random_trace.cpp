#include "tests/trace/random_trace.h"

#include <array>
#include <cmath>
#include <random>
#include <string>

#include "core/trace/chrome/detail_fields.h"
#include "core/trace/chrome/kinds.h"
#include "core/trace/json/json_text.h"
#include "core/trace/link.h"

namespace warpwalk::trace::test {
namespace {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  Trace trace() {
    trace_.base_time_ns = chance(3) ? 0 : any_whole();
    many(4, [&] { trace_.metadata.emplace_back(intern("key " + any_text()), intern(any_json(0))); });
    many(3, [&] { trace_.devices.push_back(device()); });
    const std::size_t tracks = 1 + below(9);
    while (trace_.tracks.size() < tracks) trace_.tracks.push_back(track());
    records();
    time_span_ = chance(4) ? std::int64_t{1} << 60 : 100'000;
    many(120, [&] { slice(); });
    many(12, [&] {
      MemoryEvent row;
      fields(row);
      row.time = any_time();
      row.track = any_track();
      row.extra = any_extra();
      row.out_of_memory = chance(3);
      trace_.memory.push_back(row);
    });
    many(12, [&] {
      trace_.instants.push_back({any_time(), any_name(), any_name(), any_extra(), any_track(), "tpg"[below(3)]});
    });
    many(12, [&] { trace_.counters.push_back({any_time(), any_name(), any_name(), any_extra(), any_track()}); });
    many(20, [&] {
      trace_.flows.push_back({any_time(), any_time(), any_name(), any_name(), any_track(), any_track()});
    });
    Problems ignored;
    link(trace_, ignored);
    return std::move(trace_);
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool chance(std::uint64_t one_in) { return below(one_in) == 0; }
  template <class Make>
  void many(std::uint64_t at_most, Make make) {
    for (std::uint64_t n = chance(4) ? 0 : below(at_most + 1); n != 0; --n) make();
  }
  StringId intern(std::string_view text) { return trace_.strings.intern(text); }

  std::string any_text() {
    static const std::array<std::string, 20> pieces = {
        "aten::mm", "\"",           "\\",           "\n",  "\r\t",      std::string("\0", 1), "\x01\x1f",      "\x7f",
        "\u00e9",   "\u4e16\u754c", "\U0001f980",   "},{", "</script>", "C:\\users\\p",       "lambda(int)#1", " ",
        "/",        "[memory]",     "\xef\xbf\xbd", "1e9"};
    std::string text;
    for (std::uint64_t n = below(5); n != 0; --n) text += pieces[below(pieces.size())];
    return text;
  }
  StringId any_name() {
    const std::string text = any_text();
    // An instant named [memory] would be read back as a memory event (see Trace).
    return intern(text == "[memory]" ? "memory" : text);
  }

  std::string any_json(int depth) {
    std::string out;
    switch (below(depth < 3 ? 7 : 5)) {
      case 0: return std::to_string(any_whole());
      case 1: return "-1.50e-3";
      case 2: return chance(2) ? "true" : "null";
      case 3:
      case 4: append_quoted(out, any_text()); return out;
      case 5:
        out = "[";
        for (std::uint64_t n = below(4), i = 0; i < n; ++i) out += (i == 0 ? "" : ", ") + any_json(depth + 1);
        return out + "]";
      default:
        out = "{";
        for (std::uint64_t n = below(4), i = 0; i < n; ++i) {
          if (i != 0) out += ", ";
          append_quoted(out, any_text());
          out += ": " + any_json(depth + 1);
        }
        return out + "}";
    }
  }
  StringId any_extra() {
    std::string out;
    many(3, [&] {
      if (!out.empty()) out += ", ";
      append_quoted(out, std::string("x") + any_text());
      out += ": " + any_json(0);
    });
    return intern(out);
  }

  std::int64_t any_whole() {
    switch (below(5)) {
      case 0: return static_cast<std::int64_t>(below(4));
      case 1: return -static_cast<std::int64_t>(below(1000));
      case 2: return std::numeric_limits<std::int64_t>::max() - static_cast<std::int64_t>(below(2));
      case 3: return std::numeric_limits<std::int64_t>::min() + 1;
      default: return static_cast<std::int64_t>(below(1u << 30));
    }
  }
  double any_real() {
    switch (below(4)) {
      case 0: return static_cast<double>(below(100));
      case 1: return -1e-300 * static_cast<double>(1 + below(100));
      case 2: return 1.7e308;
      default: return std::ldexp(static_cast<double>(random_()), -static_cast<int>(below(80)));
    }
  }
  std::int64_t any_time() {
    const auto time = static_cast<std::int64_t>(below(static_cast<std::uint64_t>(time_span_)));
    return chance(3) ? -time : time;
  }
  TrackId any_track() { return static_cast<TrackId>(below(trace_.tracks.size())); }

  template <class Row>
  void fields(Row& row) {
    for (const Field<Row>& field : fields_of<Row>) {
      if (chance(2)) continue;
      switch (field.type) {
        case Field<Row>::Type::none: break;
        case Field<Row>::Type::integer:
        case Field<Row>::Type::address:
          row.*field.whole = field.key == ArgKey::correlation ? correlation() : any_whole();
          break;
        case Field<Row>::Type::real: row.*field.real = any_real(); break;
        case Field<Row>::Type::json: {
          const std::string json = any_json(0);
          row.*field.string = json == "null" ? 0 : intern(json);  // null in a file means absent
          break;
        }
        case Field<Row>::Type::text: row.*field.string = intern(any_text()); break;
        case Field<Row>::Type::shape:
          row.*field.shape = {1 + static_cast<std::int32_t>(below(1000)), 0x7fffffff, 1};
          break;
      }
    }
  }
  std::int64_t correlation() { return static_cast<std::int64_t>(below(12)); }

  std::int64_t any_row(std::size_t rows) {
    return rows == 0 || chance(2) ? absent : static_cast<std::int64_t>(below(rows));
  }

  void slice() {
    const auto kind = static_cast<SliceKind>(below(slice_kinds));
    std::uint32_t detail = 0;
    const auto add = [&](auto& table, auto row) {
      table.push_back(row);
      detail = static_cast<std::uint32_t>(table.size() - 1);
    };
    switch (kind) {
      case SliceKind::op:
      case SliceKind::annotation: {
        OpDetail row;
        fields(row);
        row.dispatch = any_row(trace_.records.dispatches.size());
        add(trace_.ops, row);
        break;
      }
      case SliceKind::python: {
        PythonDetail row;
        fields(row);
        add(trace_.python, row);
        break;
      }
      case SliceKind::runtime:
      case SliceKind::driver: {
        CallDetail row;
        fields(row);
        add(trace_.calls, row);
        break;
      }
      case SliceKind::kernel: {
        KernelDetail row;
        fields(row);
        row.record = any_row(trace_.records.kernels.size());
        add(trace_.kernels, row);
        break;
      }
      case SliceKind::memcpy:
      case SliceKind::memset: {
        TransferDetail row;
        fields(row);
        add(trace_.transfers, row);
        break;
      }
      case SliceKind::sync: {
        SyncDetail row;
        fields(row);
        add(trace_.syncs, row);
        break;
      }
      case SliceKind::other: detail = chance(3) ? 0 : intern("category " + any_text()); break;
      default: break;
    }
    Slices& rows = trace_.slices;
    rows.start.push_back(chance(10) ? 0 : any_time());
    rows.duration.push_back(chance(4) ? 0 : static_cast<std::int64_t>(below(static_cast<std::uint64_t>(time_span_))));
    rows.name.push_back(any_name());
    rows.extra.push_back(any_extra());
    rows.track.push_back(any_track());
    rows.detail.push_back(detail);
    rows.kind.push_back(kind);
  }

  Track track() {
    Track track;
    const auto id = [&](StringId& text, bool& is_text) {
      switch (below(6)) {
        case 0: break;  // the file had none
        case 1:
          is_text = true;
          text = intern(any_text());
          break;
        case 2: text = intern(std::to_string(any_whole())); break;
        case 3:
          is_text = true;
          text = intern("stream 7");
          break;
        default: text = intern(std::to_string(below(3)));
      }
    };
    id(track.pid, track.pid_is_text);
    id(track.tid, track.tid_is_text);
    track.gpu = chance(2);
    if (chance(2)) track.name = intern(any_text());
    if (chance(2)) track.process_name = intern(any_text());
    if (chance(2)) track.process_labels = intern(any_text());
    if (chance(2)) track.sort_index = any_whole();
    if (chance(2)) track.process_sort_index = any_whole();
    return track;
  }

  Device device() {
    Device device;
    if (chance(2)) device.id = any_whole();
    device.name = intern(any_text());
    for (std::int64_t Device::*field :
         {&Device::total_memory, &Device::compute_major, &Device::compute_minor, &Device::sms, &Device::warp_size,
          &Device::max_threads_per_block, &Device::max_threads_per_sm, &Device::registers_per_block,
          &Device::registers_per_sm, &Device::shared_per_block, &Device::shared_per_block_optin,
          &Device::shared_per_sm})
      if (chance(2)) device.*field = any_whole();
    return device;
  }

  Origin any_origin() { return static_cast<Origin>(below(4)); }
  std::vector<std::uint8_t> any_bytes(std::size_t n) {
    std::vector<std::uint8_t> bytes(n);
    for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(below(256));
    return bytes;
  }
  std::size_t any_allocation() {
    return trace_.records.allocations.empty() || chance(4) ? no_record : below(trace_.records.allocations.size());
  }
  std::vector<AddressField> any_addresses() {
    std::vector<AddressField> addresses;
    many(2, [&] { addresses.push_back({random_(), any_allocation(), any_text(), any_text(), random_()}); });
    return addresses;
  }
  std::string any_sha256() {
    std::string digits;
    while (digits.size() < 64) digits.push_back("0123456789abcdef"[below(16)]);
    return digits;
  }

  void records() {
    if (chance(3)) return;
    Records& records = trace_.records;
    records.expression = any_text();
    many(3, [&] { records.sources.push_back({any_text(), any_text(), any_origin()}); });
    many(3, [&] {
      Module& module = records.modules.emplace_back();
      module = {any_text(), any_text(), any_text(), any_text(), any_text(), {}, any_bytes(below(100))};
      if (chance(3)) module.source = records.modules.front().source;  // kernels of one file
      many(4, [&] { module.line_map.push_back({static_cast<std::uint32_t>(random_()), 7, 0}); });
    });
    many(4, [&] {
      records.allocations.push_back({any_text(), any_whole(), random_(), random_(), random_(), random_(), random_(),
                                     any_whole(), any_whole(), any_text()});
    });
    many(3, [&] {
      DispatchRecord& dispatch = records.dispatches.emplace_back();
      dispatch.op = any_text();
      dispatch.origin = any_origin();
      many(4, [&] { dispatch.steps.push_back({any_text(), any_text(), any_text(), {any_text(), any_text()}}); });
    });
    many(4, [&] { records.kernels.push_back(kernel_record()); });
  }

  RecordedState inside_record() {
    RecordedState inside;
    if (chance(2)) inside.cluster = {2, 1, 1};
    inside.cooperative = chance(2);
    inside.parameters = any_bytes(below(40));
    std::uint64_t address = 0x7e00'0000'0000;
    many(4, [&] {
      MemoryRange& range = inside.memory.emplace_back();
      range.address = address += below(1000);
      range.bytes = 1 + below(200);
      address += range.bytes;
      range.name = any_text();
      range.content = static_cast<MemoryRange::Content>(below(3));
      if (range.content == MemoryRange::Content::bytes) range.before = any_bytes(range.bytes);
      if (range.content == MemoryRange::Content::seed) {
        range.dtype = "bf16";
        range.seed = random_();
      }
      if (chance(2)) range.sha256_after = any_sha256();
    });
    many(3, [&] { inside.variables.push_back({any_text(), any_bytes(below(20))}); });
    many(3, [&] { inside.missing.push_back(any_text()); });
    if (chance(2)) inside.caches = any_bytes(below(40));
    if (chance(2)) inside.recorded_in = any_text();
    return inside;
  }

  KernelRecord kernel_record() {
    KernelRecord record;
    if (!trace_.records.modules.empty()) record.module = below(trace_.records.modules.size());
    record.entry = any_text();
    record.grid = {2, 3, 1 + static_cast<std::uint32_t>(below(3))};
    record.block = {static_cast<std::uint32_t>(random_()), 1, 1};
    record.dynamic_shared_bytes = random_();
    record.registers = static_cast<std::uint32_t>(below(256));
    record.registers_origin = any_text();
    record.code = any_text();
    many(4, [&] {
      KernelArgument& argument = record.arguments.emplace_back();
      if (chance(2)) {
        argument.dtype = "f64";
        argument.bytes = any_bytes(8);
        argument.addresses = any_addresses();
      } else {
        argument.kind = KernelArgument::Kind::pointer;
        argument.dtype = any_text();
        argument.allocation = any_allocation();
        argument.offset = random_();
      }
    });
    if (chance(3)) record.state = inside_record();
    many(4, [&] {
      InitialBuffer& buffer = record.buffers.emplace_back();
      buffer.allocation = any_allocation();
      buffer.dtype = "i16";
      buffer.kind = static_cast<InitialBuffer::Kind>(below(6));
      buffer.count = below(20);
      buffer.value = chance(4) ? -std::numeric_limits<double>::infinity() : any_real();
      buffer.seed = random_();
      if (buffer.kind == InitialBuffer::Kind::bytes) buffer.bytes = any_bytes(buffer.count * 2);
      if (buffer.kind == InitialBuffer::Kind::digest) buffer.sha256 = any_sha256();
      many(2, [&] { buffer.written.push_back({below(20), below(20)}); });
      buffer.addresses = any_addresses();
    });
    many(3, [&] { record.digests.push_back({any_allocation(), any_sha256()}); });
    if (chance(2))
      for (std::uint64_t n = 6 * record.grid[2]; n != 0; --n)
        record.placement.push_back({static_cast<std::uint32_t>(below(132)), any_whole(), any_whole()});
    record.placement_origin = any_origin();
    many(4, [&] { record.counters.push_back({any_text(), chance(5) ? std::nan("") : any_real(), any_origin()}); });
    if (chance(2)) record.cycles = any_whole();
    record.cycles_origin = any_origin();
    record.device_hash = any_text();
    record.simulator_version = any_text();
    record.measured_by = any_text();
    return record;
  }

  std::mt19937_64 random_;
  Trace trace_;
  std::int64_t time_span_ = 1;
};

}  // namespace

Trace random_trace(std::uint64_t seed) { return Generator(seed).trace(); }

}  // namespace warpwalk::trace::test
