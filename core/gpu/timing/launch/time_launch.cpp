#include "core/gpu/timing/launch/time_launch.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include "core/gpu/timing/launch/block_dispatch.h"
#include "core/gpu/timing/launch/cache_state.h"
#include "core/gpu/timing/launch/sm_workers.h"
#include "core/gpu/timing/launch/timed_launch.h"
#include "core/gpu/timing/launch/warm_memory.h"
#include "core/gpu/timing/memory_system.h"
#include "core/gpu/timing/sm.h"
#include "core/platform/give_way.h"

namespace warpwalk::gpu {

namespace {

struct SmResponse {
  std::uint16_t sm = 0;
  MemoryResponse response;
};

/// Takes the requests of an epoch that leave before its end out of the SMs. Later ones stay for the next epoch.
void gather(std::vector<Sm>& sms, double end, std::vector<MemoryRequest>& into) {
  into.clear();
  for (Sm& sm : sms) {
    std::size_t kept = 0;
    for (MemoryRequest& request : sm.requests) {
      if (request.time < end) {
        into.push_back(request);
      } else {
        sm.requests[kept++] = request;
      }
    }
    sm.requests.resize(kept);
    sm.requests_taken();
  }
}

LaunchTiming result_of(const std::vector<Sm>& sms, const MemorySystem& memory, const BlockDispatch& dispatch,
                       const Timing& timing) {
  LaunchTiming result;
  double warp_cycles = 0;
  for (const Sm& sm : sms) {
    const SmCounters counters = sm.counters();
    for (std::size_t i = 0; i < stall_reasons; ++i) result.stalls[i] += counters.stalls[i];
    result.warp_instructions += counters.issued;
    result.thread_instructions += counters.thread_instructions;
    result.slots_with_warp += counters.slots_with_warp;
    result.cycles_active += counters.active;
    result.l1_sectors += counters.l1_sectors;
    result.l1_hits += counters.l1_hits;
    warp_cycles += counters.warp_cycles;
  }
  if (result.cycles_active > 0)
    result.achieved_occupancy = 100 * warp_cycles / result.cycles_active / timing.warps_per_sm;
  result.scheduler_cycles =
      static_cast<std::uint64_t>(result.cycles_active) * static_cast<unsigned>(timing.sub_partitions);
  result.cycles_active /= timing.sms;
  result.launch_cost = timing.launch_overhead;
  double last = dispatch.last_end();
  for (const Sm& sm : sms) last = std::max(last, sm.last_confirmation());
  result.cycles = std::ceil(last) + timing.launch_overhead;
  result.cycles_blocks = std::max(dispatch.last_end(), last - timing.latency_l2);
  const L2Counters& l2 = memory.l2().counters();
  result.l2_sectors = l2.sectors;
  result.l2_hits = l2.hits;
  result.dram_read_bytes = memory.l2().memory().sectors_read() * 32;
  result.dram_write_bytes = memory.l2().memory().sectors_written() * 32;
  result.sm = dispatch.sm();
  result.start = dispatch.start();
  result.end = dispatch.end();
  return result;
}

std::uint64_t issued_by(const std::vector<Sm>& sms) {
  std::uint64_t sum = 0;
  for (const Sm& sm : sms) sum += sm.counters().issued;
  return sum;
}

/// Tells the recorder what the SMs have done by the end of an epoch.
void report_activity(const std::vector<Sm>& sms, double end, LaunchRecorder& recorder) {
  std::vector<std::uint64_t> issued;
  std::vector<double> warp_cycles;
  for (const Sm& sm : sms) {
    issued.push_back(sm.counters().issued);
    warp_cycles.push_back(sm.warp_cycles(end));
  }
  recorder.epoch_ended(issued, warp_cycles);
}

/// Runs the launch to its end. Returns nothing if blocks on different host threads raced for memory, which then has its
/// old contents again, and so has options.state.
std::optional<LaunchTiming> run(const TimedLaunch& launch, const TimingOptions& options, int threads) {
  const SmContext& context = launch.sm;
  LaunchRecorder* const recorder = options.recorder;
  MemorySystem memory(options.state != nullptr ? options.state->l2(threads > 1) : L2(context.timing, launch.device));
  if (options.state != nullptr) memory.l2().begin_launch();
  if (context.caches != CacheStart::cold) warm(memory.l2(), {{code_base, 16 * launch.instructions()}});
  if (context.caches == CacheStart::warm) {
    // Each partition keeps what it uses, so lines that SMs of both need are there twice.
    const double room = context.timing.l2_bytes / std::max(1.0, context.timing.l2_partitions);
    warm(memory.l2(), warm_memory(*context.program, *launch.context().launch, static_cast<std::uint64_t>(room)));
  }
  const auto epoch = std::max<std::int64_t>(1, static_cast<std::int64_t>(memory.epoch()));
  std::vector<Sm> sms;
  sms.reserve(static_cast<std::size_t>(context.timing.sms));
  for (int i = 0; i < context.timing.sms; ++i) sms.emplace_back(context, static_cast<std::uint16_t>(i));
  BlockDispatch dispatch(launch.device, context.timing, launch.context(), launch.occupancy, options.max_blocks);
  if (recorder != nullptr) {
    recorder->begin(dispatch.cluster_groups(), epoch);
    recorder->record().caches = context.caches;
    for (Sm& sm : sms) sm.recorder = recorder;
  }
  if (options.observer)
    for (Sm& sm : sms) sm.observer = options.observer(sm.id(), *launch.context().memory);
  dispatch.start_first(sms);
  SmWorkers workers(launch.context(), launch.instructions(), threads, threads > 1, recorder);
  if (options.by_instruction) workers.count_by_instruction();

  // Responses come no earlier than after the next epoch, so a second thread can run the SMs' next epoch meanwhile.
  const bool overlaps = threads > 1 && recorder == nullptr && memory.epoch() >= static_cast<double>(epoch);
  std::vector<MemoryRequest> requests;
  std::vector<SmResponse> responses;
  const auto serve = [&](std::int64_t end) {
    responses.clear();
    memory.serve(requests, static_cast<double>(end), [&](std::uint16_t sm, const MemoryResponse& response) {
      responses.push_back({sm, response});
    });
  };
  const auto deliver = [&] {
    for (const SmResponse& response : responses) sms[response.sm].receive(response.response);
  };
  bool stopped = false, cancelled = false, cut = false;
  std::int64_t reached = 0, half_end = 0;
  std::uint64_t half_issued = 0;
  const auto stores = [&] { return std::ranges::any_of(sms, &Sm::has_stores); };
  if (options.progress) options.progress(0, dispatch.blocks());
  for (std::int64_t end = epoch; (!dispatch.done() || stores()) && !stopped && !cancelled && !cut; end += epoch) {
    if (recorder != nullptr) recorder->epoch_begins();
    workers.run(sms, end, [&] {
      if (overlaps) serve(end - epoch);
    });
    platform::give_way();
    if (overlaps) deliver();
    gather(sms, static_cast<double>(end), requests);
    bool any = !requests.empty() || !memory.idle();
    if (!overlaps) {
      serve(end);
      deliver();
    }
    const std::uint64_t ended = dispatch.ended();
    dispatch.replace(sms, static_cast<double>(end));
    if (launch.context().explicit_cluster)
      for (Sm& sm : sms) {
        workers.runs(0, sm.id());
        sm.release_cluster(workers.first(), end);
      }
    if (recorder != nullptr) report_activity(sms, static_cast<double>(end), *recorder);
    any = any || dispatch.ended() != ended;
    if (options.progress && dispatch.ended() != ended) options.progress(dispatch.ended(), dispatch.blocks());
    cancelled = options.cancel != nullptr && options.cancel->load(std::memory_order_relaxed);
    if (options.max_warp_instructions > 0) {
      const std::uint64_t issued = issued_by(sms);
      cut = issued >= options.max_warp_instructions;
      if (half_issued == 0 && issued >= options.max_warp_instructions / 2) half_issued = issued, half_end = end;
    }
    for (const Sm& sm : sms) any = any || !sm.idle() || !sm.requests.empty();
    stopped = !any || std::ranges::any_of(sms, &Sm::failed);
    reached = end;
  }
  if (overlaps) serve(reached);  // for the counters
  if (threads > 1 && workers.conflict()) {
    workers.restore();
    return {};
  }
  if (recorder != nullptr)
    for (const Sm& sm : sms) recorder->record().sms[sm.id()].stalls = sm.counters().stalls;
  cut = cut && !dispatch.done();
  if (cut)
    for (Sm& sm : sms) sm.count_until(reached);
  LaunchTiming result = result_of(sms, memory, dispatch, context.timing);
  result.stalls_by_instruction = workers.stalls_by_instruction();
  result.accesses_by_instruction = workers.accesses_by_instruction();
  result.cut = cut;
  if (cut) result.cycles = static_cast<double>(reached);
  result.half_cycles = static_cast<double>(half_end);
  result.half_warp_instructions = half_issued;
  if (recorder != nullptr) {
    const auto last = static_cast<double>(recorder->record().epochs * epoch - 1);
    for (const Sm& sm : sms) {
      SmRecord& record = recorder->record().sms[sm.id()];
      // An SM that still has warps goes on to the end of the last epoch.
      record.end = sm.has_warps() ? last : sm.last_confirmation();
    }
    for (std::size_t block = 0; block < result.sm.size(); ++block) {
      double& end = recorder->record().sms[static_cast<std::size_t>(result.sm[block])].end;
      end = std::min(std::max(end, result.end[block]), last);
    }
  }
  result.cancelled = cancelled;
  result.stopped = stopped && !dispatch.done();
  if (options.state != nullptr) {
    memory.l2().end_launch();
    options.state->keep(std::move(memory.l2()));
  }
  return result;
}

}  // namespace

base::Result<LaunchTiming> time_launch(const Device& device, const Program& program, Launch& launch,
                                       const TimingOptions& options) {
  auto made = TimedLaunch::make(device, program, launch, options.policy, options.program_order);
  if (!made) return base::Error{made.error()};
  TimedLaunch& timed = **made;
  timed.sm.caches = options.state != nullptr ? CacheStart::carried : options.caches;

  const auto began = std::chrono::steady_clock::now();
  const int threads = timed.in_order() ? 1 : std::clamp(options.threads, 1, timed.sm.timing.sms);
  timed.context().concurrent_host_threads = threads > 1;
  std::optional<LaunchTiming> result = run(timed, options, threads);
  if (!result) {
    timed.context().concurrent_host_threads = false;
    result = run(timed, options, 1);
  }
  result->estimated = timed.sm.estimate != nullptr;
  result->caches = timed.sm.caches;
  result->host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return std::move(*result);
}

}  // namespace warpwalk::gpu
