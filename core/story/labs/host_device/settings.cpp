#include <algorithm>

#include <fmt/format.h>

#include "core/records/hardware.h"
#include "core/story/labs/host_device/host_device.h"

namespace warpwalk::story {

HostDevice::HostDevice(const SceneInput& in) : input(in), record(in.hardware.host_device) {
  sizes = record.sizes("h2d_pageable");
  if (!sizes.empty()) {
    const auto last = static_cast<std::int64_t>(sizes.size()) - 1;
    bytes = sizes[static_cast<std::size_t>(controls.slider("size", steps_by(0, static_cast<double>(last), 1),
                                                           std::min<std::int64_t>(7, last), "example"))];
  }
  const auto choose = [&](std::string_view control, const auto& keys, std::size_t fallback) {
    std::vector<std::string> words;
    for (const std::string_view key : keys) words.push_back(word(key));
    return controls.choice(control, std::move(words), fallback, "example");
  };
  way = static_cast<Way>(choose("way", way_keys, 0));
  advice = choose("advice", advice_keys, 0);
  uses = static_cast<int>(controls.slider("uses", steps_growing(1, 64), 4, "example"));
  adds = controls.slider("adds", steps_growing(1, 1024), 32, "example");
  pinned = choose("pinned", std::initializer_list<std::string_view>{"pageable_memory", "pinned_memory"}, 1) == 1;
  const auto last = static_cast<std::int64_t>(steps().size()) - 1;
  step = static_cast<std::size_t>(controls.pointed("step", last, 2));
  mistake =
      static_cast<std::size_t>(controls.pointed("mistake", static_cast<std::int64_t>(std::size(mistake_keys)) - 1, 0));
}

std::string HostDevice::word(std::string_view key, const Narration::Values& values) const {
  return input.narration.text(fmt::format("{}.word", name), key, values);
}

std::string HostDevice::mistake_text(std::size_t number, std::string_view column) const {
  return input.narration.text(fmt::format("{}.mistake", name), fmt::format("{}_{}", mistake_keys[number], column));
}

std::string HostDevice::rate_text(double bytes_per_ns) const {
  return word("n_rate", {{"n", bytes_per_ns >= 999.5 ? with_thousands(static_cast<std::int64_t>(bytes_per_ns + 0.5))
                                                     : with_marks(fmt::format("{:.3g}", bytes_per_ns))}});
}

std::string HostDevice::times_text(double times) const {
  return word("n_times", {{"n", times >= 9.95 ? with_thousands(static_cast<std::int64_t>(times + 0.5))
                                              : with_marks(fmt::format("{:.1f}", times))}});
}

std::string HostDevice::uses_text(int number) const {
  return word(number == 1 ? "kernel_once" : "kernels", {{"n", fmt::to_string(number)}});
}

std::string HostDevice::adds_text() const { return word(adds == 1 ? "add" : "adds", {{"n", with_thousands(adds)}}); }

std::vector<Control> HostDevice::take_controls() {
  std::vector<Control> all = controls.take();
  for (Control& control : all)
    if (control.name == "size") control.shown = bytes_text(bytes);
  return all;
}

bool HostDevice::recorded() const {
  return sizes.size() > 2 && std::ranges::all_of(std::initializer_list<Way>{Way::async, Way::pageable, Way::pinned,
                                                                            Way::managed, Way::prefetched},
                                                 [&](Way one) { return !calls(one).empty(); });
}

double HostDevice::done_ns(std::string_view what) const {
  const records::HostDeviceTime* const one = time(what);
  return one == nullptr ? 0 : one->done_ns();
}

double HostDevice::returned_ns(std::string_view what) const {
  const records::HostDeviceTime* const one = time(what);
  return one == nullptr ? 0 : one->returned.median;
}

const std::vector<ManagedStep>& HostDevice::steps() const {
  using Pages = ManagedStep::Pages;
  static const std::vector<ManagedStep> on_demand = {{"step_allocate", "malloc_managed", Pages::nowhere},
                                                     {"step_write", "managed_populate", Pages::cpu},
                                                     {"step_first", "managed_kernel_first", Pages::gpu},
                                                     {"step_second", "managed_kernel_second", Pages::gpu},
                                                     {"step_read", "managed_host_read", Pages::cpu}};
  static const std::vector<ManagedStep> prefetch = {{"step_allocate", "malloc_managed", Pages::nowhere},
                                                    {"step_write", "managed_populate", Pages::cpu},
                                                    {"step_prefetch", "managed_prefetch_gpu", Pages::gpu},
                                                    {"step_kernel", "managed_kernel_prefetched", Pages::gpu},
                                                    {"step_prefetch_back", "managed_prefetch_cpu", Pages::cpu},
                                                    {"step_read", "managed_host_read_prefetched", Pages::cpu}};
  static const std::vector<ManagedStep> read_mostly = {{"step_allocate", "malloc_managed", Pages::nowhere},
                                                       {"step_write", "managed_populate", Pages::cpu},
                                                       {"step_first_read", "managed_read_mostly_first", Pages::both},
                                                       {"step_second_read", "managed_read_mostly_second", Pages::both},
                                                       {"step_read", "managed_read_mostly_host", Pages::both}};
  return advice == 0 ? on_demand : advice == 1 ? prefetch : read_mostly;
}

}  // namespace warpwalk::story
