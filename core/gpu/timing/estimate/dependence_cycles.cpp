#include "core/gpu/timing/estimate/estimate_code.h"

namespace warpwalk::gpu {

namespace {

constexpr int to_guard = 13, f64_to_guard = 14;

/// To a consumer on the same pipe.
int own_latency(const EstimatedInstruction& producer) {
  switch (producer.timing.pipe) {
    case Pipe::fp64: return 8;
    case Pipe::half: return 5;
    case Pipe::tensor: return static_cast<int>(producer.timing.latency);
    default: return 4;
  }
}

}  // namespace

int dependence_cycles(const EstimatedInstruction& producer, const EstimatedInstruction& consumer, std::int32_t reg) {
  const Pipe from = producer.timing.pipe, to = consumer.timing.pipe;
  if (producer.compares && reg == consumer.guard) return from == Pipe::fp64 ? f64_to_guard : to_guard;
  const int own = own_latency(producer);
  if (from == to || from == Pipe::tensor) return own;
  // The halves of the FMA pipe count as one.
  const bool both_fma = (from == Pipe::fma || from == Pipe::fma_heavy) && (to == Pipe::fma || to == Pipe::fma_heavy);
  return both_fma ? own : own + (from == Pipe::fp64 ? 2 : 1);
}

int completion_cycles(const EstimatedInstruction& producer) {
  if (producer.compares) return producer.timing.pipe == Pipe::fp64 ? f64_to_guard : to_guard;
  return own_latency(producer) + (producer.timing.pipe == Pipe::fp64 ? 2 : 1);
}

}  // namespace warpwalk::gpu
