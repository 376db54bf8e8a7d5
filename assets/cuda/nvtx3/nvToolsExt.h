// NVTX 3: ranges and marks, for the tool that NVTX_INJECTION64_PATH names. The calls that programs use, as NVIDIA's
// reference documents them; without a tool they do nothing. Payloads, resources and names of other objects are left
// out.
#pragma once

#if __has_include(<dlfcn.h>)

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE (static_cast<uint16_t>(sizeof(nvtxEventAttributes_t)))

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st* nvtxStringHandle_t;
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;
typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;

namespace warpwalk_nvtx {

using Function = void (*)();
/// The slots of NVTX's tables "core" and "core2" that the functions below use, by NVTX's numbers.
enum Core { mark_ex = 1, mark_a, mark_w, start_ex, start_a, start_w, end, push_ex, push_a, push_w, pop };
enum Core2 {
  domain_mark_ex = 1,
  domain_start_ex,
  domain_end,
  domain_push_ex,
  domain_pop,
  register_string_a = 10,
  domain_create_a = 12,
  domain_destroy = 14,
  slot_count = 17
};

/// The functions of the tool; a null pointer for a function that it does not take.
struct Tool {
  Function core[slot_count] = {}, core2[slot_count] = {};
  Function *core_slots[slot_count] = {}, *core2_slots[slot_count] = {};
};
inline Tool& slots() {
  static Tool tool;
  return tool;
}

struct Callbacks {
  size_t size;
  int (*table)(uint32_t module, Function*** table, unsigned* count);
};
inline int table_of(uint32_t module, Function*** table, unsigned* count) {
  constexpr uint32_t core_module = 1, core2_module = 5;
  if (module != core_module && module != core2_module) return 0;
  *table = module == core_module ? slots().core_slots : slots().core2_slots;
  if (count != nullptr) *count = slot_count;
  return 1;
}
inline const void* export_table(uint32_t id) {
  static const Callbacks callbacks = {sizeof(Callbacks), table_of};
  return id == 1 ? &callbacks : nullptr;
}

/// Loads the tool at the first call.
inline Tool& tool() {
  static const bool is_loaded = [] {
    Tool& own = slots();
    for (int i = 0; i < slot_count; ++i) own.core_slots[i] = &own.core[i], own.core2_slots[i] = &own.core2[i];
    const char* const path = getenv("NVTX_INJECTION64_PATH");
    void* const library = path == nullptr ? nullptr : dlopen(path, RTLD_LAZY);
    if (library == nullptr) return false;
    using Initialize = int (*)(const void* (*)(uint32_t));
    const auto initialize = reinterpret_cast<Initialize>(dlsym(library, "InitializeInjectionNvtx2"));
    return initialize != nullptr && initialize(export_table) != 0;
  }();
  static_cast<void>(is_loaded);
  return slots();
}

/// Calls a function of the tool; without it, returns `otherwise`.
template <class Result, class... Values>
Result call(Function function, Result otherwise, Values... values) {
  return function == nullptr ? otherwise : reinterpret_cast<Result (*)(Values...)>(function)(values...);
}
template <class... Values>
void call_without_result(Function function, Values... values) {
  if (function != nullptr) reinterpret_cast<void (*)(Values...)>(function)(values...);
}

}  // namespace warpwalk_nvtx

inline void nvtxInitialize(const void*) { warpwalk_nvtx::tool(); }
inline void nvtxMarkEx(const nvtxEventAttributes_t* event) {
  warpwalk_nvtx::call_without_result(warpwalk_nvtx::tool().core[warpwalk_nvtx::mark_ex], event);
}
inline void nvtxMarkA(const char* text) {
  warpwalk_nvtx::call_without_result(warpwalk_nvtx::tool().core[warpwalk_nvtx::mark_a], text);
}
inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t* event) {
  return warpwalk_nvtx::call(warpwalk_nvtx::tool().core[warpwalk_nvtx::start_ex], nvtxRangeId_t{0}, event);
}
inline nvtxRangeId_t nvtxRangeStartA(const char* text) {
  return warpwalk_nvtx::call(warpwalk_nvtx::tool().core[warpwalk_nvtx::start_a], nvtxRangeId_t{0}, text);
}
inline void nvtxRangeEnd(nvtxRangeId_t range) {
  warpwalk_nvtx::call_without_result(warpwalk_nvtx::tool().core[warpwalk_nvtx::end], range);
}
inline int nvtxRangePushEx(const nvtxEventAttributes_t* event) {
  return warpwalk_nvtx::call(warpwalk_nvtx::tool().core[warpwalk_nvtx::push_ex], -2, event);
}
inline int nvtxRangePushA(const char* text) {
  return warpwalk_nvtx::call(warpwalk_nvtx::tool().core[warpwalk_nvtx::push_a], -2, text);
}
inline int nvtxRangePop() { return warpwalk_nvtx::call(warpwalk_nvtx::tool().core[warpwalk_nvtx::pop], -2); }

inline nvtxDomainHandle_t nvtxDomainCreateA(const char* name) {
  return warpwalk_nvtx::call(warpwalk_nvtx::tool().core2[warpwalk_nvtx::domain_create_a], nvtxDomainHandle_t{}, name);
}
inline void nvtxDomainDestroy(nvtxDomainHandle_t domain) {
  warpwalk_nvtx::call_without_result(warpwalk_nvtx::tool().core2[warpwalk_nvtx::domain_destroy], domain);
}
inline nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, const char* text) {
  return warpwalk_nvtx::call(warpwalk_nvtx::tool().core2[warpwalk_nvtx::register_string_a], nvtxStringHandle_t{},
                             domain, text);
}
inline void nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  warpwalk_nvtx::call_without_result(warpwalk_nvtx::tool().core2[warpwalk_nvtx::domain_mark_ex], domain, event);
}
inline nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  return warpwalk_nvtx::call(warpwalk_nvtx::tool().core2[warpwalk_nvtx::domain_start_ex], nvtxRangeId_t{0}, domain,
                             event);
}
inline void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t range) {
  warpwalk_nvtx::call_without_result(warpwalk_nvtx::tool().core2[warpwalk_nvtx::domain_end], domain, range);
}
inline int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  return warpwalk_nvtx::call(warpwalk_nvtx::tool().core2[warpwalk_nvtx::domain_push_ex], -2, domain, event);
}
inline int nvtxDomainRangePop(nvtxDomainHandle_t domain) {
  return warpwalk_nvtx::call(warpwalk_nvtx::tool().core2[warpwalk_nvtx::domain_pop], -2, domain);
}

#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA

#endif
