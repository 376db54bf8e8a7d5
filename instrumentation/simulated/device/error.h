#pragma once

// This folder has what the simulated GPU of a program has, which lives as long as the program: memory, modules,
// streams, graphs, its clock. What it does with them is in instrumentation/simulated/engine.

namespace warpwalk::simulated {

/// Results of CUDA calls. cudaError_t (driver_types.h) and CUresult (cuda.h) have the same numbers for what both have.
enum class Error : int {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_initialized = 3,
  deinitialized = 4,
  invalid_configuration = 9,
  invalid_pitch_value = 12,
  invalid_symbol = 13,
  invalid_host_pointer = 16,
  invalid_device_pointer = 17,
  invalid_texture = 18,
  invalid_channel_descriptor = 20,
  invalid_memcpy_direction = 21,
  invalid_filter_setting = 26,
  invalid_norm_setting = 27,
  missing_configuration = 52,
  invalid_device_function = 98,
  no_device = 100,
  invalid_device = 101,
  invalid_kernel_image = 200,
  device_uninitialized = 201,
  no_kernel_image_for_device = 209,
  unsupported_limit = 215,
  peer_access_unsupported = 217,
  invalid_ptx = 218,
  jit_compiler_not_found = 221,
  invalid_source = 300,
  file_not_found = 301,
  shared_object_symbol_not_found = 302,
  operating_system = 304,
  invalid_resource_handle = 400,
  illegal_state = 401,
  lossy_query = 402,
  symbol_not_found = 500,
  not_ready = 600,
  illegal_address = 700,
  launch_out_of_resources = 701,
  launch_timeout = 702,
  peer_access_already_enabled = 704,
  peer_access_not_enabled = 705,
  set_on_active_process = 708,
  context_is_destroyed = 709,
  assert_failed = 710,
  host_memory_already_registered = 712,
  host_memory_not_registered = 713,
  hardware_stack_error = 714,
  illegal_instruction = 715,
  misaligned_address = 716,
  invalid_address_space = 717,
  invalid_pc = 718,
  launch_failure = 719,
  cooperative_launch_too_large = 720,
  not_permitted = 800,
  not_supported = 801,
  stream_capture_unsupported = 900,
  stream_capture_invalidated = 901,
  stream_capture_merge = 902,
  stream_capture_unmatched = 903,
  stream_capture_unjoined = 904,
  stream_capture_isolation = 905,
  stream_capture_implicit = 906,
  captured_event = 907,
  stream_capture_wrong_thread = 908,
  graph_exec_update_failure = 910,
  invalid_cluster_size = 912,
  unknown = 999,
};

/// The name of an error as the runtime gives it ("cudaErrorInvalidValue"), and its description; null for other numbers.
const char* runtime_name(int error);
const char* runtime_text(int error);
/// The same as the driver gives them ("CUDA_ERROR_INVALID_VALUE").
const char* driver_name(int error);
const char* driver_text(int error);

}  // namespace warpwalk::simulated
