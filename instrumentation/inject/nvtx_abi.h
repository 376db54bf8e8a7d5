#pragma once

#include <cstddef>
#include <cstdint>

/// The part of NVTX 3's binary interface between a program and an injected tool that the recorder uses, as documented
/// in NVIDIA's nvtx3 headers (nvtxDetail/nvtxTypes.h, nvToolsExt.h; for payloads nvToolsExtPayload.h and
/// nvtxDetail/nvtxExtTypes.h). tests/instrumentation compares these declarations with those headers.
namespace warpwalk::instrumentation::nvtx {

/// NvtxCallbackModule.
enum Module : std::uint32_t { module_core = 1, module_core2 = 5 };

/// NvtxCallbackIdCore: indices into the table of module_core.
enum Core : std::uint32_t {
  core_mark_ex = 1,
  core_mark_a = 2,
  core_mark_w = 3,
  core_range_start_ex = 4,
  core_range_start_a = 5,
  core_range_start_w = 6,
  core_range_end = 7,
  core_range_push_ex = 8,
  core_range_push_a = 9,
  core_range_push_w = 10,
  core_range_pop = 11,
  core_name_os_thread_a = 14,
};

/// NvtxCallbackIdCore2: indices into the table of module_core2.
enum Core2 : std::uint32_t {
  core2_domain_mark_ex = 1,
  core2_domain_range_start_ex = 2,
  core2_domain_range_end = 3,
  core2_domain_range_push_ex = 4,
  core2_domain_range_pop = 5,
  core2_domain_register_string_a = 10,
  core2_domain_register_string_w = 11,
  core2_domain_create_a = 12,
  core2_domain_create_w = 13,
};

/// nvtxMessageType_t.
enum MessageType : std::int32_t { message_ascii = 1, message_unicode = 2, message_registered = 3 };

/// nvtxEventAttributes_t of versions 2 and 3.
struct EventAttributes {
  std::uint16_t version, size;
  std::uint32_t category;
  std::int32_t color_type;
  std::uint32_t color;
  std::int32_t payload_type;
  std::int32_t payloads;  ///< with payload_extended: their number
  std::uint64_t payload;  ///< with payload_extended: the address of their PayloadData
  std::int32_t message_type;
  const void* message;
};

using Function = void (*)();
/// The table in which a tool installs its functions: table[index] points to the program's function pointer.
using FunctionTable = Function**;

/// NvtxExportTableCallbacks.
struct Callbacks {
  std::size_t struct_size;
  int (*get_module_function_table)(std::uint32_t module, FunctionTable* table, unsigned* size);
};
constexpr std::uint32_t export_table_callbacks = 1;  ///< NVTX_ETID_CALLBACKS
using GetExportTable = const void* (*)(std::uint32_t id);

// ---- Payloads: the extension that gives events data with a schema.

constexpr std::int32_t payload_extended = static_cast<std::int32_t>(0xDFBD0009u);  ///< NVTX_PAYLOAD_TYPE_EXT

/// nvtxPayloadData_t.
struct PayloadData {
  std::uint64_t schema;  ///< or a FieldType
  std::size_t size;      ///< in bytes; SIZE_MAX: as the schema says
  const void* payload;
};

/// NVTX_PAYLOAD_ENTRY_TYPE_*.
enum FieldType : std::uint64_t {
  type_char = 1,
  type_uchar = 2,
  type_short = 3,
  type_ushort = 4,
  type_int = 5,
  type_uint = 6,
  type_long = 7,
  type_ulong = 8,
  type_longlong = 9,
  type_ulonglong = 10,
  type_int8 = 11,
  type_uint8 = 12,
  type_int16 = 13,
  type_uint16 = 14,
  type_int32 = 15,
  type_uint32 = 16,
  type_int64 = 17,
  type_uint64 = 18,
  type_float = 19,
  type_double = 20,
  type_size = 22,
  type_address = 23,
  type_string = 75,
  type_string_utf8 = 76,
  type_registered_string = 80,
};
/// NVTX_PAYLOAD_ENTRY_FLAG_*.
constexpr std::uint64_t field_is_pointer = 1 << 1, field_is_elsewhere = 3 << 2, field_is_array = 7 << 4,
                        field_is_fixed_array = 1 << 4, field_is_zero_terminated = 2 << 4, field_is_message = 1 << 10;
/// NVTX_PAYLOAD_SCHEMA_ID_STATIC_START and _DYNAMIC_START: numbers that the program, or the tool, gives to schemas.
constexpr std::uint64_t static_schemas = std::uint64_t{1} << 24, dynamic_schemas = std::uint64_t{1} << 32;

/// nvtxPayloadSchemaEntry_t.
struct SchemaField {
  std::uint64_t flags, type;
  const char *name, *description;
  std::uint64_t length;  ///< of an array or string
  std::uint64_t offset;  ///< 0: follows from the fields before
  const void *semantics, *reserved;
};
/// nvtxPayloadSchemaAttr_t, with the bits of its `given`.
struct Schema {
  std::uint64_t given;
  const char* name;
  std::uint64_t type, flags;
  const SchemaField* fields;
  std::size_t field_count, size, alignment;
  std::uint64_t id;
  void* extension;
};
constexpr std::uint64_t schema_type_given = 1 << 2, schema_fields_given = 1 << 4, schema_count_given = 1 << 5,
                        schema_size_given = 1 << 6, schema_alignment_given = 1 << 7, schema_id_given = 1 << 8;
/// NVTX_PAYLOAD_SCHEMA_TYPE_UNION: this type and the next one are unions, those below it are not.
constexpr std::uint64_t union_schema = 3;

/// nvtxPayloadEnum_t.
struct EnumValue {
  const char* name;
  std::uint64_t value;
  std::int8_t is_flag;
};
/// nvtxPayloadEnumAttr_t, with the bits of its `given`.
struct Enum {
  std::uint64_t given;
  const char* name;
  const EnumValue* values;
  std::size_t value_count, size;
  std::uint64_t id;
  void* extension;
};
constexpr std::uint64_t enum_values_given = 1 << 2, enum_count_given = 1 << 3, enum_size_given = 1 << 4,
                        enum_id_given = 1 << 5;

/// nvtxExtModuleSegment_t: slots[index] takes a function of the tool.
struct ExtensionSegment {
  std::size_t id, slot_count;
  std::intptr_t* slots;
};
/// nvtxExtModuleInfo_t.
struct Extension {
  std::uint16_t version, struct_size, module, compatibility;
  std::size_t segment_count;
  ExtensionSegment* segments;
  std::intptr_t (*get_export)(std::uint32_t);
  const void* info;
};
constexpr std::uint16_t extension_payload = 2;  ///< NVTX_EXT_PAYLOAD_MODULEID

/// NVTX3EXT_CBID_*: slots of the payload extension.
enum PayloadCall : std::uint32_t {
  payload_register_schema = 0,
  payload_register_enum = 1,
  payload_mark = 2,
  payload_range_push = 3,
  payload_range_pop = 4,
  payload_range_start = 5,
  payload_range_end = 6,
  payload_domain_is_enabled = 7,
};

}  // namespace warpwalk::instrumentation::nvtx
