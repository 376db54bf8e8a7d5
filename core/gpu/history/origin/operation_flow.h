#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

/// What an operation does with values: which registers it computes from which, or how it moves values between
/// registers and memory. Registers are byte offsets in the frame; predicates have theirs, too.
struct OperationFlow {
  enum class Kind : std::uint8_t {
    none,            ///< changes no value: branches, barriers, fences
    lanes,           ///< each lane: `writes` from its own `reads`
    select,          ///< each lane: Op::d from Op::a or Op::b, by a predicate that is known when it runs
    to_all_lanes,    ///< the same, but all 32 lanes get the result, from the values of all executing lanes
    first_lane,      ///< all 32 lanes get the value of the first executing lane
    exchange,        ///< `writes` from the `reads` of other lanes, which are known when it runs
    load,            ///< registers from memory, Program::accesses[table_index]
    store,           ///< memory from registers, likewise
    store_async,     ///< likewise, in the memory of the cluster
    atomic,          ///< likewise
    copy_async,      ///< shared memory from global memory
    bulk_copy,       ///< pieces that are known when it runs
    load_matrix,     ///< Program::matrices[target]
    store_matrix,    ///< likewise
    move_matrix,     ///< transposes a matrix of 8 x 8 elements
    load_fragment,   ///< wmma.load
    store_fragment,  ///< wmma.store
    mma,             ///< Program::matrices[table_index]
    group_mma,       ///< Program::group_products[table_index]
    call,            ///< copies arguments between stacks, Program::calls[table_index]
    call_return,     ///< copies results
    opaque,          ///< `writes` from values that are not followed: texels, reductions over a block
  };
  Kind kind = Kind::none;
  bool all_lanes = false;                          ///< runs on the uniform datapath: for all 32 lanes, active or not
  bool reads_carry = false, writes_carry = false;  ///< CC.CF
  /// Op::instruction; of the return from a function of PTX, which all `ret` of the function lead to, the last of them.
  std::uint32_t instruction = no_index;
  std::vector<std::uint32_t> writes, reads;
};

/// The flow of each operation of a program, by index.
std::vector<OperationFlow> flows_of(const Program& program);

/// False for a handler that flows_of() does not know: it is treated as `opaque` and writes nothing.
bool is_flow_known(const Op& op);

}  // namespace warpwalk::gpu
