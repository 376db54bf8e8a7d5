#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "instrumentation/cupti_abi.h"

namespace warpwalk::instrumentation {

/// CUPTI's functions, loaded at run time. Functions that some versions lack may be null; the others never are.
struct Cupti {
  using BufferRequested = void(std::uint8_t** buffer, std::size_t* bytes, std::size_t* max_records);
  using BufferCompleted = void(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t bytes,
                               std::size_t valid_bytes);
  using Callback = void(void* user, std::uint32_t domain, std::uint32_t cbid, const void* data);

  int (*get_version)(std::uint32_t*) = nullptr;
  int (*get_result_string)(int, const char**) = nullptr;
  int (*subscribe)(void** subscriber, Callback*, void* user) = nullptr;
  int (*unsubscribe)(void* subscriber) = nullptr;
  int (*register_callbacks)(BufferRequested*, BufferCompleted*) = nullptr;
  int (*enable)(std::uint32_t kind) = nullptr;
  int (*disable)(std::uint32_t kind) = nullptr;
  int (*flush_all)(std::uint32_t flag) = nullptr;
  int (*get_next_record)(std::uint8_t* buffer, std::size_t valid_bytes, void** record) = nullptr;
  int (*get_dropped)(void* context, std::uint32_t stream, std::size_t* dropped) = nullptr;
  int (*get_callback_name)(std::uint32_t domain, std::uint32_t cbid, const char** name) = nullptr;
  int (*set_thread_id_type)(std::uint32_t) = nullptr;
  int (*enable_and_dump)(std::uint32_t kind) = nullptr;  ///< may be null
  int (*enable_callback)(std::uint32_t enable, void* subscriber, std::uint32_t domain,
                         std::uint32_t cbid) = nullptr;                                      ///< may be null
  int (*get_attribute)(std::uint32_t attribute, std::size_t* bytes, void* value) = nullptr;  ///< may be null
  int (*set_attribute)(std::uint32_t attribute, std::size_t* bytes, void* value) = nullptr;  ///< may be null
  int (*enable_latency_timestamps)(std::uint8_t) = nullptr;                                  ///< may be null
  int (*enable_runtime_api)(std::uint32_t cbid, std::uint8_t) = nullptr;                     ///< may be null
  int (*enable_driver_api)(std::uint32_t cbid, std::uint8_t) = nullptr;                      ///< may be null

  std::uint32_t version() const;
  /// "CUPTI_ERROR_... (error 39)".
  std::string error_text(int result) const;
};

struct LoadedCupti {
  Cupti functions;
  void* subscriber = nullptr;
  int result = cupti::success;
  std::string error;  ///< one line if no CUPTI could be loaded and subscribed to, otherwise empty
};

/// Loads CUPTI and subscribes to it: the one that the program has already loaded, or else the newest one installed.
/// `callback` is called for what Cupti::enable_callback enables.
LoadedCupti load_cupti(Cupti::Callback* callback);

}  // namespace warpwalk::instrumentation
