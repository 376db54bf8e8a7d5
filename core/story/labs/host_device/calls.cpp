#include "core/story/labs/host_device/calls.h"

#include <algorithm>

namespace warpwalk::story {
namespace {

double gpu_ns(const records::HostDeviceTime& time) { return time.gpu ? time.gpu->median : time.done_ns(); }

// The program as far as it was written: the time that the CPU has reached, and when the GPU is free.
class Program {
 public:
  Program(const records::HostDeviceRecord& record, double bytes) : record_(record), bytes_(bytes) {}

  // The record of an operation; notes it if there is none.
  const records::HostDeviceTime& time(std::string_view name, bool sized = true) {
    static const records::HostDeviceTime none;
    const records::HostDeviceTime* const found = record_.find(name, sized ? bytes_ : 0);
    complete_ = complete_ && found != nullptr;
    return found == nullptr ? none : *found;
  }

  // Something that the CPU does alone.
  void on_cpu(std::string_view key, std::string_view name) { occupy(key, time(name).returned.median, false); }

  // A call that starts work on the GPU; the CPU goes on when it returns.
  void start(std::string_view key, std::string_view name, Lane lane, std::string_view work) {
    const records::HostDeviceTime& one = time(name);
    const double length = std::min(gpu_ns(one), one.done_ns());
    const double begin = std::max(gpu_free_, cpu_ + one.done_ns() - length);
    spans_.push_back({lane, work, begin, begin + length});
    gpu_free_ = begin + length;
    occupy(key, one.returned.median, false);
  }

  // A call that returns when its work is done, after the work before it.
  void finish(std::string_view key, std::string_view name, Lane lane, std::string_view work, bool waits) {
    const records::HostDeviceTime& one = time(name);
    const double begin = std::max(cpu_, gpu_free_), done = begin + one.done_ns();
    spans_.push_back({lane, work, done - std::min(gpu_ns(one), one.done_ns()), done});
    gpu_free_ = done;
    if (begin > cpu_) occupy(key, begin - cpu_, true);
    occupy(key, one.returned.median, waits);
  }

  // The CPU waits for everything that it started.
  void synchronize() {
    occupy("synchronize", std::max(gpu_free_ - cpu_, 0.0) + time("synchronize", false).returned.median, true);
  }

  std::vector<CallSpan> take() { return complete_ ? std::move(spans_) : std::vector<CallSpan>(); }

 private:
  void occupy(std::string_view key, double ns, bool waits) {
    CallSpan* const last = spans_.empty() ? nullptr : &spans_.back();
    if (last != nullptr && last->lane == Lane::cpu && last->key == key && last->waits == waits && last->to == cpu_)
      last->to += ns;
    else
      spans_.push_back({Lane::cpu, key, cpu_, cpu_ + ns, waits});
    cpu_ += ns;
  }

  const records::HostDeviceRecord& record_;
  double bytes_;
  double cpu_ = 0, gpu_free_ = 0;
  bool complete_ = true;
  std::vector<CallSpan> spans_;
};

}  // namespace

std::vector<CallSpan> program_calls(const records::HostDeviceRecord& record, double bytes, Way way) {
  Program program(record, bytes);
  if (way == Way::managed || way == Way::prefetched) {
    const bool prefetched = way == Way::prefetched;
    program.on_cpu("malloc_managed", "malloc_managed");
    program.on_cpu("write", "managed_populate");
    if (prefetched) program.start("prefetch", "managed_prefetch_gpu", Lane::copies, "pages_in");
    program.start("launch", prefetched ? "managed_kernel_prefetched" : "managed_kernel_first", Lane::gpu,
                  prefetched ? "kernel" : "kernel_faults");
    if (prefetched) program.start("prefetch", "managed_prefetch_cpu", Lane::copies, "pages_out");
    program.synchronize();
    program.on_cpu(prefetched ? "read" : "read_faults",
                   prefetched ? "managed_host_read_prefetched" : "managed_host_read");
    program.on_cpu("free", "free_managed");
    return program.take();
  }
  program.on_cpu("write", way == Way::pageable ? "host_write" : "host_write_pinned");
  program.on_cpu("malloc", "malloc");
  if (way == Way::async)
    program.start("copy_async", "h2d_pinned_async", Lane::copies, "copy_in");
  else if (way == Way::pinned)
    program.finish("copy", "h2d_pinned", Lane::copies, "copy_in", true);
  else
    program.finish("copy", "h2d_pageable", Lane::copies, "copy_in", false);
  program.start("launch", "kernel", Lane::gpu, "kernel");
  if (way == Way::async) {
    program.start("copy_async", "d2h_pinned_async", Lane::copies, "copy_out");
    program.synchronize();
  } else if (way == Way::pinned) {
    program.finish("copy", "d2h_pinned", Lane::copies, "copy_out", true);
  } else {
    program.finish("copy", "d2h_pageable", Lane::copies, "copy_out", false);
  }
  program.on_cpu("read", "host_read");
  program.on_cpu("free", "free");
  return program.take();
}

bool has_room(const CallSpan& span, double total) { return span.to - span.from > 0.16 * total; }

double total_ns(const std::vector<CallSpan>& spans) {
  double end = 0;
  for (const CallSpan& span : spans) end = std::max(end, span.to);
  return end;
}

double cpu_busy_ns(const std::vector<CallSpan>& spans) {
  double busy = 0;
  for (const CallSpan& span : spans)
    if (span.lane == Lane::cpu && !span.waits) busy += span.to - span.from;
  return busy;
}

}  // namespace warpwalk::story
