#pragma once

#include <string_view>
#include <vector>

#include "core/records/host_device_times.h"

namespace warpwalk::story {

/// How a program brings its data to the GPU and back.
enum class Way : unsigned char {
  pageable,    ///< cudaMemcpy from memory of malloc()
  pinned,      ///< cudaMemcpy from memory of cudaMallocHost
  async,       ///< cudaMemcpyAsync from memory of cudaMallocHost, one synchronization at the end
  managed,     ///< cudaMallocManaged; pages move when they are touched
  prefetched,  ///< cudaMallocManaged with cudaMemPrefetchAsync
};
constexpr std::size_t way_count = 5;

enum class Lane : unsigned char { cpu, copies, gpu };

/// A stretch of the program on one of the three lanes.
struct CallSpan {
  Lane lane = Lane::cpu;
  std::string_view key;     ///< "copy_in"; a word of the lab
  double from = 0, to = 0;  ///< ns
  bool waits = false;       ///< the CPU only waits for the GPU
};

/// The program "write on the CPU, allocate, copy, run one kernel, copy back, read, free" on a buffer of this size. The
/// lengths are recorded medians. Their places follow the rules of a stream: a call occupies the CPU until it returned;
/// work on the GPU starts after the work before it, and no earlier than its own recorded latency allows. Empty if
/// something was not recorded at this size.
std::vector<CallSpan> program_calls(const records::HostDeviceRecord& record, double bytes, Way way);

/// Whether a span is wide enough for its name on an axis of this length.
bool has_room(const CallSpan& span, double total);
/// The end of the last span.
double total_ns(const std::vector<CallSpan>& spans);
/// Time in which the CPU does something itself.
double cpu_busy_ns(const std::vector<CallSpan>& spans);

}  // namespace warpwalk::story
