#pragma once

// Common to all parts of the lab "host-device": the settings, the record that it reads, and the pictures.
#include "core/records/hardware.h"
#include "core/story/labs/host_device/calls.h"
#include "core/story/labs/host_device/costs.h"
#include "core/story/labs/lab_parts.h"

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
  const records::HostDeviceRecord& record;
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

  double progress() const { return part(input.moment.phase, 0.05, 0.9); }  ///< of the beat's motion
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
  const records::HostDeviceTime* time(std::string_view what) const { return record.find(what, bytes); }
  double done_ns(std::string_view what) const;
  double returned_ns(std::string_view what) const;
  std::vector<CallSpan> calls(Way one) const { return program_calls(record, bytes, one); }
  /// The steps of managed memory under the chosen advice.
  const std::vector<ManagedStep>& steps() const;
  std::vector<ComparedSize> compared() const {
    return compared_sizes(record, input.hardware.core_times, static_cast<double>(adds), pinned);
  }
};

/// The program on three lanes, to scale. `shown`: 0 to 1.
Panel calls_panel(const HostDevice& lab, double shown);
/// The program by kind of memory: total, and what the CPU does in it.
Panel ways_table(const HostDevice& lab);

/// The pieces of a copy from pageable or from pinned memory, in their order.
Panel pieces_panel(const HostDevice& lab, bool pinned, double shown);
/// The calls of PyTorch that copy: until they return, and until the data is there.
Panel copies_table(const HostDevice& lab);

/// Bytes against bandwidth, by kind of memory and direction.
Panel bandwidth_panel(const HostDevice& lab);
/// Bytes per ns of the link, from its recorded generation and width; 0 if they were not recorded.
double link_rate(const records::HostDeviceRecord& record);

/// The pages of a managed buffer, and who holds them after the chosen step. `shown`: 0 to 1, of the step.
Panel pages_panel(const HostDevice& lab, double shown);
Panel steps_table(const HostDevice& lab);

/// Kernels on the same data against the time of four ways.
Panel uses_panel(const HostDevice& lab);
/// Elements against the time of the CPU, of the kernel, and of the kernel with copies.
Panel even_panel(const HostDevice& lab);

/// The kinds of memory: how to get them, who can use them, what they cost.
Panel kinds_panel(const HostDevice& lab);
/// The properties that CUDA reports for the recorded machine.
Panel platform_panel(const HostDevice& lab);

/// The code of the chosen mistake, why it gives what it gives, and what each of them gave.
Panel mistake_code(const HostDevice& lab);
Panel mistake_reason(const HostDevice& lab);
Panel mistakes_table(const HostDevice& lab);

}  // namespace warpwalk::story
