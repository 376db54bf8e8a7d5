#include "tests/traces/made_traces.h"

#include <algorithm>
#include <random>

#include <fmt/format.h>

namespace warpwalk {
namespace {

constexpr std::int64_t us = 1000;

// One rank: its program runs up to the next all-reduce, then all ranks go on together.
class Rank {
 public:
  Rank(const MadeRun& run, std::size_t number) : run_(run), number_(number), random_(run.seed * 1000 + number) {
    if (run.shifted_clocks && number > 0) {
      offset_ = std::uniform_int_distribution<std::int64_t>(-3'000'000'000, 3'000'000'000)(random_);
      drift_ = std::uniform_real_distribution<double>(-20e-6, 20e-6)(random_);
    }
  }

  // Runs to the next collective; false at the end of the program.
  bool advance() {
    if (step_ == run_.steps) return false;
    if (layer_ == 0) {
      begin_step();
      forward();
    }
    ops(1, "train.py(40): backward", "aten::mm", "gemm_backward", 2 * kernel_time());
    launch_collective();
    return true;
  }
  std::int64_t arrival() const { return arrival_; }
  std::int64_t end() const { return std::max({now_, computed_, communicated_}) - start; }
  // The collective has ended on this rank.
  void end_collective(std::int64_t end) {
    event("kernel", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", 20, arrival_,
          end - arrival_,
          fmt::format(R"("device": {}, "stream": 20, "correlation": {}, "grid": [24, 1, 1], "block": [512, 1, 1])",
                      number_, collective_));
    communicated_ = end;
    if (++layer_ < run_.layers) return;
    layer_ = 0;
    computed_ = std::max(computed_, communicated_);  // the optimizer's stream waits for the all-reduces
    call("cudaStreamWaitEvent", 2 * us, 0);
    ops(2, "train.py(50): update", "aten::_foreach_add_", "multi_tensor_apply", 30 * us);
    if (run_.waits_at_end) wait("cudaStreamSynchronize", "train.py(52): report");
    event("user_annotation", fmt::format("ProfilerStep#{}", step_), 1, step_begin_, now_ - step_begin_, "");
    event("python_function", "train.py(10): step", 1, step_begin_ + 1, now_ - step_begin_ - 2, "");
    now_ += jitter(20 * us);
    ++step_;
  }

  std::string text() const {
    std::string all = fmt::format(
        R"({{"schemaVersion": 1, "distributedInfo": {{"backend": "nccl", "rank": {}, "world_size": {}, "pg_count": 1, "pg_config": [{{"pg_name": "0", "pg_desc": "default_pg", "backend_config": "cuda:nccl", "pg_size": {}, "ranks": [{}]}}]}}, "baseTimeNanoseconds": 1790000000000000000, "traceEvents": [)",
        number_, run_.ranks, run_.ranks, ranks());
    for (std::size_t i = 0; i < events_.size(); ++i) all += (i == 0 ? "\n" : ",\n") + events_[i];
    return all + "\n]}\n";
  }

 private:
  bool delayed() const { return run_.delay != Delay::none && number_ == run_.late; }
  std::int64_t kernel_time() const {
    const std::int64_t time = run_.bound_by_gpu ? 250 * us : 6 * us;
    return delayed() && run_.delay == Delay::more_work ? time * 3 / 2 : time;
  }
  // A time within 5 % of this one; what belongs to the delay has none.
  std::int64_t jitter(std::int64_t time) {
    if (exact_) return time;
    return time + std::uniform_int_distribution<std::int64_t>(-time / 20, time / 20)(random_);
  }
  std::string ranks() const {
    std::string all;
    for (std::size_t i = 0; i < run_.ranks; ++i) all += (i == 0 ? "" : ", ") + std::to_string(i);
    return all;
  }
  std::int64_t clock(std::int64_t time) const {
    return time + offset_ + static_cast<std::int64_t>(drift_ * static_cast<double>(time));
  }

  void event(const char* category, const std::string& name, int tid, std::int64_t from, std::int64_t duration,
             const std::string& args) {
    const std::int64_t begin = clock(from), length = clock(from + duration) - begin;
    const bool gpu = std::string_view(category) == "kernel" || std::string_view(category) == "gpu_memcpy";
    events_.push_back(fmt::format(
        R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": {}, "tid": {}, "ts": {}.{:03}, "dur": {}.{:03}, "args": {{{}}}}})",
        category, name, gpu ? number_ : 100 + number_, tid, begin / us + 10'000'000, (begin % us + us) % us,
        length / us, length % us, args));
  }

  void call(const char* name, std::int64_t time, std::int64_t correlation) {
    event("cuda_runtime", name, 1, now_, time, fmt::format(R"("correlation": {})", correlation));
    now_ += time;
  }

  void ops(std::size_t count, const std::string& frame, const char* op, const char* kernel, std::int64_t time) {
    const std::int64_t begin = now_;
    now_ += us;
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t op_begin = now_;
      now_ += jitter(20 * us);
      launch(kernel, jitter(time));
      now_ += jitter(5 * us);
      event("cpu_op", op, 1, op_begin, now_ - op_begin, R"("External id": 1)");
      now_ += jitter(10 * us);
    }
    event("python_function", frame, 1, begin, now_ - begin, "");
  }

  void launch(const char* kernel, std::int64_t time) {
    ++correlation_;
    const std::int64_t called = now_;
    call("cudaLaunchKernel", jitter(6 * us), correlation_);
    const std::int64_t start = std::max(computed_ + us, called + 8 * us);
    event("kernel", kernel, 7, start, time,
          fmt::format(R"("device": {}, "stream": 7, "correlation": {}, "grid": [{}, 1, 1], "block": [256, 1, 1])",
                      number_, correlation_, delayed() && run_.delay == Delay::more_work ? 192 : 128));
    computed_ = start + time;
  }

  void launch_collective() {
    const std::int64_t begin = now_;
    now_ += jitter(15 * us);
    call("cudaStreamWaitEvent", 2 * us, 0);
    collective_ = ++correlation_;
    const std::int64_t called = now_;
    call("cudaLaunchKernelExC", jitter(8 * us), collective_);
    now_ += 3 * us;
    event(
        "cpu_op", "record_param_comms", 1, begin, now_ - begin,
        fmt::format(
            R"("Collective name": "allreduce", "dtype": "BFloat16", "In msg nelems": {0}, "Out msg nelems": {0}, "Group size": {1}, "Process Group Name": "0", "Process Group Description": "default_pg", "Process Group Ranks": "[{2}]", "Rank": {3})",
            1'000'000 + layer_, run_.ranks, ranks(), number_));
    arrival_ = std::max({communicated_ + us, called + 9 * us, computed_ + 2 * us});
  }

  // A call that returns when all work has ended.
  void wait(const char* name, const std::string& frame) {
    const std::int64_t begin = now_, call_begin = now_ + 2 * us;
    const std::int64_t end = std::max({call_begin + 3 * us, computed_ + 2 * us, communicated_ + 2 * us});
    now_ = call_begin;
    call(name, end - call_begin, ++correlation_);
    now_ += us;
    event("python_function", frame, 1, begin, now_ - begin, "");
  }

  void begin_step() {
    step_begin_ = now_;
    now_ += 2 * us;
    const std::int64_t begin = now_;
    now_ += jitter(40 * us);
    if (delayed() && run_.delay == Delay::sleep) {
      event("python_function", "<built-in function sleep>", 1, now_, run_.time, "");
      now_ += run_.time;
    }
    if (delayed() && run_.delay == Delay::python_loop) {
      event("python_function", "train.py(25): tokenize", 1, now_, run_.time, "");
      now_ += run_.time;
    }
    now_ += jitter(10 * us);
    event("python_function", "train.py(20): load_batch", 1, begin, now_ - begin, "");
    if (delayed() && run_.delay == Delay::kernels) {
      const std::int64_t each = 100 * us;
      exact_ = true;
      ops(static_cast<std::size_t>(run_.time / each), "train.py(30): augment", "aten::tanh", "tanh_kernel", each);
      exact_ = false;
    }
    if (delayed() && run_.delay == Delay::copy) copy();
  }

  // A copy to pageable memory: the call returns when it has ended.
  void copy() {
    const std::int64_t begin = now_, called = now_ + 5 * us;
    const std::int64_t start = std::max(computed_ + us, called + 10 * us), end = start + run_.time;
    event("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", 7, start, run_.time,
          fmt::format(R"("device": {}, "stream": 7, "correlation": {}, "bytes": 1000000)", number_, ++correlation_));
    now_ = called;
    call("cudaMemcpyAsync", end + 5 * us - called, correlation_);
    computed_ = end;
    now_ += us;
    event("python_function", "train.py(35): dump", 1, begin, now_ - begin, "");
  }

  void forward() {
    ops(2 * run_.layers, "train.py(38): forward", "aten::addmm", "gemm_forward", kernel_time());
    if (delayed() && run_.delay == Delay::synchronize) wait("cudaDeviceSynchronize", "train.py(45): log_metrics");
    // Every rank does this while its GPU computes.
    const std::int64_t begin = now_;
    now_ += run_.bound_by_gpu ? run_.time / 2 : 50 * us;
    event("python_function", "train.py(47): metrics", 1, begin, now_ - begin, "");
  }

  const MadeRun& run_;
  std::size_t number_;
  std::mt19937_64 random_;
  std::int64_t offset_ = 0;
  double drift_ = 0;
  std::size_t step_ = 0, layer_ = 0;
  bool exact_ = false;
  static constexpr std::int64_t start = 5'000'000'000;
  std::int64_t now_ = start, step_begin_ = 0;     // of the CPU
  std::int64_t computed_ = 0, communicated_ = 0;  // ends of the streams' work
  std::int64_t arrival_ = 0, correlation_ = 0, collective_ = 0;
  std::vector<std::string> events_;
};

}  // namespace

MadeTraces made_traces(const MadeRun& run) {
  std::vector<Rank> ranks;
  for (std::size_t i = 0; i < run.ranks; ++i) ranks.emplace_back(run, i);
  std::mt19937_64 random(run.seed);  // of the ends of all-reduces
  for (bool goes_on = true; goes_on;) {
    std::int64_t last = 0;
    for (Rank& rank : ranks) {
      goes_on = rank.advance();
      last = std::max(last, rank.arrival());
    }
    if (!goes_on) break;
    // Every rank leaves within some microseconds.
    for (Rank& rank : ranks)
      rank.end_collective(last + 60 * us + std::uniform_int_distribution<std::int64_t>(0, 4 * us)(random));
  }
  MadeTraces made;
  for (const Rank& rank : ranks) {
    made.texts.push_back(rank.text());
    made.duration = std::max(made.duration, rank.end());
  }
  return made;
}

}  // namespace warpwalk
