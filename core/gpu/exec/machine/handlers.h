#pragma once

#include "core/gpu/exec/machine/machine.h"
#include "core/gpu/exec/program.h"

/// Handlers of operations (Op::run). Each acts on the active lanes of the machine's split whose predicate is true.
namespace warpwalk::gpu::handlers {

// control.cpp
void enter_block(Machine& machine, const Op& op);  ///< start of a basic block: counts it and reconverges lanes
void no_operation(Machine& machine, const Op& op);
/// Before a bitwise function of a, b and c (its table is the immediate, as of LOP3): d gets the bytes that local memory
/// had not written (Sanitizer::local). Does nothing without the sanitizer.
void carry_unwritten(Machine& machine, const Op& op);
void branch(Machine& machine, const Op& op);         ///< to Op::target
void branch_table(Machine& machine, const Op& op);   ///< brx.idx: to entry `a` of Program::tables[table_index]
void call(Machine& machine, const Op& op);           ///< calls function `target`; Program::calls[table_index]
void call_indirect(Machine& machine, const Op& op);  ///< calls the function at address `a`
void return_from(Machine& machine, const Op& op);    ///< returns from function `immediate` (an index)
void exit_lanes(Machine& machine, const Op& op);
void trap(Machine& machine, const Op& op);

// stack_pointer.cpp
void allocate_stack(Machine& machine, const Op& op);  ///< alloca: d = address of `a` bytes; immediate: alignment
void stack_save(Machine& machine, const Op& op);      ///< stacksave: d = bytes allocated by alloca so far
void stack_restore(Machine& machine, const Op& op);   ///< stackrestore: back to the value `a` of stacksave

// runtime.cpp: functions of CUDA's device runtime. Program::calls[table_index] locates the arguments.
void print(Machine& machine, const Op& op);                    ///< vprintf: appends to Tally::printed
void fail_assertion(Machine& machine, const Op& op);           ///< __assertfail: ends the launch
void allocate_memory(Machine& machine, const Op& op);          ///< malloc
void allocate_aligned_memory(Machine& machine, const Op& op);  ///< __cuda_syscall_aligned_malloc
void free_memory(Machine& machine, const Op& op);              ///< free
inline bool uses_heap(Handler handler) {
  return handler == allocate_memory || handler == allocate_aligned_memory || handler == free_memory;
}

// alu.cpp
void alu(Machine& machine, const Op& op);  ///< reads and writes registers only
/// Bits of Op::table_index of alu_predicates.
constexpr std::uint32_t carry_written = 1, carry_read = 2;
void alu_predicates(Machine& machine, const Op& op);  ///< also reads or writes predicates or the carry
void move(Machine& machine, const Op& op);            ///< d = a, Op::bytes wide
void local_address(Machine& machine, const Op& op);   ///< d = the split's stack + immediate
void pack(Machine& machine, const Op& op);            ///< d = {a, b, ...}, `table_index` elements
void unpack(Machine& machine, const Op& op);          ///< {d, ...} = a
void predicate_logic(Machine& machine,
                     const Op& op);                 ///< p_out = f(p_in, q_out); immediate is the truth table
void read_clock(Machine& machine, const Op& op);    ///< reads clock register `immediate` (ptx::Special)
void generic_from(Machine& machine, const Op& op);  ///< cvta: d = a + immediate
void is_space(Machine& machine, const Op& op);      ///< table_index 1: shared memory of any block of the cluster

// memory.cpp
void load(Machine& machine, const Op& op);
void store(Machine& machine, const Op& op);
void load_word(Machine& machine, const Op& op);   ///< 32-bit load from shared memory, 32-bit address
void store_word(Machine& machine, const Op& op);  ///< 32-bit store to shared memory, 32-bit address
void copy_async(Machine& machine, const Op& op);

// bulk_copy.cpp: the operands of bulk copies, as machine code has them, and the waits for copies of cp.async
/// {d, e} = the words of the address of accesses[table_index].
void address_words(Machine& machine, const Op& op);
/// Puts the offsets a, b, c of pixels, as many as the immediate says, into the lower half of d (TensorMap::offsets_of).
void pixel_offsets(Machine& machine, const Op& op);
/// Puts the lowest bits of b, of `bytes` bytes, into a field of a, 64 bits: bits 0 to 7 of the immediate say where, 8
/// to 15 how many, 16 to 23 how many lower bits of b are left out, and from 24 what is subtracted first.
void insert_field(Machine& machine, const Op& op);
void copy_size(Machine& machine, const Op& op);  ///< d = a bytes / 16, and in the upper half the blocks b
/// Op::bytes of the next two: the copies of cp.async, bulk copies, and that a wait for these is only for their reads.
constexpr std::uint8_t thread_copies = 1, bulk_copies = 2, only_reads = 4;
void commit_copies(Machine& machine, const Op& op);        ///< cp.async.commit_group, cp.async.bulk.commit_group
void wait_for_copies(Machine& machine, const Op& op);      ///< cp.async.wait_group: all but the last `immediate` groups
void wait_for_all_copies(Machine& machine, const Op& op);  ///< cp.async.wait_all

// texture.cpp: Program::textures[table_index]; a is the handle
void texture(Machine& machine, const Op& op);  ///< tex, tld4, txq, suq
void surface(Machine& machine, const Op& op);  ///< suld, sust, sured

// atomic.cpp
void atomic(Machine& machine, const Op& op);

// barrier.cpp
/// Op::immediate of a barrier in which a thread count of 0 means all threads of the block.
constexpr std::uint64_t zero_count_is_none = 1;
void barrier(Machine& machine, const Op& op);

// cluster.cpp
void cluster_arrive(Machine& machine, const Op& op);    ///< barrier.cluster.arrive; immediate: 1 for .relaxed
void cluster_wait(Machine& machine, const Op& op);      ///< barrier.cluster.wait
void shared_address(Machine& machine, const Op& op);    ///< d = address `immediate` in the block's shared memory
void map_to_block(Machine& machine, const Op& op);      ///< mapa: d = address `a` in the memory of the block of rank b
void rank_of_address(Machine& machine, const Op& op);   ///< getctarank: d = rank of the block that has address `a`
void explicit_cluster(Machine& machine, const Op& op);  ///< p_out = whether the launch asked for clusters

// exchange.cpp
void warp_barrier(Machine& machine, const Op& op);
void shuffle(Machine& machine, const Op& op);
void vote(Machine& machine, const Op& op);
void match(Machine& machine, const Op& op);
void active_mask(Machine& machine, const Op& op);
void reduce(Machine& machine, const Op& op);
void elect(Machine& machine, const Op& op);
/// Bits of Op::immediate: the fence is for the threads of the block or cluster only; it is one between the generic and
/// the async proxy, for shared memory.
constexpr std::uint64_t fence_is_narrow = 1, fence_for_async_proxy = 2;
void fence(Machine& machine, const Op& op);
void sleep(Machine& machine, const Op& op);

// mbarrier.cpp: Program::accesses[table_index] is the address, Program::mbarriers[target] the operation
void change_mbarrier(Machine& machine, const Op& op);      ///< init, inval, arrive, arrive_drop, expect_tx, complete_tx
void test_mbarrier(Machine& machine, const Op& op);        ///< p_out = whether the phase has completed
void pending_of_mbarrier(Machine& machine, const Op& op);  ///< d = pending arrivals of state `a`

// matrix.cpp
void multiply_matrices(Machine& machine, const Op& op);
void load_matrix(Machine& machine, const Op& op);
void store_matrix(Machine& machine, const Op& op);
void move_matrix(Machine& machine, const Op& op);

// wmma.cpp
void load_fragment(Machine& machine, const Op& op);   ///< wmma.load; b is the stride in elements
void store_fragment(Machine& machine, const Op& op);  ///< wmma.store; b is the stride in elements

}  // namespace warpwalk::gpu::handlers
