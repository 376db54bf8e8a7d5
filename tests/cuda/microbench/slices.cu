// The L2 slice of lines: two lines that all SMs read in turn take twice as long if one slice serves both.
#include "bench.h"

namespace {

constexpr int most = 128;  // slices that are distinguished

__global__ void contend(const char* a, const char* b, std::size_t zero, int loads, unsigned long long* longest,
                        unsigned* sink) {
  unsigned sum = 0;
  const long long start = now();
#pragma unroll 4
  for (int i = 0; i < loads; ++i) {
    unsigned v, w;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(a));
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(w) : "l"(b));
    sum += v ^ w;
    a += zero;
    b += zero;
  }
  if (sum == 1) *sink = sum;
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(longest, static_cast<unsigned long long>(now() - start));
}

class Slices {
 public:
  /// The slice of a line, numbered in the order of discovery; -1: more than `most` slices.
  int of(std::size_t offset) {
    if (alone_ == 0) {
      representatives_.push_back(offset);
      compare(offset);
      alone_ = 0.55 * static_cast<double>(time_.read(1)[0]);  // a line against itself takes twice the time
      return 0;
    }
    compare(offset);
    const auto times = time_.read(representatives_.size());
    const auto longest = std::max_element(times.begin(), times.end());
    if (static_cast<double>(*longest) > 1.45 * alone_) return static_cast<int>(longest - times.begin());
    if (representatives_.size() == most) return -1;
    representatives_.push_back(offset);
    return static_cast<int>(representatives_.size()) - 1;
  }

 private:
  void compare(std::size_t offset) {
    time_.clear();
    for (std::size_t i = 0; i < representatives_.size(); ++i)
      contend<<<sm_count(), 128>>>(data_.get() + representatives_[i], data_.get() + offset, 0, 24, time_.get() + i,
                            sink_.get());
    check(cudaGetLastError());
  }

  DeviceArray<char> data_{std::size_t(4) << 30};
  DeviceArray<unsigned long long> time_{most};
  DeviceArray<unsigned> sink_{1};
  std::vector<std::size_t> representatives_;
  double alone_ = 0;
};

void list(Slices& slices, const char* name, std::size_t first, std::size_t step, int lines) {
  std::printf("slices,%s,first=%zu step=%zu,", name, first, step);
  for (int i = 0; i < lines; ++i) std::printf("%s%d", i ? " " : "", slices.of(first + i * step));
  std::printf(",\n");
  std::fflush(stdout);
}

}  // namespace

int main() {
  Slices slices;
  list(slices, "lines", 0, 128, 2048);
  list(slices, "step_512", 0, 512, 4096);
  list(slices, "step_4K", 0, 4096, 512);
  list(slices, "lines_2MB_further", std::size_t(2) << 20, 128, 256);
  list(slices, "step_64K", 0, 65536, 512);
  list(slices, "step_2M", 0, std::size_t(2) << 20, 512);
}
