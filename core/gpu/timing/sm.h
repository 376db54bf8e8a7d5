#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "core/gpu/exec/machine/machine.h"
#include "core/gpu/timing/cache_start.h"
#include "core/gpu/timing/coalescer.h"
#include "core/gpu/timing/estimated_code.h"
#include "core/gpu/timing/event_queue.h"
#include "core/gpu/timing/instruction_fetch.h"
#include "core/gpu/timing/instruction_timing.h"
#include "core/gpu/timing/issue_policy.h"
#include "core/gpu/timing/launch_recorder.h"
#include "core/gpu/timing/memory_request.h"
#include "core/gpu/timing/register_file.h"
#include "core/gpu/timing/resource.h"
#include "core/gpu/timing/sector_cache.h"
#include "core/gpu/timing/sm_state.h"
#include "core/gpu/timing/stall_reason.h"
#include "core/gpu/timing/timing.h"

namespace warpwalk::gpu {

/// Data that all SMs of a launch share; constant while they run.
struct SmContext {
  Timing timing;
  std::vector<InstructionTiming> instructions;  ///< `constant` is an index into the lines that they use
  std::size_t constant_lines = 0;               ///< how many lines of the constant banks they use
  const EstimatedCode* estimate = nullptr;      ///< null if the program is machine code
  const Program* program = nullptr;
  std::uint64_t l1_lines = 0;     ///< what shared memory leaves of the unified L1, in lines of 128 bytes
  std::uint32_t local_lines = 0;  ///< lines of local memory per warp
  IssuePolicy policy = IssuePolicy::greedy_then_youngest;
  CacheStart caches = CacheStart::cold;
};

/// Counts of one SM.
struct SmCounters {
  StallCycles stalls{};
  std::uint64_t issued = 0, thread_instructions = 0;
  std::uint64_t slots_with_warp = 0;  ///< cycles in which a scheduler had a warp, summed over the schedulers
  std::uint64_t l1_sectors = 0, l1_hits = 0;
  double active = 0;       ///< cycles with a resident warp
  double warp_cycles = 0;  ///< resident warps, summed over cycles
};

/// A block that ended on an SM.
struct EndedBlock {
  double time = 0;
  std::uint64_t block = 0;
};

/// One SM: its warps, four schedulers, pipes, load-store unit and L1. It runs on its own until a given cycle; its
/// requests to L2 gather in `requests`, and responses come with receive().
class Sm {
 public:
  Sm(const SmContext& context, std::uint16_t id);

  /// Starts a block at a cycle that is not in the past.
  void start(BlockState& block, double at);
  /// Runs until the cycle `end`, exclusive. Adds the stalls of each instruction to `by_instruction`.
  void run(Machine& machine, std::vector<StallCycles>& by_instruction, std::int64_t end);
  void receive(const MemoryResponse& response);
  /// Call when its requests have been taken out. Of what happens at the same time, the responses that receive() gets
  /// from now on come before what is added later, even if they are passed to it only after the next run().
  void requests_taken() {
    constexpr std::uint64_t most_responses = std::uint64_t{1} << 32;
    response_order_ = event_order_;
    event_order_ += most_responses;
  }

  std::uint16_t id() const { return id_; }
  /// True if nothing will happen any more without a response or a new block.
  bool idle() const { return events_.empty() && received_.empty() && next_cycle() == never; }
  SmCounters counters() const { return counters_; }
  /// Adds to the counters what the resident warps do until this cycle: of a launch that is not run to its end.
  void count_until(std::int64_t cycle);
  /// Resident warps, summed over the cycles before `now`.
  double warp_cycles(double now) const { return counters_.warp_cycles + (now - residents_since_) * resident_; }
  /// When L2 confirmed the last of its stores so far. A launch ends no earlier.
  double last_confirmation() const { return last_confirmation_; }
  bool has_stores() const { return stores_ > 0; }
  bool has_warps() const { return resident_ > 0; }
  /// True if a finding ended the launch.
  bool failed() const { return failed_; }
  SmState state() const;
  /// Points to copies of the blocks that it runs instead: `copy_of` maps each block to its copy.
  void move_blocks(const std::function<BlockState*(const BlockState*)>& copy_of);
  /// Bytes of memory that it takes, about.
  std::size_t bytes() const;
  /// Lets warps go on whose cluster's barrier was completed by a block on another SM.
  void release_cluster(Machine& machine, std::int64_t now);

  std::vector<MemoryRequest> requests;  ///< in the order of their times, except for delayed ones
  std::vector<EndedBlock> ended;
  LaunchRecorder* recorder = nullptr;  ///< records the SM's inputs; null if they are not recorded
  SmObserver* observer = nullptr;      ///< receives events; null if they are not observed

  static constexpr std::int64_t never = EventQueue<int>::never;

 private:
  static constexpr std::size_t counters_per_warp = 6;

  /// An access to memory that the program has made before the instruction issues.
  struct EarlyAccess {
    std::uint32_t source;  ///< instruction of the program
    LoggedAccess access;
  };
  /// The lanes that an instruction was executed for before it issues.
  struct EarlyLanes {
    std::uint32_t source;  ///< instruction of the program
    std::uint32_t lanes;   ///< not predicated off
  };
  /// A warp slot. The members that eligible() reads come first, so that they share cache lines of the host.
  struct alignas(64) Slot {
    Warp* warp = nullptr;  ///< null: free
    BlockState* block = nullptr;
    std::int64_t ready_at = 0;         ///< its next instruction does not issue before
    std::int64_t since = 0;            ///< start of the current reason
    std::uint32_t next = no_index;     ///< of the program; no_index: the warp waits for other warps or has ended
    std::uint32_t code = no_index;     ///< to issue: index into SmContext::instructions
    std::uint32_t at = 0;              ///< instruction that the current reason counts for
    std::uint32_t fetched = no_index;  ///< the line in its instruction buffer
    std::uint16_t number = 0;          ///< its own index
    std::uint8_t sub = 0;              ///< its sub-partition
    std::uint8_t place = 0;            ///< bit of SubPartition::timed
    StallReason reason = StallReason::wait;
    bool exited = false;
    bool ending = false;       ///< its last store has left, but results are still on their way
    bool waits = false;        ///< for other warps, at a barrier
    bool fenced = false;       ///< waits for its stores
    bool independent = false;  ///< its next instruction waits for nothing but units
    /// If its instruction waits only for this dependence counter: to be at most `waits_until`.
    std::uint8_t waits_for = InstructionTiming::no_counter;
    std::uint8_t waits_until = 0;
    std::uint8_t phase_counter = InstructionTiming::no_counter;  ///< released with the result
    std::array<std::uint16_t, counters_per_warp> pending{};      ///< dependence counters
    std::array<bool, counters_per_warp> pending_long{};          ///< waits for L1TEX
    std::uint32_t stores = 0;                                    ///< not confirmed yet
    std::uint64_t age = 0;                                       ///< larger for warps that started later
    std::array<std::uint32_t, counters_per_warp> set_by{};       ///< the last instruction that counted it up
    std::array<std::int64_t, counters_per_warp> set_at{};        ///< the cycle in which it did
    double last_store = 0;                                       ///< when its last store leaves the SM
    std::uint32_t resident_block = 0;                            ///< index into blocks_
    std::vector<std::uint32_t> copies;                           ///< loads of LDGSTS that belong to no group yet
    PhaseWait phase;                                             ///< TRYWAIT: no lanes if it does not wait
    std::uint32_t phase_waits = 0;                               ///< TRYWAITs so far that had to wait
    double products_done = 0;        ///< when the last product of its warp group is complete
    std::vector<double> group_ends;  ///< the same for the groups of products, the newest last
    double bulk_stores_read = 0;     ///< when its last bulk store has been read from shared memory
    // Estimated code
    std::uint32_t region = 0;             ///< index into EstimatedCode::regions
    std::uint32_t entry = 0;              ///< instruction of the program at which it entered the region
    std::uint32_t lanes = 0;              ///< active lanes
    std::vector<EarlyAccess> early;       ///< executed, but not issued yet
    std::vector<EarlyLanes> early_lanes;  ///< of instructions that are predicated off for some lanes
  };
  /// What L1 notes about a line.
  struct L1Line {
    std::array<std::uint32_t, 4> requests{};  ///< by sector: the request that fetches it, if it is arriving
    std::uint8_t present = 0;                 ///< a bit for each sector
    std::uint8_t arriving = 0;                ///< fetched, but not here yet
    std::uint8_t written = 0;                 ///< written by stores
  };
  using L1 = SectorCache<L1Line>;
  /// A load, atomic or copy in flight.
  struct Load {
    std::uint16_t slot = 0;
    std::uint8_t counter = InstructionTiming::no_counter;
    std::uint16_t remaining = 0;  ///< responses
    bool copy = false;
    double done = 0;
    std::uint32_t then = no_index;  ///< the group of copies that it belongs to
    std::uint32_t bulk = no_index;  ///< index into bulk_: the copy whose last data it is
  };
  /// A bulk copy to shared memory in flight.
  struct Bulk {
    const BlockState* block = nullptr;  ///< that made it; null: none
    std::uint64_t index = 0;            ///< of the block
    std::vector<LoggedBulk::Completion> completions;
  };
  /// A request to L2 that will be answered. In one cache line of the host.
  struct alignas(64) Pending {
    std::uint32_t load = no_index;    ///< that waits for it; no_index: none
    std::uint32_t line = L1::none;    ///< index into L1; none: not kept
    std::vector<std::uint32_t> more;  ///< further loads
    std::uint64_t number = 0;         ///< the line: address / 128; fetch: of the code
    std::uint64_t warp = 0;           ///< store: Slot::age of the warp, which may have ended
    double left_at = 0;               ///< cycle in which it left, or will leave, the SM
    std::uint16_t slot = 0;           ///< store: of the warp
    std::uint8_t sectors = 0;
    MemoryRequest::Kind kind = MemoryRequest::Kind::load;
    bool in_flight = false;
    bool bulk = false;  ///< by the tensor memory accelerator
  };
  static_assert(sizeof(Pending) == 64);
  template <class Visit>
  static void for_each_load(const Pending& pending, Visit visit) {
    if (pending.load != no_index) visit(pending.load);
    for (const std::uint32_t load : pending.more) visit(load);
  }
  /// A line on its way to L2, with which later stores merge as long as it waits.
  struct RecentStore {
    std::uint64_t line = ~std::uint64_t{0};
    double leaves = 0;
    std::size_t request = 0;  ///< its index in `requests`, if they have not been taken out since
    std::uint8_t sectors = 0;
  };
  struct Event {
    enum class Kind : std::uint8_t { start_warp, release, response, leave_queue, end_warp, bulk_end, phase_timeout };
    double time = 0;
    std::uint64_t order = 0;
    std::uint32_t a = 0;
    std::uint16_t slot = 0;
    Kind kind = Kind::release;
  };
  struct SubPartition {
    std::vector<std::uint16_t> warps;  ///< slots in use
    std::uint64_t timed = 0;           ///< slots whose check_at_ is not `never`, a bit each
    std::array<double, pipe_count> pipe_free{};
    RegisterFile registers;
    Resource to_mio;
    Resource indirect;                  ///< branches to an address in a register
    int queued = 0, queued_global = 0;  ///< instructions in the queue
    int throttled = 0;                  ///< warps that wait for a place in the queue
    std::int64_t next = never;          ///< cycle in which to look at the warps again
    std::int64_t present_since = 0;     ///< it has had warps since then
    std::uint16_t last = 0xffff;        ///< slot that issued last
    bool last_yields = false;
    std::uint32_t in_a_row = 0;  ///< instructions that this warp has issued without another one between them
  };
  struct ResidentBlock {
    BlockState* block = nullptr;
    std::uint32_t warps = 0;
  };

  // sm.cpp
  std::int64_t next_cycle() const;
  void take_received();
  void handle(const Event& event);
  void report_answer(const MemoryResponse& response);
  void add_event(double time, Event::Kind kind, std::uint16_t slot, std::uint32_t a = 0);
  void start_warp(std::uint16_t slot, double at);
  void end_warp(std::uint16_t slot, double at);
  /// Adds the cycles before `now` to those of the slot's reason.
  void count_reason(Slot& slot, std::int64_t now);
  void set_reason(Slot& slot, StallReason reason, std::int64_t now);
  /// Its state may change by itself at the cycle `at`.
  void set_check(Slot& slot, std::int64_t at) {
    check_at_[slot.number] = at;
    std::uint64_t& timed = subs_[slot.sub].timed;
    const std::uint64_t bit = std::uint64_t{1} << slot.place;
    timed = at == never ? timed & ~bit : timed | bit;
  }
  void set_waits(Slot& slot, bool waits);
  WarpPlace place_of(const Slot& slot) const;
  void wake(std::uint16_t slot, double at);
  void wake_throttled(unsigned sub, double at);
  void count_residents(double at, int change);

  // sm_issue.cpp
  void schedule(Machine& machine, unsigned sub, std::int64_t now);
  /// With one_at_a_time: whether the warp that issued last is still the only one that may.
  bool keeps_scheduler(const SubPartition& p) const;
  bool eligible(unsigned sub, std::uint16_t number, std::int64_t now);
  bool is_independent(unsigned sub, Slot& slot, std::int64_t now);
  bool fetch(unsigned sub, Slot& slot, std::int64_t now);
  void issue(Machine& machine, unsigned sub, std::uint16_t number, std::int64_t now);
  void release_waiting(Machine& machine, BlockState& block, double at);
  void exit(Slot& slot, std::uint16_t number, std::int64_t at);
  void hold(Slot& slot, std::uint8_t counter, bool is_long, std::int64_t now);
  void release_at(double time, std::uint16_t slot, std::uint8_t counter);

  // sm_execute.cpp
  std::uint32_t find_next(Machine& machine, Slot& slot);
  bool execute(Machine& machine, Slot& slot);
  bool execute_estimated(Machine& machine, Slot& slot);
  void execute_to(Machine& machine, Slot& slot, std::uint32_t end);
  std::uint32_t execute_one(Machine& machine);
  static std::uint32_t lanes_that_execute(const Machine& machine);
  /// True if no lane executes the instruction that comes next: its predicate is false.
  static bool skips_next(const Machine& machine);
  std::uint32_t instruction_of(const Slot& slot) const {
    return context_.estimate != nullptr ? context_.estimate->details[slot.code].source : slot.next;
  }

  // sm_memory.cpp
  void issue_to_mio(unsigned sub, std::uint16_t number, const InstructionTiming& timing, std::int64_t now);
  /// Looks the lines up and requests those that are not there. Returns how many were requested.
  int load_global(const InstructionTiming& timing, const CoalescedAccess& lines, double at, int passes,
                  std::uint32_t load);
  /// The index of the line in L1, allocated if it is missing; none if its set is full.
  std::uint32_t line_in_l1(std::uint64_t number);
  void send_miss(double at, std::uint64_t line, std::uint8_t sectors, std::uint32_t pending);
  void end_copies(Slot& slot, std::uint16_t number, std::uint8_t counter, double at);
  void respond(std::uint32_t pending, double at);
  void complete(std::uint32_t load, double at);
  std::uint32_t new_load(std::uint16_t slot, std::uint8_t counter, bool copy);
  std::uint32_t new_pending(MemoryRequest::Kind kind);

  // sm_bulk.cpp
  void start_bulk(std::uint16_t number, const LoggedBulk& bulk, double at);
  void load_bulk(std::uint16_t number, const LoggedBulk& bulk, double at);
  void store_bulk(std::uint16_t number, const LoggedBulk& bulk, double at);
  void end_bulk(std::uint32_t index, double at);
  void wait_for_products(Slot& slot, unsigned pending);
  void wake_at_timeout(std::uint16_t number, std::uint32_t wait, double at);
  void wait_for_phase(std::uint16_t number, std::uint8_t counter, double at);
  void end_phase_wait(std::uint16_t number, double at);
  /// An mbarrier of the block has changed: ends the waits for its phase.
  void wake_for_phase(const BlockState& block, double at);

  // sm_stores.cpp
  void store_global(std::uint16_t number, const CoalescedAccess& lines, double at);
  void merge_words(const RecentStore& store, std::uint32_t words);
  void send_atomic(std::uint16_t number, const CoalescedAccess& lines, double at, std::uint32_t load, bool floating);
  /// Counts a store or an atomic without a result among those that L2 will confirm.
  void await_confirmation(std::uint16_t number, MemoryRequest& request);

  const SmContext& context_;
  const Timing& timing_;
  const std::uint16_t id_;
  std::vector<Slot> slots_;
  std::vector<std::int64_t> check_at_;  ///< by slot: when its state may change by itself
  int waiting_ = 0;                     ///< slots with Slot::waits
  std::vector<SubPartition> subs_;
  std::vector<ResidentBlock> blocks_;
  EventQueue<Event> events_;
  std::vector<Event> received_;  ///< responses that came since it ran
  std::uint64_t event_order_ = 0, response_order_ = 0, ages_ = 0;
  InstructionFetch fetch_;
  std::vector<std::uint64_t> wanted_;
  AccessLog log_;
  std::vector<double> constants_;          ///< when a line of the constant banks is there; negative: not asked for
  CoalescedAccess lines_;                  ///< of the access that is being issued
  std::vector<std::uint16_t> candidates_;  ///< the first candidate_count_ warps could issue in this cycle
  std::size_t candidate_count_ = 0;
  std::uint32_t executed_lanes_ = 0;   ///< active lanes of the instruction executed last
  std::uint32_t executing_lanes_ = 0;  ///< of these, those not predicated off; if observed or estimated
  Machine* machine_ = nullptr;         ///< during run()
  std::vector<StallCycles>* by_instruction_ = nullptr;  ///< likewise

  Resource lsu_, fill_, writes_, launch_;
  Resource adu_;       ///< constant loads and special registers: an S2UR and an LDC take the sum of their cycles
  Resource barriers_;  ///< takes the arrivals of warps at barriers, one after another
  Resource fences_;
  Resource bulk_requests_, bulk_data_, bulk_reads_;  ///< the tensor memory accelerator
  std::size_t next_sub_ = 0;                         ///< sub-partition of the next block's first warp
  std::vector<RecentStore> recent_stores_;
  std::size_t next_recent_ = 0;
  L1 l1_;
  std::vector<Load> loads_;
  std::vector<std::uint32_t> free_loads_;
  std::vector<Pending> pending_;
  std::vector<std::uint32_t> free_pending_;
  std::vector<Bulk> bulk_;
  int stores_ = 0;  ///< sectors of stores that L2 has not confirmed
  double last_confirmation_ = 0;
  bool failed_ = false;
  bool skipped_ = false;  ///< no lane executed the instruction that issued last
  int misses_ = 0;        ///< requests for loads in flight
  struct Delayed {
    std::uint64_t line;
    std::uint32_t pending;
    std::uint8_t sectors;
  };
  std::queue<Delayed> delayed_;  ///< misses that wait until another one has come back
  int resident_ = 0;
  double residents_since_ = 0;
  SmCounters counters_;
};

}  // namespace warpwalk::gpu
