// Programs of copies, kernels, events and synchronization on several streams: when each call returned and when each
// operation ran. `streams programs` needs CUPTI, which reports the GPU's times; `streams costs` measures what calls cost
// the CPU, and graphs against single launches, without it.
#include <array>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>

#include <cupti.h>
#include <dlfcn.h>

#include "bench.h"

namespace {

enum Kind { copy_in, kernel, copy_out, record_event, wait_event, sync_stream, sync_device };
constexpr const char* kind_names[] = {"h2d", "kernel", "d2h", "record", "wait", "sync_stream", "sync_device"};
enum Default { legacy, non_blocking, per_thread };
constexpr const char* default_names[] = {"legacy", "non_blocking", "per_thread"};

/// Stream 0 is the default stream. A wait is for the event as it was last recorded.
struct Step {
  Kind kind;
  int stream = 1;
  int quarters = 0;  ///< of the SMs, of a kernel
  int us = 0;        ///< of a copy or of each block of a kernel
};
struct Program {
  std::string name;
  Default mode;
  bool pageable;
  std::vector<Step> steps;
};

Step in(int stream, int us) { return {copy_in, stream, 0, us}; }
Step out(int stream, int us) { return {copy_out, stream, 0, us}; }
Step run(int stream, int quarters, int us) { return {kernel, stream, quarters, us}; }
Step record(int stream) { return {record_event, stream}; }
Step wait(int stream) { return {wait_event, stream}; }
Step sync(int stream) { return {sync_stream, stream}; }
Step sync_all() { return {sync_device, 0}; }

/// Each block spins for a time. With 200 KB of shared memory, an SM takes one block.
__global__ void spin(unsigned long long ns) {
  const unsigned long long until = nanoseconds() + ns;
  while (nanoseconds() < until) {
  }
}
__global__ void empty() {}

constexpr int alone = 200 << 10;

struct Cupti {
  decltype(&cuptiActivityEnable) enable;
  decltype(&cuptiActivityRegisterCallbacks) callbacks;
  decltype(&cuptiActivityFlushAll) flush;
  decltype(&cuptiActivityGetNextRecord) next;
  decltype(&cuptiGetTimestamp) timestamp;

  bool open() {
    void* library = nullptr;
    for (const char* name : {"libcupti.so.13", "/usr/local/cuda/lib64/libcupti.so.13",
                             "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so.13", "libcupti.so.12", "libcupti.so"})
      if (library == nullptr) library = dlopen(name, RTLD_NOW);
    if (library == nullptr) return false;
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
      return function != nullptr;
    };
    return find(enable, "cuptiActivityEnable") && find(callbacks, "cuptiActivityRegisterCallbacks") &&
           find(flush, "cuptiActivityFlushAll") && find(next, "cuptiActivityGetNextRecord") &&
           find(timestamp, "cuptiGetTimestamp");
  }
};
Cupti cupti;

struct Times {
  unsigned long long start = ~0ull, end = 0;
  void take(unsigned long long from, unsigned long long to) {
    start = std::min(start, from);
    end = std::max(end, to);
  }
};
std::mutex lock;
std::map<unsigned, Times> by_correlation;  // copies and kernels; increases in the order of the calls

void CUPTIAPI request(std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
  *size = 1 << 20;
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(16, *size));
  *records = 0;
}
void CUPTIAPI complete(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  CUpti_Activity* one = nullptr;
  const std::lock_guard guard(lock);
  while (valid > 0 && cupti.next(buffer, valid, &one) == CUPTI_SUCCESS) {
    if (one->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
      const auto* copy = reinterpret_cast<const CUpti_ActivityMemcpy5*>(one);
      by_correlation[copy->correlationId].take(copy->start, copy->end);
    } else if (one->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
      const auto* launch = reinterpret_cast<const CUpti_ActivityKernel9*>(one);
      by_correlation[launch->correlationId].take(launch->start, launch->end);
    }
  }
  std::free(buffer);
}

using Clock = std::chrono::steady_clock;
double ns_since(Clock::time_point start) { return std::chrono::duration<double, std::nano>(Clock::now() - start).count(); }
double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Streams, an event and buffers, reused by all programs.
class Bench {
 public:
  static constexpr std::size_t bytes = 64 << 20;

  Bench() : device_(bytes * 2) {
    for (auto& one : streams_) check(cudaStreamCreate(&one));
    for (auto& one : unbound_) check(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
    check(cudaHostAlloc(&pinned_, bytes * 2, cudaHostAllocDefault));
    pageable_ = static_cast<char*>(std::malloc(bytes * 2));
    std::memset(pinned_, 1, bytes * 2);
    std::memset(pageable_, 1, bytes * 2);
    check(cudaFuncSetAttribute(spin, cudaFuncAttributeMaxDynamicSharedMemorySize, alone));
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0));
    sms_ = properties.multiProcessorCount;
    std::fprintf(stderr, "%s, %d SMs, %d copy engines\n", properties.name, sms_, properties.asyncEngineCount);
    for (int i = 0; i < 200; ++i) launch(streams_[0], 4, 1000);  // clocks rise
    check(cudaDeviceSynchronize());
    for (int page = 0; page < 2; ++page)
      for (int out = 0; out < 2; ++out) rate_[page][out] = rate(page != 0, out != 0);
  }

  void launch(cudaStream_t stream, int quarters, int us) {
    spin<<<sms_ * quarters / 4, 128, alone, stream>>>(us * 1000ull);
  }
  void copy(cudaStream_t stream, bool pageable, bool out, std::size_t count) {
    char* const host = (pageable ? pageable_ : pinned_) + (out ? bytes : 0);
    if (out)
      check(cudaMemcpyAsync(host, device_.get() + bytes, count, cudaMemcpyDeviceToHost, stream));
    else
      check(cudaMemcpyAsync(device_.get(), host, count, cudaMemcpyHostToDevice, stream));
  }
  /// Bytes per microsecond of a copy of 16 MB, from the call to the end.
  double rate(bool pageable, bool out) {
    std::vector<double> all;
    for (int i = 0; i < 9; ++i) {
      const auto start = Clock::now();
      copy(streams_[0], pageable, out, 16 << 20);
      check(cudaStreamSynchronize(streams_[0]));
      all.push_back((16 << 20) / (ns_since(start) / 1000));
    }
    return median(all);
  }

  /// Runs the program a few times and prints the quickest run, in ns since its first call.
  void measure(const Program& program) {
    struct Run {
      std::vector<Times> calls, work;
      double total = 1e30;
    } best;
    for (int repeat = 0; repeat < 6; ++repeat) {
      check(cudaDeviceSynchronize());
      cupti.flush(1);
      {
        const std::lock_guard guard(lock);
        by_correlation.clear();
      }
      // CUPTI takes 200 us to get ready for the first record after a flush.
      empty<<<1, 32, 0, streams_[0]>>>();
      check(cudaDeviceSynchronize());
      Run one;
      for (const Step& step : program.steps) {
        Times call;
        cupti.timestamp(reinterpret_cast<uint64_t*>(&call.start));
        perform(program, step);
        cupti.timestamp(reinterpret_cast<uint64_t*>(&call.end));
        one.calls.push_back(call);
      }
      check(cudaDeviceSynchronize());
      cupti.flush(1);
      const std::lock_guard guard(lock);
      if (!by_correlation.empty()) by_correlation.erase(by_correlation.begin());
      std::size_t expected = 0;
      for (const Step& step : program.steps) expected += step.kind <= copy_out;
      if (by_correlation.size() != expected) {
        std::fprintf(stderr, "%s: %zu of %zu operations\n", program.name.c_str(), by_correlation.size(), expected);
        continue;
      }
      auto at = by_correlation.begin();
      unsigned long long last = one.calls.back().end;
      for (const Step& step : program.steps) {
        one.work.push_back(step.kind <= copy_out ? (at++)->second : Times{0, 0});
        last = std::max(last, one.work.back().end);
      }
      one.total = double(last - one.calls[0].start);
      if (repeat > 0 && one.total < best.total) best = one;  // the first run warms up
    }
    if (best.calls.empty()) return;
    const unsigned long long zero = best.calls[0].start;
    for (std::size_t i = 0; i < program.steps.size(); ++i) {
      const Step& step = program.steps[i];
      std::printf("%s,%s,%s,%s,%d,%d,%d,%lld,%lld,", program.name.c_str(), default_names[program.mode],
                  program.pageable ? "pageable" : "pinned", kind_names[step.kind], step.stream, step.quarters, step.us,
                  static_cast<long long>(best.calls[i].start - zero), static_cast<long long>(best.calls[i].end - zero));
      if (step.kind <= copy_out)
        std::printf("%lld,%lld\n", static_cast<long long>(best.work[i].start - zero),
                    static_cast<long long>(best.work[i].end - zero));
      else
        std::printf(",\n");
    }
    std::fflush(stdout);
  }

  void costs();

 private:
  cudaStream_t handle(const Program& program, int stream) const {
    if (stream == 0) return program.mode == per_thread ? cudaStreamPerThread : cudaStreamLegacy;
    return (program.mode == non_blocking ? unbound_ : streams_)[stream - 1];
  }
  void perform(const Program& program, const Step& step) {
    const cudaStream_t stream = handle(program, step.stream);
    switch (step.kind) {
      case copy_in:
      case copy_out: {
        const bool out = step.kind == copy_out;
        copy(stream, program.pageable, out, std::min(bytes, std::size_t(rate_[program.pageable][out] * step.us)));
        break;
      }
      case kernel: launch(stream, step.quarters, step.us); break;
      case record_event: check(cudaEventRecord(event_, stream)); break;
      case wait_event: check(cudaStreamWaitEvent(stream, event_, 0)); break;
      case sync_stream: check(cudaStreamSynchronize(stream)); break;
      case sync_device: check(cudaDeviceSynchronize()); break;
    }
  }

  DeviceArray<char> device_;
  std::array<cudaStream_t, 4> streams_, unbound_;
  cudaEvent_t event_;
  char *pinned_ = nullptr, *pageable_ = nullptr;
  int sms_ = 0;
  double rate_[2][2];
};

/// Prints: what, kernels, ns of each kernel, CPU ns of the calls, ns until the GPU had finished; medians.
void cost(const char* what, long long count, double kernel_ns, double cpu, double total) {
  std::printf("%s,%lld,%.0f,%.0f,%.0f\n", what, count, kernel_ns, cpu, total);
  std::fflush(stdout);
}

void Bench::costs() {
  const cudaStream_t stream = unbound_[0];
  // One call, repeated; `call` may queue work, which ends before the next one is timed.
  const auto one = [&](const char* what, const auto& call) {
    std::vector<double> cpu, total;
    for (int i = 0; i < 300; ++i) {
      const auto start = Clock::now();
      call();
      const double returned = ns_since(start);
      check(cudaStreamSynchronize(stream));
      cpu.push_back(returned);
      total.push_back(ns_since(start));
      check(cudaDeviceSynchronize());
    }
    cost(what, 1, 0, median(cpu), median(total));
  };
  one("launch", [&] { empty<<<1, 32, 0, stream>>>(); });
  one("copy_call", [&] { copy(stream, false, false, 64 << 10); });
  one("record_call", [&] { check(cudaEventRecord(event_, stream)); });
  one("wait_call", [&] { check(cudaStreamWaitEvent(stream, event_, 0)); });
  one("sync_stream_idle", [&] { check(cudaStreamSynchronize(stream)); });
  one("sync_device_idle", [&] { check(cudaDeviceSynchronize()); });
  one("query_idle", [&] { check(cudaStreamQuery(stream)); });
  one("launch_and_sync_stream", [&] {
    empty<<<1, 32, 0, stream>>>();
    check(cudaStreamSynchronize(stream));
  });
  one("launch_and_sync_device", [&] {
    empty<<<1, 32, 0, stream>>>();
    check(cudaDeviceSynchronize());
  });
  for (const bool pageable : {false, true})
    for (const bool out : {false, true})
      for (const std::size_t size : {std::size_t(64) << 10, std::size_t(1) << 20, std::size_t(32) << 20}) {
        std::vector<double> cpu, total;
        for (int i = 0; i < 15; ++i) {
          const auto start = Clock::now();
          copy(stream, pageable, out, size);
          cpu.push_back(ns_since(start));
          check(cudaStreamSynchronize(stream));
          total.push_back(ns_since(start));
        }
        const std::string name = std::string(pageable ? "pageable_" : "pinned_") + (out ? "d2h" : "h2d");
        cost(name.c_str(), static_cast<long long>(size), 0, median(cpu), median(total));
      }
  for (const int kernel_ns : {0, 2000, 5000, 10000, 20000})
    for (int count = 1; count <= 64; count *= 2) {
      const auto queue = [&](cudaStream_t to, bool sync_each) {
        for (int i = 0; i < count; ++i) {
          if (kernel_ns == 0)
            empty<<<1, 32, 0, to>>>();
          else
            spin<<<1, 32, 0, to>>>(kernel_ns);
          if (sync_each) check(cudaStreamSynchronize(to));
        }
      };
      const auto series = [&](const char* what, const auto& call) {
        std::vector<double> cpu, total;
        for (int i = 0; i < 60; ++i) {
          check(cudaDeviceSynchronize());
          const auto start = Clock::now();
          call();
          cpu.push_back(ns_since(start));
          check(cudaStreamSynchronize(stream));
          total.push_back(ns_since(start));
        }
        cost(what, count, kernel_ns, median(cpu), median(total));
      };
      series("single_launches", [&] { queue(stream, false); });
      series("sync_after_each", [&] { queue(stream, true); });
      cudaGraph_t graph;
      cudaGraphExec_t ready;
      check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
      queue(stream, false);
      check(cudaStreamEndCapture(stream, &graph));
      const auto start = Clock::now();
      check(cudaGraphInstantiate(&ready, graph, 0));
      const double made = ns_since(start);
      check(cudaGraphUpload(ready, stream));
      series("graph", [&] { check(cudaGraphLaunch(ready, stream)); });
      cost("instantiate", count, kernel_ns, made, made);
      check(cudaGraphExecDestroy(ready));
      check(cudaGraphDestroy(graph));
    }
}

std::vector<Program> programs() {
  std::vector<Program> all = {
      {"serial", legacy, false, {in(1, 200), run(1, 2, 300), out(1, 200), in(1, 200), run(1, 2, 300), out(1, 200)}},
      {"two_streams", legacy, false, {in(1, 200), run(1, 2, 300), out(1, 200), in(2, 200), run(2, 2, 300), out(2, 200)}},
      {"quarters", legacy, false, {run(1, 1, 400), run(2, 1, 400), run(3, 1, 400), run(4, 1, 400), run(1, 1, 200)}},
      {"whole", legacy, false, {run(1, 4, 300), run(2, 4, 300)}},
      {"more_than_all", legacy, false, {run(1, 3, 400), run(2, 2, 400)}},
      {"leftover", legacy, false, {run(1, 3, 600), run(2, 2, 150), run(3, 1, 150)}},
      {"two_in", legacy, false, {in(1, 400), in(2, 400)}},
      {"in_and_out", legacy, false, {in(1, 400), out(2, 400)}},
      {"sync_stream", legacy, false, {run(1, 1, 300), run(2, 1, 700), sync(1), run(1, 1, 200)}},
      {"sync_device", legacy, false, {run(1, 1, 300), run(2, 1, 700), sync_all(), run(1, 1, 200)}},
      {"unrecorded", legacy, false, {wait(2), run(1, 1, 400), run(2, 1, 400)}},
      {"recorded_again", legacy, false,
       {run(1, 1, 700), record(1), run(2, 1, 200), record(2), wait(3), run(3, 1, 200)}},
      {"event", legacy, false,
       {in(1, 300), record(1), run(2, 1, 150), wait(2), run(2, 2, 300), in(1, 300), out(2, 200)}},
  };
  std::vector<Step> depth, breadth;
  for (int c = 1; c <= 4; ++c) {
    depth.insert(depth.end(), {in(c, 150), run(c, 2, 200), out(c, 150)});
    breadth.push_back(in(c, 150));
  }
  for (int c = 1; c <= 4; ++c) breadth.push_back(run(c, 2, 200));
  for (int c = 1; c <= 4; ++c) breadth.push_back(out(c, 150));
  for (const bool pageable : {false, true}) {
    const std::string suffix = pageable ? "_pageable" : "";
    all.push_back({"depth_first" + suffix, legacy, pageable, depth});
    all.push_back({"breadth_first" + suffix, legacy, pageable, breadth});
  }
  all.push_back({"pageable_in", legacy, true, {run(1, 1, 500), in(1, 300), run(2, 1, 300)}});
  all.push_back({"pageable_out", legacy, true, {run(1, 1, 500), out(1, 300), run(2, 1, 300)}});
  all.push_back({"pageable_other", legacy, true, {run(1, 1, 900), in(2, 300), run(3, 1, 300), out(2, 300)}});
  for (const Default mode : {legacy, non_blocking, per_thread}) {
    const std::string suffix = std::string("_") + default_names[mode];
    all.push_back({"default" + suffix, mode, false, {run(1, 1, 400), run(0, 1, 400), run(2, 1, 400)}});
    all.push_back({"default_sync" + suffix, mode, false, {run(1, 1, 500), sync(0), run(2, 1, 300)}});
    all.push_back({"default_event" + suffix, mode, false, {run(1, 1, 500), record(0), wait(2), run(2, 1, 300)}});
    all.push_back({"default_copy" + suffix, mode, false,
                   {run(1, 1, 400), run(2, 1, 600), out(0, 200), in(1, 200), run(2, 1, 200)}});
  }
  // Random programs; their times differ by 70 us, so that few ends coincide with starts elsewhere.
  unsigned state = 5;
  const auto below = [&](unsigned n) { return (state = state * 1664525u + 1013904223u, (state >> 8) % n); };
  for (int i = 0; i < 30; ++i) {
    Program one{"random_" + std::to_string(i), Default(i % 3), i % 5 == 4, {}};
    const int streams = 2 + int(below(3));
    for (int s = 0; s < 9; ++s) {
      const int stream = i % 2 ? int(below(streams + 1)) : 1 + int(below(streams));
      const unsigned kind = below(20);
      const int us = 100 + 70 * int(below(7));
      if (kind < 4) one.steps.push_back(in(stream, us));
      else if (kind < 11) one.steps.push_back(run(stream, 1 + int(below(4)), us));
      else if (kind < 14) one.steps.push_back(out(stream, us));
      else if (kind < 16) one.steps.push_back(record(stream));
      else if (kind < 18) one.steps.push_back(wait(stream));
      else if (kind < 19) one.steps.push_back(sync(stream));
      else one.steps.push_back(sync_all());
    }
    all.push_back(one);
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const bool costs = argc > 1 && std::strcmp(argv[1], "costs") == 0;
  if (!costs && !cupti.open()) {
    std::fprintf(stderr, "CUPTI was not found; set LD_LIBRARY_PATH to its folder\n");
    return 1;
  }
  if (!costs) {
    cupti.callbacks(request, complete);
    cupti.enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    cupti.enable(CUPTI_ACTIVITY_KIND_MEMCPY);
  }
  Bench bench;
  if (costs) {
    std::printf("what,count,kernel_ns,cpu_ns,total_ns\n");
    bench.costs();
  } else {
    std::printf("program,default,host,kind,stream,quarters,us,call_ns,returned_ns,start_ns,end_ns\n");
    for (const Program& program : programs()) bench.measure(program);
  }
}
