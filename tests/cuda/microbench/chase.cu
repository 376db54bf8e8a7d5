// One thread loads line after line of a buffer, in an order without a pattern; each address needs the value that was
// loaded before. How long a load takes shows which level of the memory holds the buffer.
//
// An index of a full period stands in for pointers: next = (5 * index + 12345 + value) mod lines, where every value is 0.
#include "bench.h"

constexpr unsigned line_bytes = 128;

/// Visits `warm` lines, then measures `steps` loads. `lines` is a power of two. out[0]: cycles.
extern "C" __global__ void chase(const unsigned* data, unsigned lines, unsigned warm, unsigned steps,
                                 unsigned long long* out) {
  unsigned index = 0;
  for (unsigned i = 0; i < warm; ++i) index = (5 * index + 12345 + data[(line_bytes / 4) * index]) & (lines - 1);
  const long long start = clock64();
  for (unsigned i = 0; i < steps; ++i) index = (5 * index + 12345 + data[(line_bytes / 4) * index]) & (lines - 1);
  out[0] = static_cast<unsigned long long>(clock64() - start);
  out[1] = index;
}

int main() {
  constexpr unsigned most_lines = 1u << 24;  // 2 GiB
  constexpr unsigned most_steps = 4096;
  DeviceArray<unsigned> data(std::size_t{most_lines} * (line_bytes / 4));
  DeviceArray<unsigned long long> out(2);
  for (unsigned lines = 16; lines <= most_lines; lines *= 2) {
    const unsigned steps = lines < most_steps ? lines : most_steps;
    std::vector<double> cycles;
    for (int run = 0; run < 5; ++run) {
      chase<<<1, 1>>>(data.get(), lines, lines, steps, out.get());
      cycles.push_back(static_cast<double>(out.read(1)[0]) / steps);
    }
    std::sort(cycles.begin(), cycles.end());
    row("chase", "load", named("bytes", static_cast<long long>(lines) * line_bytes), cycles[2], "cycles");
  }
}
