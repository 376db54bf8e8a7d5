#include "app/pages/timeline/timeline_arguments.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "core/trace/chrome/detail_fields.h"
#include "core/trace/chrome/kinds.h"
#include "core/trace/json/json_text.h"

namespace warpwalk::pages {
namespace {

using trace::Field;

// A call stack is one text with the frames separated by semicolons.
std::string value_of_json(trace::ArgKey key, std::string_view json) {
  std::string value = plain_json(json);
  if (key == trace::ArgKey::call_stack) std::ranges::replace(value, ';', '\n');
  return value;
}

template <class Row>
std::string value_of_field(const trace::Trace& trace, const Row& row, const Field<Row>& field) {
  using Type = typename Field<Row>::Type;
  switch (field.type) {
    case Type::integer: return row.*field.whole == trace::absent ? std::string() : fmt::format("{}", row.*field.whole);
    case Type::address:
      return row.*field.whole == trace::absent ? std::string()
                                               : fmt::format("0x{:x}", static_cast<std::uint64_t>(row.*field.whole));
    case Type::real: return trace::is_absent(row.*field.real) ? std::string() : fmt::format("{}", row.*field.real);
    case Type::json: return value_of_json(field.key, trace.text(row.*field.string));
    case Type::text: return std::string(trace.text(row.*field.string));
    case Type::shape: {
      const auto& shape = row.*field.shape;
      if (std::ranges::any_of(shape, [](std::int32_t size) { return size <= 0; })) return {};
      return fmt::format("[{}, {}, {}]", shape[0], shape[1], shape[2]);
    }
    default: return {};
  }
}

template <class Row>
void add_fields(const trace::Trace& trace, const Row& row, std::vector<SliceField>& fields) {
  for (const Field<Row>& field : trace::fields_of<Row>)
    if (std::string value = value_of_field(trace, row, field); !value.empty())
      fields.push_back({std::string(trace::name_of(field.key)), std::move(value)});
}

// The end of the JSON string whose opening quote is at `at`: one behind its closing quote.
std::size_t string_end(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

// The end of a value: the comma behind it, or the end of the text.
std::size_t value_end(std::string_view text, std::size_t at) {
  int depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = string_end(text, at);
      continue;
    }
    if (c == ',' && depth == 0) break;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    ++at;
  }
  return at;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() <= ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() <= ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

std::string plain_json(std::string_view value) {
  if (value.size() < 2 || value.front() != '"' || value.back() != '"') return std::string(value);
  std::string scratch;
  std::uint32_t irregular = 0;
  return std::string(trace::decode({value.substr(1, value.size() - 2), false}, scratch, irregular));
}

std::vector<SliceField> json_members(std::string_view members) {
  std::vector<SliceField> fields;
  for (std::size_t at = members.find('"'); at < members.size(); at = members.find('"', at)) {
    const std::size_t key_end = string_end(members, at);
    const std::size_t colon = members.find(':', key_end);
    if (colon == std::string_view::npos) break;
    const std::size_t end = value_end(members, colon + 1);
    fields.push_back({plain_json(members.substr(at, key_end - at)),
                      std::string(trimmed(members.substr(colon + 1, end - colon - 1)))});
    at = end;
  }
  return fields;
}

std::string_view category_of_slice(const trace::Trace& trace, trace::SliceId slice) {
  const trace::SliceKind kind = trace.slices.kind[slice];
  return kind == trace::SliceKind::other ? trace.text(trace.slices.detail[slice]) : trace::category_of(kind);
}

std::vector<SliceField> recorded_fields(const trace::Trace& trace, trace::SliceId slice) {
  using trace::SliceKind;
  std::vector<SliceField> fields;
  const std::uint32_t detail = trace.slices.detail[slice];
  switch (trace.slices.kind[slice]) {
    case SliceKind::op:
    case SliceKind::annotation: add_fields(trace, trace.ops[detail], fields); break;
    case SliceKind::python: add_fields(trace, trace.python[detail], fields); break;
    case SliceKind::runtime:
    case SliceKind::driver: add_fields(trace, trace.calls[detail], fields); break;
    case SliceKind::kernel: add_fields(trace, trace.kernels[detail], fields); break;
    case SliceKind::memcpy:
    case SliceKind::memset: add_fields(trace, trace.transfers[detail], fields); break;
    case SliceKind::sync: add_fields(trace, trace.syncs[detail], fields); break;
    default: break;
  }
  std::ranges::move(json_members(trace.text(trace.slices.extra[slice])), std::back_inserter(fields));
  return fields;
}

}  // namespace warpwalk::pages
