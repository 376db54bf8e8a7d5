#pragma once

#include "core/gpu/exec/program.h"
#include "core/gpu/exec/run/machine.h"

/// What operations do, one function each (Op::run). They act on the active lanes of the machine's split whose guard
/// holds.
namespace warpwalk::gpu::handlers {

// run_control.cpp
void enter(Machine& machine, const Op& op);  ///< begin of a basic block: counts it, and lanes meet here
void nothing(Machine& machine, const Op& op);
void branch(Machine& machine, const Op& op);         ///< to Op::target
void branch_table(Machine& machine, const Op& op);   ///< by the index a, through Program::tables[detail]
void call(Machine& machine, const Op& op);           ///< function `target` (index), Program::calls[detail]
void call_indirect(Machine& machine, const Op& op);  ///< address a
void return_from(Machine& machine, const Op& op);    ///< of a function; immediate: index of the function
void exit_lanes(Machine& machine, const Op& op);
void trap(Machine& machine, const Op& op);

// run_stack.cpp
void take_stack(Machine& machine, const Op& op);     ///< alloca: d = the address of a bytes; immediate: the alignment
void save_stack(Machine& machine, const Op& op);     ///< d = bytes that alloca has taken so far
void restore_stack(Machine& machine, const Op& op);  ///< back to what save_stack gave, a

// run_runtime.cpp: calls of what CUDA's device runtime has. Program::calls[detail] says where the arguments are.
void print(Machine& machine, const Op& op);  ///< vprintf: into Tally::printed
/// __assertfail: ends the launch. Told as out_of_bounds, as trap is: the kinds of the report have none that is nearer.
void fail_assertion(Machine& machine, const Op& op);
void free_memory(Machine& machine, const Op& op);  ///< free: of nothing but null, as there is no malloc

// run_alu.cpp
void alu(Machine& machine, const Op& op);             ///< registers in, registers out
void alu_predicates(Machine& machine, const Op& op);  ///< reads or writes predicates or the carry too
void move(Machine& machine, const Op& op);            ///< d = a, Op::bytes wide
void local_address(Machine& machine, const Op& op);   ///< d = the split's stack + immediate
void pack(Machine& machine, const Op& op);            ///< d = {a, b, ...}: detail elements
void unpack(Machine& machine, const Op& op);          ///< {d, ...} = a
void predicate_logic(Machine& machine,
                     const Op& op);                 ///< p_out = f(p_in, q_out as second source): immediate is the table
void clock_value(Machine& machine, const Op& op);   ///< %clock, %clock64, %globaltimer: immediate is ptx::Special
void generic_from(Machine& machine, const Op& op);  ///< cvta: d = a + immediate
void is_space(Machine& machine, const Op& op);

// run_memory.cpp
void load(Machine& machine, const Op& op);
void store(Machine& machine, const Op& op);
void load_word(Machine& machine, const Op& op);   ///< a 32-bit word of shared memory, by a 32-bit address
void store_word(Machine& machine, const Op& op);  ///< likewise
void copy_async(Machine& machine, const Op& op);

// run_copies.cpp
void commit_copies(Machine& machine, const Op& op);        ///< cp.async.commit_group
void wait_for_copies(Machine& machine, const Op& op);      ///< cp.async.wait_group: all but immediate groups
void wait_for_all_copies(Machine& machine, const Op& op);  ///< cp.async.wait_all

// run_atomic.cpp
void atomic(Machine& machine, const Op& op);

// run_exchange.cpp
void barrier(Machine& machine, const Op& op);
void warp_barrier(Machine& machine, const Op& op);
void shuffle(Machine& machine, const Op& op);
void vote(Machine& machine, const Op& op);
void match(Machine& machine, const Op& op);
void active_mask(Machine& machine, const Op& op);
void reduce(Machine& machine, const Op& op);
void elect(Machine& machine, const Op& op);
void fence(Machine& machine, const Op& op);
void sleep(Machine& machine, const Op& op);

// run_mbarrier.cpp: accesses[detail] says where, mbarriers[target] what
void change_mbarrier(Machine& machine, const Op& op);  ///< init, inval, arrive, arrive_drop, expect_tx, complete_tx
/// cp.async.bulk from b + c in global memory to a in shared memory, d bytes; the barrier is in mbarriers[target].
void copy_bulk(Machine& machine, const Op& op);
void test_mbarrier(Machine& machine, const Op& op);        ///< p_out: the phase has ended
void pending_of_mbarrier(Machine& machine, const Op& op);  ///< d = arrivals that state a waits for

// run_matrix.cpp
void multiply_matrices(Machine& machine, const Op& op);
void load_matrix(Machine& machine, const Op& op);
void store_matrix(Machine& machine, const Op& op);
void move_matrix(Machine& machine, const Op& op);

// run_wmma.cpp
void load_fragment(Machine& machine, const Op& op);   ///< wmma.load: b is the stride in elements
void store_fragment(Machine& machine, const Op& op);  ///< wmma.store

}  // namespace warpwalk::gpu::handlers
