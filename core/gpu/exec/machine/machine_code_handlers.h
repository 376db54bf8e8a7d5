#pragma once

#include "core/gpu/exec/machine/machine.h"
#include "core/gpu/exec/program.h"

/// Handlers of operations of machine code; those of the tensor memory accelerator and of warp groups are also those of
/// PTX. Each handler acts on the active lanes of the machine's split
/// whose predicate is true, as in handlers.h.
namespace warpwalk::gpu::handlers {

/// Runs a handler as the uniform datapath does: for all 32 lanes, active or not.
template <Handler Run>
void on_all_lanes(Machine& machine, const Op& op) {
  const std::uint32_t active = machine.active_mask;
  machine.active_mask = all_lanes;
  Run(machine, op);
  machine.active_mask = active;
}

// machine_code_alu.cpp
/// As alu_predicates; the second predicate source, predicates[table_index], is passed as the carry.
void alu_carries(Machine& machine, const Op& op);
/// p_out and q_out = tables of three predicates: p_in is the highest input, predicates[table_index] and the next one
/// the others. `immediate` holds the two tables in its low bytes.
void predicate_table(Machine& machine, const Op& op);
/// d = (b & ~c) | (bits & c). `bits` holds the seven predicates from p_in on, one bit each, shifted left by
/// `immediate`.
void pack_predicates(Machine& machine, const Op& op);
/// Sets the predicates from p_out on that are selected by the mask b (seven bits) to the bits of a >> `immediate`.
void unpack_predicates(Machine& machine, const Op& op);
void read_first_lane(Machine& machine, const Op& op);  ///< d = a of the first executing lane, in all 32 lanes
/// p_out = whether a differs from b, in the executing lanes; immediate: or p_out was true.
void lanes_that_differ(Machine& machine, const Op& op);
void ballot_uniform(Machine& machine, const Op& op);  ///< d = the executing lanes with p_in, in all 32 lanes
/// p_out = p_in of the executing lanes (immediate: ptx::Action all, any or uni), in all 32 lanes.
void vote_uniform(Machine& machine, const Op& op);

// machine_code_flow.cpp
/// Continues at the address a + immediate of each lane; a is 64 bits wide.
void jump(Machine& machine, const Op& op);
/// Stands where there is no code that the kernel can reach: only a wrong address leads here.
void leave_code(Machine& machine, const Op& op);
/// Calls what is at the address a + immediate of each lane: a function of the kernel's code, or a system function,
/// after which the next op follows.
void call_address(Machine& machine, const Op& op);
/// BRA.DIV: the active lanes branch if a lane of the mask a does not execute the branch. `immediate`: BRA.CONV, if all
/// of them do.
void branch_if_divergent(Machine& machine, const Op& op);
void branch_if_any(Machine& machine, const Op& op);      ///< BRA.U.ANY: all active lanes, if one of them executes
void branch_if_all(Machine& machine, const Op& op);      ///< BRA.U: all active lanes, if each of them executes
void exit_converging(Machine& machine, const Op& op);    ///< EXIT
void set_convergence(Machine& machine, const Op& op);    ///< BSSY: barrier register d = the executing lanes
void converge(Machine& machine, const Op& op);           ///< BSYNC: waits for the lanes of barrier register a
void leave_convergence(Machine& machine, const Op& op);  ///< BREAK: removes the executing lanes from a
void sync_lanes(Machine& machine, const Op& op);  ///< WARPSYNC: waits for the lanes of the mask a; immediate: EXCLUSIVE
void sync_converged(Machine& machine, const Op& op);  ///< NOP: the executing lanes, which are together, synchronize

// machine_code_mbarrier.cpp: Program::accesses[table_index] is the address
void arrive_at_mbarrier(Machine& machine, const Op& op);  ///< SYNCS.ARRIVE: Program::mbarriers[target], of the value b
void arrive_at_older_mbarrier(Machine& machine, const Op& op);  ///< ATOMS.ARRIVE: the same before sm_90
/// SYNCS.PHASECHK: p_out = whether the phase has completed whose parity is the sign bit of c
void check_mbarrier_phase(Machine& machine, const Op& op);

// bulk_copy.cpp: Program::bulk_copies[table_index], once for the executing lanes or for each of them
void copy_contiguous(Machine& machine, const Op& op);  ///< UBLKCP, UBLKRED, cp.async.bulk
void copy_tensor(Machine& machine, const Op& op);      ///< UTMALDG, UTMASTG, UTMAREDG, cp.async.bulk.tensor

/// STAS and REDAS, st.async and red.async: stores accesses[table_index] in the shared memory of a block of the cluster,
/// or combines it with what is there if the access has an atomic (Op::bytes is 1), and completes its bytes of the
/// mbarrier at b.
void store_async(Machine& machine, const Op& op);

// warp_group.cpp: four warps that multiply matrices together
/// wgmma: Program::group_products[table_index]; p_in, if there is one: C is added, otherwise it counts as zero.
void multiply_warp_group(Machine& machine, const Op& op);
/// WARPGROUP.ARRIVE. immediate: also waits, as the products that follow do on a GPU.
void arrive_at_warp_group(Machine& machine, const Op& op);
void commit_group_products(Machine& machine, const Op& op);  ///< wgmma.commit_group: ends a group of products
void wait_for_warp_group(Machine& machine, const Op& op);  ///< WARPGROUP.WAIT: until all warps have arrived as often
/// WARPGROUP.DEPBAR: until the other warps, too, have committed all but the last `immediate` groups of products.
void wait_for_group_products(Machine& machine, const Op& op);

// exchange.cpp: the same as in handlers.h among the executing lanes, without a member mask
void shuffle_active(Machine& machine, const Op& op);
void vote_active(Machine& machine, const Op& op);
void match_active(Machine& machine, const Op& op);
void reduce_active(Machine& machine, const Op& op);
void elect_active(Machine& machine, const Op& op);

}  // namespace warpwalk::gpu::handlers
