#pragma once

// Common to all parts of the lab "host-device": the settings and the record that it reads.
#include "core/story/labs/host_device/calls.h"
#include "core/story/labs/host_device/costs.h"
#include "core/story/labs/lab.h"
#include "core/story/records/hardware.h"

namespace warpwalk::story {

/// A step of managed memory, in the order of the program.
struct ManagedStep {
  std::string_view key;     ///< a word of the lab
  std::string_view record;  ///< name of its time
  enum class Pages : unsigned char { nowhere, cpu, gpu, both } after = Pages::nowhere;
};

/// The settings of the lab, with the recorded times that belong to them.
struct HostDevice {
  static constexpr std::string_view name = "lab/host-device";
  static constexpr std::string_view way_keys[way_count] = {"pageable", "pinned", "async", "managed", "prefetched"};
  static constexpr std::string_view advice_keys[] = {"on_demand", "prefetch", "read_mostly"};
  static constexpr std::string_view mistake_keys[] = {
      "use_after_free_large",   "use_after_free_small",   "past_the_end_small", "free_twice",
      "host_pointer_in_kernel", "device_pointer_on_host", "call_after_error",   "forgotten_free"};

  const SceneInput& input;
  const HostDeviceRecord& record;
  ControlSet controls{input, name};
  std::vector<double> sizes;  ///< bytes
  double bytes = 0;
  Way way = Way::pageable;
  std::size_t advice = 0;   ///< number in advice_keys
  std::size_t step = 0;     ///< number in steps()
  std::size_t mistake = 0;  ///< number in mistake_keys
  int uses = 1;
  std::int64_t adds = 1;
  bool pinned = true;  ///< the copies of the comparison with the CPU

  explicit HostDevice(const SceneInput& in);

  std::string word(std::string_view key, const Narration::Values& values = {}) const;
  /// The "name" of a mistake, or "why" it gives what it gives.
  std::string mistake_text(std::size_t number, std::string_view column) const;
  /// "12.3 GB/s".
  std::string rate_text(double bytes_per_ns) const;
  /// "1.7 times".
  std::string times_text(double times) const;
  /// "4 kernels".
  std::string uses_text(int number) const;
  /// "32 multiply-adds per element".
  std::string adds_text() const;
  /// The controls; that of the size, which is a number in a list, shows bytes.
  std::vector<Control> take_controls();
  bool recorded() const;
  /// Null if it was not recorded at the chosen size.
  const HostDeviceTime* time(std::string_view what) const { return record.find(what, bytes); }
  double done_ns(std::string_view what) const;
  double returned_ns(std::string_view what) const;
  std::vector<CallSpan> calls(Way one) const { return program_calls(record, bytes, one); }
  /// The steps of managed memory under the chosen advice.
  const std::vector<ManagedStep>& steps() const;
  std::vector<ComparedSize> compared() const {
    return compared_sizes(record, input.hardware.core_times, static_cast<double>(adds), pinned);
  }
};

}  // namespace warpwalk::story
