#pragma once

#include <cstddef>
#include <cstdint>

/// The part of NVTX 3's binary interface between a program and an injected tool that the recorder uses, as documented
/// in NVIDIA's nvtx3 headers (nvtxDetail/nvtxTypes.h, nvToolsExt.h). tests/instrumentation compares these declarations
/// with those headers.
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
  std::int32_t payload_type, reserved;
  std::uint64_t payload;
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

}  // namespace warpwalk::instrumentation::nvtx
