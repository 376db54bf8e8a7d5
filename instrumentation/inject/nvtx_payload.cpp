#include "instrumentation/inject/nvtx_payload.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>

#include "instrumentation/row_codec.h"

namespace warpwalk::instrumentation {
namespace {

constexpr std::size_t unknown_size = std::numeric_limits<std::size_t>::max();
// A schema with more fields is not one that a person reads.
constexpr std::size_t max_fields = 256;

/// Size and sign of a predefined type. The recorded program has the same types: the tool runs in its process.
struct Basic {
  std::size_t size = 0;
  PayloadRow::Kind kind = PayloadRow::unsigned_number;
};
std::optional<Basic> basic_type(std::uint64_t type) {
  using enum PayloadRow::Kind;
  switch (type) {
    case nvtx::type_char:
    case nvtx::type_int8: return Basic{1, signed_number};
    case nvtx::type_uchar:
    case nvtx::type_uint8: return Basic{1, unsigned_number};
    case nvtx::type_short: return Basic{sizeof(short), signed_number};
    case nvtx::type_int16: return Basic{2, signed_number};
    case nvtx::type_ushort: return Basic{sizeof(unsigned short), unsigned_number};
    case nvtx::type_uint16: return Basic{2, unsigned_number};
    case nvtx::type_int: return Basic{sizeof(int), signed_number};
    case nvtx::type_int32: return Basic{4, signed_number};
    case nvtx::type_uint: return Basic{sizeof(unsigned), unsigned_number};
    case nvtx::type_uint32: return Basic{4, unsigned_number};
    case nvtx::type_long: return Basic{sizeof(long), signed_number};
    case nvtx::type_longlong: return Basic{sizeof(long long), signed_number};
    case nvtx::type_int64: return Basic{8, signed_number};
    case nvtx::type_ulong: return Basic{sizeof(unsigned long), unsigned_number};
    case nvtx::type_ulonglong: return Basic{sizeof(unsigned long long), unsigned_number};
    case nvtx::type_uint64: return Basic{8, unsigned_number};
    case nvtx::type_size: return Basic{sizeof(std::size_t), unsigned_number};
    case nvtx::type_address: return Basic{sizeof(void*), unsigned_number};
    case nvtx::type_float: return Basic{sizeof(float), real_number};
    case nvtx::type_double: return Basic{sizeof(double), real_number};
    default: return {};
  }
}

bool is_string(std::uint64_t type) { return type == nvtx::type_string || type == nvtx::type_string_utf8; }

std::uint64_t number_at(const unsigned char* bytes, Basic type) {
  if (type.kind == PayloadRow::real_number) {
    double value = 0;
    float narrow = 0;
    if (type.size == sizeof narrow)
      std::memcpy(&narrow, bytes, sizeof narrow), value = static_cast<double>(narrow);
    else
      std::memcpy(&value, bytes, sizeof value);
    return std::bit_cast<std::uint64_t>(value);
  }
  std::uint64_t value = 0;
  for (std::size_t i = type.size; i-- > 0;) value = value << 8 | bytes[i];
  const unsigned unused = 64 - 8 * static_cast<unsigned>(type.size);
  if (type.kind == PayloadRow::signed_number)
    value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
  return value;
}

std::string_view text_until_zero(const char* text, std::size_t limit) { return {text, strnlen(text, limit)}; }

bool is_union(const nvtx::Schema& schema) {
  return (schema.given & nvtx::schema_type_given) != 0 && schema.type >= nvtx::union_schema;
}

std::size_t aligned(std::size_t end, std::size_t alignment) {
  return end > unknown_size - alignment ? unknown_size : (end + alignment - 1) / alignment * alignment;
}

}  // namespace

std::size_t PayloadSchemas::element_size(const void* domain, const nvtx::SchemaField& field) const {
  if ((field.flags & nvtx::field_is_pointer) != 0 || field.type == nvtx::type_registered_string) return sizeof(void*);
  if (is_string(field.type)) return 1;
  if (const auto basic = basic_type(field.type)) return basic->size;
  const auto values = enums_.find({domain, field.type});
  return values == enums_.end() ? unknown_size : values->second->size;
}

std::size_t PayloadSchemas::size_of(const void* domain, const nvtx::SchemaField& field) const {
  if ((field.flags & nvtx::field_is_elsewhere) != 0) return unknown_size;
  const std::size_t one = element_size(domain, field);
  if ((field.flags & nvtx::field_is_pointer) != 0) return one;
  const std::uint64_t array = field.flags & nvtx::field_is_array;
  if (is_string(field.type))
    return array <= nvtx::field_is_fixed_array && field.length > 0 ? field.length : unknown_size;
  if (one == unknown_size || array == 0) return one;
  return array == nvtx::field_is_fixed_array && field.length < unknown_size / one ? one * field.length : unknown_size;
}

/// Fields without an offset follow those before them, as in a C struct.
PayloadSchemas::Layout PayloadSchemas::layout_of(const void* domain, const nvtx::Schema& schema) const {
  Layout out;
  if ((schema.given & nvtx::schema_size_given) != 0) out.size = schema.size;
  const std::size_t packed = (schema.given & nvtx::schema_alignment_given) != 0 ? schema.alignment : 0;
  std::size_t end = 0;
  for (std::size_t i = 0; i < std::min(schema.field_count, max_fields); ++i) {
    const nvtx::SchemaField& field = schema.fields[i];
    const std::size_t size = size_of(domain, field);
    std::size_t alignment = size == unknown_size ? 1 : element_size(domain, field);
    if (packed > 0) alignment = std::min(alignment, packed);
    std::size_t at = field.offset;
    if (at == 0 && i > 0) at = aligned(end, alignment);
    end = at == unknown_size || size == unknown_size || size > unknown_size - at ? unknown_size : at + size;
    if (at == unknown_size) continue;
    out.fields.push_back({field.name == nullptr ? "" : field.name, field.flags, field.type, field.length, at});
  }
  return out;
}

std::uint64_t PayloadSchemas::add(const void* domain, const nvtx::Schema* schema) {
  constexpr std::uint64_t needed = nvtx::schema_fields_given | nvtx::schema_count_given;
  if (schema == nullptr || (schema->given & needed) != needed || schema->fields == nullptr) return 0;
  const std::lock_guard lock(mutex_);
  const std::uint64_t number = next_number((schema->given & nvtx::schema_id_given) != 0 ? schema->id : 0);
  if (!is_union(*schema)) schemas_[{domain, number}] = &layouts_.emplace_back(layout_of(domain, *schema));
  return number;
}

std::uint64_t PayloadSchemas::add_enum(const void* domain, const nvtx::Enum* values) {
  constexpr std::uint64_t needed = nvtx::enum_values_given | nvtx::enum_count_given;
  if (values == nullptr || (values->given & needed) != needed || values->values == nullptr) return 0;
  const std::size_t size = (values->given & nvtx::enum_size_given) != 0 ? values->size : sizeof(int);
  if (size == 0 || size > sizeof(std::uint64_t)) return 0;
  const std::lock_guard lock(mutex_);
  const std::uint64_t number = next_number((values->given & nvtx::enum_id_given) != 0 ? values->id : 0);
  Values& kept = values_.emplace_back();
  kept.size = size;
  for (std::size_t i = 0; i < std::min(values->value_count, max_fields); ++i)
    if (const nvtx::EnumValue& value = values->values[i]; value.name != nullptr && value.is_flag == 0)
      kept.names.emplace(value.value, value.name);
  enums_[{domain, number}] = &kept;
  return number;
}

void PayloadSchemas::decode(const void* domain, const Field& field, const unsigned char* bytes, std::size_t size,
                            Payload& payload) const {
  if (field.offset >= size || (field.flags & nvtx::field_is_elsewhere) != 0) return;
  const unsigned char* const at = bytes + field.offset;
  const std::size_t left = size - field.offset;
  const bool pointer = (field.flags & nvtx::field_is_pointer) != 0;
  const std::uint64_t array = field.flags & nvtx::field_is_array;
  PayloadField out;
  out.key = field.name;
  const bool registered = field.type == nvtx::type_registered_string;
  if (is_string(field.type) || registered) {
    out.kind = PayloadRow::words;
    if (pointer || registered) {
      // Left out: pointers to registered strings, arrays of them, and strings whose length is in another field.
      if (registered ? pointer || array != 0 : array > nvtx::field_is_zero_terminated) return;
      const void* text = nullptr;
      if (left < sizeof text) return;
      std::memcpy(&text, at, sizeof text);
      if (text == nullptr) return;
      const std::size_t limit = field.length > 0 ? std::min<std::size_t>(field.length, max_text_bytes) : max_text_bytes;
      // A registered string is one that the tool gave to the program: nvtx_tool.cpp returns std::string pointers.
      out.text = registered ? std::string_view(*static_cast<const std::string*>(text))
                            : text_until_zero(static_cast<const char*>(text), limit);
    } else if (array <= nvtx::field_is_fixed_array && field.length > 0) {
      out.text = text_until_zero(reinterpret_cast<const char*>(at), std::min<std::size_t>(left, field.length));
    } else {
      return;
    }
    if ((field.flags & nvtx::field_is_message) != 0)
      payload.message = out.text;
    else
      payload.fields.push_back(out);
    return;
  }
  if (pointer || array != 0) return;
  if (const auto basic = basic_type(field.type)) {
    if (left < basic->size) return;
    out.kind = basic->kind;
    out.value = number_at(at, *basic);
  } else if (const auto found = enums_.find({domain, field.type}); found != enums_.end()) {
    const Values& values = *found->second;
    if (left < values.size) return;
    out.value = number_at(at, {values.size, PayloadRow::unsigned_number});
    if (const auto name = values.names.find(out.value); name != values.names.end()) {
      out.kind = PayloadRow::words;
      out.text = name->second;
    }
  } else {
    return;
  }
  payload.fields.push_back(out);
}

Payload PayloadSchemas::decode(const void* domain, const nvtx::PayloadData* payloads, std::size_t count) const {
  Payload out;
  if (payloads == nullptr) return out;
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < std::min(count, max_fields); ++i) {
    const nvtx::PayloadData& data = payloads[i];
    const auto* const bytes = static_cast<const unsigned char*>(data.payload);
    if (bytes == nullptr) continue;
    if (data.schema < nvtx::static_schemas) {
      // A single value, or a string with its end.
      Field value;
      value.type = data.schema;
      value.length = data.size == unknown_size ? max_text_bytes : data.size;
      const std::size_t before = out.fields.size();
      decode(domain, value, bytes, is_string(value.type) ? value.length : data.size, out);
      if (out.fields.size() > before) out.fields.back().key = "payload";
      continue;
    }
    const auto schema = schemas_.find({domain, data.schema});
    if (schema == schemas_.end()) continue;
    const std::size_t size = data.size == unknown_size ? schema->second->size : data.size;
    for (const Field& field : schema->second->fields) decode(domain, field, bytes, size, out);
  }
  return out;
}

}  // namespace warpwalk::instrumentation
