// The memory of a recorded launch in a trace file: "inside" of a kernel's record.
#include "core/trace/chrome/inside_json.h"

#include "core/platform/deflate.h"
#include "core/trace/chrome/records_names.h"

namespace warpwalk::trace {
namespace {

using Value = rapidjson::Value;
using Content = MemoryRange::Content;

constexpr Content contents[] = {Content::bytes, Content::seed, Content::unwritten};

bool read_range(RecordInput& in, const Value& value, MemoryRange& range) {
  std::string content;
  std::vector<std::uint8_t> deflated;
  if (!in.integer(value, "address", range.address) || !in.integer(value, "bytes", range.bytes) ||
      !in.text(value, "name", range.name) || !in.text(value, "content", content) ||
      !in.bytes(value, "before", deflated) || !in.text(value, "dtype", range.dtype) ||
      !in.integer(value, "seed", range.seed) || !in.sha256(value, "sha256_after", range.sha256_after))
    return false;
  bool known = false;
  for (const Content one : contents)
    if (content == name_of(one)) {
      range.content = one;
      known = true;
    }
  if (!known) return in.reject("content", "is not one of bytes, seed, unwritten");
  if (range.bytes == 0 || range.bytes > ~range.address) return in.reject("bytes", "is 0, or past the last address");
  if (range.content == Content::bytes) {
    auto before = platform::inflated(deflated, range.bytes);
    if (!before) return in.reject("before", fmt::format("does not hold {} bytes compressed by zlib", range.bytes));
    range.before = *std::move(before);
  }
  if (range.content == Content::seed && dtype_bytes(range.dtype) == 0)
    return in.reject("dtype", "is not a known element type");
  return true;
}

}  // namespace

void write_inside(RecordOutput& out, const RecordedState& inside) {
  out.object([&] {
    out.triple("cluster", inside.cluster);
    out.integer("cooperative", inside.cooperative ? 1 : 0, 0);
    out.bytes("parameters", inside.parameters);
    out.array("memory", inside.memory, [&](const MemoryRange& range) {
      out.object([&] {
        out.unsigned_whole("address", range.address);
        out.unsigned_whole("bytes", range.bytes);
        out.text("name", range.name);
        out.text("content", name_of(range.content));
        if (!range.before.empty()) out.bytes("before", platform::deflated(range.before));
        out.text("dtype", range.dtype);
        out.unsigned_whole("seed", range.seed);
        out.text("sha256_after", range.sha256_after);
      });
    });
    out.array("variables", inside.variables, [&](const VariableContents& variable) {
      out.object([&] {
        out.text("name", variable.name);
        out.bytes("bytes", variable.bytes);
      });
    });
    out.array("missing", inside.missing, [&](const std::string& line) { out.text(line); });
    if (!inside.caches.empty()) out.bytes("caches", inside.caches);
    out.text("recorded_in", inside.recorded_in);
  });
}

bool read_inside(RecordInput& in, const Value& value, RecordedState& inside) {
  if (!value.IsObject()) return in.reject("inside", "is not an object");
  std::uint32_t cooperative = 0;
  bool good = in.triple(value, "cluster", inside.cluster) && in.integer(value, "cooperative", cooperative) &&
              in.bytes(value, "parameters", inside.parameters) && in.bytes(value, "caches", inside.caches) &&
              in.text(value, "recorded_in", inside.recorded_in);
  inside.cooperative = cooperative != 0;
  good = in.each_object(value, "memory", [&](const Value& v) {
    MemoryRange range;
    if (!read_range(in, v, range)) return false;
    if (!inside.memory.empty() && range.address < inside.memory.back().address + inside.memory.back().bytes)
      return in.reject("address", "is not after the range before it");
    inside.memory.push_back(std::move(range));
    return true;
  }) && good;
  good = in.each_object(value, "variables", [&](const Value& v) {
    VariableContents variable;
    if (!in.text(v, "name", variable.name) || !in.bytes(v, "bytes", variable.bytes)) return false;
    inside.variables.push_back(std::move(variable));
    return true;
  }) && good;
  in.each(value, "missing", [&](const Value& v) {
    if (!v.IsString()) return in.reject("", "is not a string");
    inside.missing.emplace_back(v.GetString(), v.GetStringLength());
    return true;
  });
  return good;
}

}  // namespace warpwalk::trace
