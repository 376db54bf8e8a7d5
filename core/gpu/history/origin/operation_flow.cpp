#include "core/gpu/history/origin/operation_flow.h"

#include <array>

#include "core/gpu/alu/machine/machine.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"

namespace warpwalk::gpu {

namespace {

using Kind = OperationFlow::Kind;

constexpr std::int32_t predicates_of_a_word = 7;  // of R2P and P2R

/// Which members of an Op are results and which are sources.
enum Member : unsigned {
  d = 1u << 0,
  a = 1u << 1,
  b = 1u << 2,
  c = 1u << 3,
  e = 1u << 4,
  p_in = 1u << 5,
  p_out = 1u << 6,
  q_out = 1u << 7,
  two_more = 1u << 8,  ///< MachineCode::predicates[table_index] and the next
  one_more = 1u << 9,  ///< only the first of them
  seven = 1u << 10,    ///< seven predicates in a row, from p_in or p_out on
};

struct Row {
  Handler handler;
  Kind kind;
  unsigned writes = 0, reads = 0;
  bool all_lanes = false;
};

const auto& rows() {
  namespace h = handlers;
  constexpr unsigned sources = a | b | c | e;
  // clang-format off
  static constexpr auto table = std::to_array<Row>({
    {h::alu, Kind::lanes, d, sources},
    {h::alu_predicates, Kind::lanes, d | p_out | q_out, sources | p_in},
    {h::alu_carries, Kind::lanes, d | p_out | q_out, sources | p_in | one_more},
    {h::move, Kind::lanes, d, a},
    {h::predicate_logic, Kind::lanes, p_out, p_in | q_out},
    {h::predicate_table, Kind::lanes, p_out | q_out, p_in | two_more},
    {h::pack_predicates, Kind::lanes, d, b | c | p_in | seven},
    {h::on_all_lanes<h::alu>, Kind::lanes, d, sources, true},
    {h::on_all_lanes<h::alu_predicates>, Kind::lanes, d | p_out | q_out, sources | p_in, true},
    {h::on_all_lanes<h::alu_carries>, Kind::lanes, d | p_out | q_out, sources | p_in | one_more, true},
    {h::on_all_lanes<h::move>, Kind::lanes, d, a, true},
    {h::on_all_lanes<h::predicate_logic>, Kind::lanes, p_out, p_in | q_out, true},
    {h::on_all_lanes<h::predicate_table>, Kind::lanes, p_out | q_out, p_in | two_more, true},
    {h::on_all_lanes<h::pack_predicates>, Kind::lanes, d, b | c | p_in | seven, true},
    {h::unpack_predicates, Kind::lanes, p_out | seven, a | p_out | seven},
    {h::lanes_that_differ, Kind::lanes, p_out, a | b},
    {h::generic_from, Kind::lanes, d, a},
    {h::is_space, Kind::lanes, p_out, a},
    {h::map_to_block, Kind::lanes, d, a | b},
    {h::rank_of_address, Kind::lanes, d, a},
    {h::pending_of_mbarrier, Kind::lanes, d, a},
    {h::address_words, Kind::lanes, d | e, a},
    {h::copy_size, Kind::lanes, d, a | b},
    {h::insert_field, Kind::lanes, d, a | b},
    {h::pixel_offsets, Kind::lanes, d, d | a | b | c},
    // Values that come from nowhere else: clocks, addresses, states of barriers.
    {h::read_clock, Kind::lanes, d},
    {h::local_address, Kind::lanes, d},
    {h::shared_address, Kind::lanes, d},
    {h::explicit_cluster, Kind::lanes, p_out},
    {h::active_mask, Kind::lanes, d},
    {h::allocate_stack, Kind::lanes, d},
    {h::stack_save, Kind::lanes, d},
    {h::test_mbarrier, Kind::lanes, p_out},
    {h::check_mbarrier_phase, Kind::lanes, p_out},
    {h::change_mbarrier, Kind::lanes, d},
    {h::arrive_at_mbarrier, Kind::lanes, d},
    {h::arrive_at_older_mbarrier, Kind::lanes, d},
    {h::read_first_lane, Kind::first_lane, d, a},
    {h::ballot_uniform, Kind::to_all_lanes, d, p_in},
    {h::vote_uniform, Kind::to_all_lanes, p_out, p_in},
    {h::shuffle, Kind::exchange, d | p_out, a},
    {h::shuffle_active, Kind::exchange, d | p_out, a},
    {h::vote, Kind::exchange, d | p_out, p_in},
    {h::vote_active, Kind::exchange, d | p_out, p_in},
    {h::match, Kind::exchange, d | p_out, a},
    {h::match_active, Kind::exchange, d | p_out, a},
    {h::reduce, Kind::exchange, d, a},
    {h::reduce_active, Kind::exchange, d, a},
    {h::elect, Kind::exchange, d | p_out},
    {h::elect_active, Kind::exchange, d | p_out},
    {h::load, Kind::load},
    {h::on_all_lanes<h::load>, Kind::load, 0, 0, true},
    {h::load_word, Kind::load},
    {h::store, Kind::store},
    {h::store_word, Kind::store},
    {h::store_async, Kind::store_async},
    {h::atomic, Kind::atomic},
    {h::copy_async, Kind::copy_async},
    {h::copy_contiguous, Kind::bulk_copy},
    {h::copy_tensor, Kind::bulk_copy},
    {h::load_matrix, Kind::load_matrix},
    {h::store_matrix, Kind::store_matrix},
    {h::pack, Kind::lanes}, {h::unpack, Kind::lanes},  // their registers: flow_of()
    {h::move_matrix, Kind::move_matrix, d, a},
    {h::load_fragment, Kind::load_fragment},
    {h::store_fragment, Kind::store_fragment},
    {h::multiply_matrices, Kind::mma},
    {h::multiply_warp_group, Kind::group_mma},
    {h::call, Kind::call},
    {h::call_indirect, Kind::call},
    {h::return_from, Kind::call_return},
    {h::texture, Kind::opaque},
    {h::surface, Kind::opaque},
    {h::barrier, Kind::opaque, d | p_out},
    {h::enter_block, Kind::none}, {h::no_operation, Kind::none}, {h::carry_unwritten, Kind::none},
    {h::branch, Kind::none}, {h::branch_table, Kind::none}, {h::exit_lanes, Kind::none}, {h::trap, Kind::none},
    {h::stack_restore, Kind::none}, {h::print, Kind::none}, {h::fail_assertion, Kind::none},
    {h::free_memory, Kind::none}, {h::commit_copies, Kind::none}, {h::wait_for_copies, Kind::none},
    {h::wait_for_all_copies, Kind::none}, {h::cluster_arrive, Kind::none}, {h::cluster_wait, Kind::none},
    {h::warp_barrier, Kind::none}, {h::fence, Kind::none}, {h::sleep, Kind::none}, {h::jump, Kind::none},
    {h::leave_code, Kind::none}, {h::call_address, Kind::none}, {h::branch_if_divergent, Kind::none},
    {h::branch_if_any, Kind::none}, {h::branch_if_all, Kind::none}, {h::exit_converging, Kind::none},
    {h::set_convergence, Kind::none}, {h::converge, Kind::none}, {h::leave_convergence, Kind::none},
    {h::sync_lanes, Kind::none}, {h::sync_converged, Kind::none}, {h::arrive_at_warp_group, Kind::none},
    {h::commit_group_products, Kind::none}, {h::wait_for_warp_group, Kind::none},
    {h::wait_for_group_products, Kind::none},
  });
  // clang-format on
  return table;
}

const Row* row_of(Handler handler) {
  for (const Row& row : rows())
    if (row.handler == handler) return &row;
  return nullptr;
}

/// Adds the slot if it is a register. Offset 0 is no register: operands that an operation does not have, and in machine
/// code what is written to RZ.
void add(std::vector<std::uint32_t>& to, Slot slot) {
  if (slot.space() == static_cast<std::uint32_t>(SlotSpace::frame) && slot.offset() != 0) to.push_back(slot.offset());
}
void add(std::vector<std::uint32_t>& to, std::int32_t predicate) {
  if (predicate >= 0) to.push_back(static_cast<std::uint32_t>(predicate));
}

std::vector<std::uint32_t> members_of(const Program& program, const Op& op, unsigned members) {
  std::vector<std::uint32_t> found;
  if ((members & d) != 0) add(found, op.d);
  if ((members & a) != 0) add(found, op.a);
  if ((members & b) != 0) add(found, op.b);
  if ((members & c) != 0) add(found, op.c);
  if ((members & e) != 0) add(found, op.e);
  if ((members & p_in) != 0) add(found, op.p_in);
  if ((members & p_out) != 0) add(found, op.p_out);
  if ((members & q_out) != 0) add(found, op.q_out);
  if ((members & (one_more | two_more)) != 0) {
    const PredicateSource* const more = &program.machine_code->predicates[op.table_index];
    add(found, more[0].offset);
    if ((members & two_more) != 0) add(found, more[1].offset);
  }
  if ((members & seven) != 0)
    for (std::int32_t i = 1; i < predicates_of_a_word; ++i)
      add(found, ((members & p_in) != 0 ? op.p_in : op.p_out) + 4 * i);
  return found;
}

/// The operation passes one of two values on; the predicate that chooses is no part of the value.
bool is_select(const Program& program, const Op& op) {
  if (op.run != handlers::alu_predicates && op.run != handlers::on_all_lanes<handlers::alu_predicates>) return false;
  if (program.machine_code) return op.alu == machine::select().run || op.alu == machine::select_flushed().run;
  return program.sources[op.instruction].instruction->opcode == ptx::Opcode::selp;
}

OperationFlow flow_of(const Program& program, const Op& op) {
  OperationFlow flow;
  const Row* const row = row_of(op.run);
  if (row == nullptr) {
    flow.kind = Kind::opaque;
    return flow;
  }
  flow.kind = row->kind;
  flow.all_lanes = row->all_lanes;
  flow.writes = members_of(program, op, row->writes);
  flow.reads = members_of(program, op, row->reads);
  if (op.run == handlers::alu_predicates || op.run == handlers::on_all_lanes<handlers::alu_predicates>) {
    flow.reads_carry = (op.table_index & handlers::carry_read) != 0;
    flow.writes_carry = (op.table_index & handlers::carry_written) != 0;
  }
  if (is_select(program, op)) {
    flow.kind = Kind::select;
    flow.reads.clear();
  }
  if (op.run == handlers::pack || op.run == handlers::unpack) {
    const Slot parts[4] = {op.a, op.b, op.c, op.e};
    const bool packs = op.run == handlers::pack;
    add(packs ? flow.writes : flow.reads, op.d);
    for (std::uint32_t i = 0; i < op.table_index; ++i)
      if (packs || (op.immediate >> i & 1) == 0) add(packs ? flow.reads : flow.writes, parts[i]);
  }
  if (op.run == handlers::texture) {
    const TextureOp& texture = program.textures[op.table_index];
    for (std::size_t i = 0; i < texture.elements; ++i)
      if (!texture.discard[i]) add(flow.writes, texture.values[i]);
  }
  if (op.run == handlers::surface) {
    const TextureOp& surface = program.textures[op.table_index];
    if (surface.action == TextureAction::load)
      for (std::size_t i = 0; i < surface.elements; ++i) add(flow.writes, surface.values[i]);
  }
  return flow;
}

/// The last `ret` of the function of PTX that an operation belongs to, else its last instruction.
std::uint32_t last_return(const Program& program, const Op& op) {
  std::uint32_t last = no_index;
  bool returns = false;
  for (std::uint32_t i = 0; i < program.sources.size(); ++i) {
    if (program.sources[i].function != program.functions[op.function].source) continue;
    const bool is_return = program.sources[i].instruction->opcode == ptx::Opcode::ret;
    if (returns && !is_return) continue;
    returns = is_return;
    last = i;
  }
  return last;
}

}  // namespace

bool is_flow_known(const Op& op) { return row_of(op.run) != nullptr; }

std::vector<OperationFlow> flows_of(const Program& program) {
  std::vector<OperationFlow> flows;
  flows.reserve(program.ops.size());
  for (const Op& op : program.ops) {
    flows.push_back(flow_of(program, op));
    flows.back().instruction = op.run == handlers::return_from ? last_return(program, op) : op.instruction;
  }
  return flows;
}

}  // namespace warpwalk::gpu
