#include <algorithm>
#include <initializer_list>
#include <utility>

#include <fmt/format.h>

#include "core/gpu/exec/lower/contraction.h"
#include "core/gpu/exec/lower/lowering.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/uses.h"

namespace warpwalk::gpu {

using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;

namespace {

bool is_predicate_logic(const ptx::Instruction& i) {
  if (i.type() != ptx::Type::pred) return false;
  return i.opcode == Opcode::and_ || i.opcode == Opcode::or_ || i.opcode == Opcode::xor_ || i.opcode == Opcode::not_;
}

/// An instruction that moves bits: and, or, mov of a register.
bool carries_bits(const ptx::Instruction& i) {
  if (i.guard >= 0 || i.type() == ptx::Type::pred || i.operands.empty() || i.operands[0].kind != OperandKind::reg)
    return false;
  return i.opcode == Opcode::and_ || i.opcode == Opcode::or_ ||
         (i.opcode == Opcode::mov && i.operands.size() > 1 && i.operands[1].kind == OperandKind::reg);
}

bool may_read_local(const ptx::Instruction& i) {
  return i.opcode == Opcode::ld && i.guard < 0 && (i.space == ptx::Space::generic || i.space == ptx::Space::local);
}

/// The registers with a value from local memory, which a load fills, or an instruction that moves bits, and which is
/// only stored: unoptimized code copies objects so, with their padding, and changes bit fields.
std::vector<bool> only_copied_registers(const ptx::Function& function) {
  const std::size_t count = function.registers.size();
  std::vector<int> definitions(count);
  std::vector<bool> loaded(count, false), copied(count, true);
  const auto is_value = [](const ptx::Instruction& i, std::int32_t index) {
    if (i.opcode != Opcode::st || i.guard == index || i.operands.size() < 2) return false;
    const std::vector<std::int32_t> address = uses_of_address(i).reads;
    return std::ranges::find(address, index) == address.end();
  };
  const auto at = [](std::int32_t index) { return static_cast<std::size_t>(index); };
  for (const ptx::Instruction& i : function.instructions) {
    const Uses uses = uses_of(i);
    for (const std::int32_t index : uses.writes) {
      ++definitions[at(index)];
      if (may_read_local(i)) loaded[at(index)] = true;
      if (!may_read_local(i) && !carries_bits(i)) copied[at(index)] = false;
    }
    for (const std::int32_t index : uses.reads)
      if (!is_value(i, index) && !carries_bits(i)) copied[at(index)] = false;
  }
  for (std::size_t index = 0; index < count; ++index)
    if (definitions[index] != 1) copied[index] = false;
  // What is moved to a register that is used otherwise is used, too.
  for (bool changed = true; std::exchange(changed, false);)
    for (const ptx::Instruction& i : function.instructions) {
      if (!carries_bits(i)) continue;
      const Uses uses = uses_of(i);
      for (const std::int32_t index : uses.reads) {
        if (copied[at(index)] && !copied[at(i.operands[0].index)]) {
          copied[at(index)] = false;
          changed = true;
        }
        if (copied[at(index)] && loaded[at(index)] && !loaded[at(i.operands[0].index)]) {
          loaded[at(i.operands[0].index)] = true;
          changed = true;
        }
      }
    }
  for (std::size_t index = 0; index < count; ++index)
    if (!loaded[index]) copied[index] = false;
  return copied;
}

}  // namespace

FunctionLowering::FunctionLowering(Program& program, std::uint32_t function)
    : program_(program),
      index_(function),
      source_(*program.functions[function].source),
      flow_(build_control_flow(*program.module, source_)),
      first_op_(flow_.nodes.size(), no_index),
      block_of_(flow_.nodes.size()) {}

void FunctionLowering::run() {
  const SharedPlaces places{program_.variable_addresses, program_.functions[index_].variable_offsets};
  only_copied_ = only_copied_registers(source_);
  products_ = find_contractions(source_, flow_, sass_values(source_, places));
  for (std::uint32_t node = 0; node < flow_.nodes.size(); ++node) lay_out_block(node);
  patch();
  program_.functions[index_].entry = first_op_[0];
  estimate_issues(program_, program_.functions[index_], flow_, block_of_);
}

void FunctionLowering::begin_block(std::uint32_t node) {
  block_ = static_cast<std::uint32_t>(program_.blocks.size());
  block_of_[node] = block_;
  first_op_[node] = static_cast<std::uint32_t>(program_.ops.size());
  BasicBlock block;
  block.first = first_op_[node];
  block.first_source = static_cast<std::uint32_t>(program_.sources.size());
  program_.blocks.push_back(block);
  Op op;
  op.run = handlers::enter_block;
  op.block = block_;
  op.function = index_;
  program_.ops.push_back(op);
}

Op& FunctionLowering::emit(Handler handler, const ptx::Instruction& i) {
  if (!counted_) {
    counted_ = true;
    SourceInstruction source;
    source.function = &source_;
    source.instruction = &i;
    source.block = block_;
    program_.sources.push_back(source);
    ++program_.blocks[block_].sources;
  }
  Op op;
  op.run = handler;
  op.block = block_;
  op.function = index_;
  op.instruction = static_cast<std::uint32_t>(program_.sources.size() - 1);
  if (i.guard >= 0) {
    op.guard =
        static_cast<std::int32_t>(program_.functions[index_].register_offsets[static_cast<std::size_t>(i.guard)]);
    op.guard_negated = i.guard_negated != 0;
  }
  program_.ops.push_back(op);
  return program_.ops.back();
}

void FunctionLowering::lay_out_block(std::uint32_t node) {
  const ControlFlow::Node& block = flow_.nodes[node];
  begin_block(node);
  if (node == flow_.last()) {
    // Every ret branches here. A kernel ends the thread; a function returns to its caller.
    Op op;
    op.run = source_.is_entry ? handlers::exit_lanes : handlers::return_from;
    op.immediate = index_;
    op.block = block_;
    op.function = index_;
    program_.ops.push_back(op);
    return;
  }
  for (std::uint32_t at = block.first; at < block.end; ++at) {
    const ptx::Instruction& i = source_.instructions[at];
    counted_ = false;
    switch (i.opcode) {
      case Opcode::bra:
      case Opcode::brx_idx:
      case Opcode::ret:
      case Opcode::exit:
      case Opcode::trap:
      case Opcode::call: lower_control(i, node); break;
      default: lower(i, at); break;
    }
  }
  // If a predicated call comes next, lanes that do not take it branch around it.
  const std::uint32_t next = node + 1;
  if (next == flow_.last()) return;
  const ptx::Instruction& after = source_.instructions[flow_.nodes[next].first];
  if (after.opcode != Opcode::call || after.guard < 0) return;
  counted_ = true;
  Op& op = emit(handlers::branch, after);
  op.guard_negated = !op.guard_negated;
  op.instruction = no_index;
  patches_.push_back({static_cast<std::uint32_t>(program_.ops.size() - 1), next + 1, false});
  patches_.push_back({static_cast<std::uint32_t>(program_.ops.size() - 1), next + 1, true});
}

void FunctionLowering::lower_control(const ptx::Instruction& i, std::uint32_t node) {
  const auto mark = [&](std::uint32_t to) {
    const auto op = static_cast<std::uint32_t>(program_.ops.size() - 1);
    patches_.push_back({op, to, false});
    patches_.push_back({op, flow_.nodes[node].post_dominator, true});
  };
  switch (i.opcode) {
    case Opcode::bra: {
      Op& op = emit(handlers::branch, i);
      const std::uint32_t to = flow_.node_of[static_cast<std::size_t>(operand(i, 0).index)];
      op.backward = to <= node;
      return mark(to);
    }
    case Opcode::ret: emit(handlers::branch, i); return mark(flow_.last());
    case Opcode::brx_idx: {
      Op& op = emit(handlers::branch_table, i);
      op.a = source(operand(i, 0), 4, ptx::Type::u32, i);
      op.table_index = static_cast<std::uint32_t>(program_.branch_tables.size());
      std::vector<std::uint32_t> nodes;
      for (const std::int32_t to : source_.tables[static_cast<std::size_t>(operand(i, 1).index)]) {
        nodes.push_back(flow_.node_of[static_cast<std::size_t>(to)]);
      }
      tables_.emplace_back(program_.branch_tables.size(), std::move(nodes));
      program_.branch_tables.emplace_back();
      patches_.push_back({static_cast<std::uint32_t>(program_.ops.size() - 1), flow_.nodes[node].post_dominator, true});
      return;
    }
    case Opcode::exit: emit(handlers::exit_lanes, i); return;
    case Opcode::trap: emit(handlers::trap, i); return;
    default: return lower_call(i, node);
  }
}

void FunctionLowering::lower_call(const ptx::Instruction& i, std::uint32_t node) {
  const Operand& target = operand(i, 1);
  const bool direct = target.kind == OperandKind::function;
  Call call;
  const auto copies = [&](const Operand& list, std::vector<CallCopy>& to) {
    for (std::size_t k = 0; k < list.elements.size(); ++k) {
      const Operand& o = list.elements[k];
      if (o.kind != OperandKind::local_variable && o.kind != OperandKind::parameter) {
        refuse(i, "passes a register; the simulated GPU supports only .param variables");
      }
      std::uint64_t bytes = 0;
      if (o.kind == OperandKind::local_variable) {
        bytes = source_.variables[static_cast<std::size_t>(o.index)].bytes;
      } else {
        if (source_.is_entry) refuse(i, "passes a kernel parameter; the simulated GPU supports only .param variables");
        bytes = (o.returns ? source_.returns : source_.parameters)[static_cast<std::size_t>(o.index)].bytes;
      }
      to.push_back({stack_offset(o), static_cast<std::uint32_t>(bytes), static_cast<std::uint32_t>(k)});
    }
  };
  copies(operand(i, 0), call.results);
  copies(operand(i, 2), call.arguments);
  const auto arguments_are = [&](std::initializer_list<std::uint32_t> bytes) {
    return std::equal(bytes.begin(), bytes.end(), call.arguments.begin(), call.arguments.end(),
                      [](std::uint32_t wanted, const CallCopy& copy) { return copy.bytes == wanted; });
  };
  Handler handler = direct ? handlers::call : handlers::call_indirect;
  if (direct) {
    const ptx::Function& callee = program_.module->functions[static_cast<std::size_t>(target.index)];
    if (!callee.defined && callee.name == "vprintf" && arguments_are({8, 8}) && call.results.size() == 1) {
      handler = handlers::print;
      program_.needs_block_order = true;
    } else if (!callee.defined && callee.name == "__assertfail" && arguments_are({8, 8, 4, 8, 8})) {
      handler = handlers::fail_assertion;
    } else if (!callee.defined && callee.name == "malloc" && arguments_are({8}) && call.results.size() == 1) {
      handler = handlers::allocate_memory;
    } else if (!callee.defined && callee.name == "__cuda_syscall_aligned_malloc" && arguments_are({8, 8}) &&
               call.results.size() == 1) {
      handler = handlers::allocate_aligned_memory;
    } else if (!callee.defined && callee.name == "free" && arguments_are({8})) {
      handler = handlers::free_memory;
    }
    if (handlers::uses_heap(handler)) program_.uses_heap = program_.needs_block_order = true;
  }
  Op& op = emit(handler, i);
  op.guard = -1;  // the previous block already branches around it
  op.immediate = index_;
  op.table_index = static_cast<std::uint32_t>(program_.calls.size());
  program_.calls.push_back(std::move(call));
  if (direct && handler != handlers::call) return;
  if (direct) {
    const ptx::Function& callee = program_.module->functions[static_cast<std::size_t>(target.index)];
    const std::int32_t number = program_.function_of_module[static_cast<std::size_t>(target.index)];
    if (number < 0) {
      refuse(i,
             fmt::format("calls `{}`, which the module declares but does not define; the simulated GPU supports only "
                         "printf, assert, malloc and free of the device runtime",
                         callee.name));
    }
    op.target = static_cast<std::uint32_t>(number);
  } else {
    op.a = source(target, 8, ptx::Type::u64, i);
    patches_.push_back({static_cast<std::uint32_t>(program_.ops.size() - 1), node + 1, true});
  }
}

void FunctionLowering::patch() {
  for (const Patch& patch : patches_) {
    const std::uint32_t to = patch.node == ControlFlow::none ? no_index : first_op_[patch.node];
    Op& op = program_.ops[patch.op];
    (patch.reconverge ? op.reconverge : op.target) = to;
  }
  for (const auto& [table, nodes] : tables_) {
    for (const std::uint32_t node : nodes) program_.branch_tables[table].push_back(first_op_[node]);
  }
}

/// Before an instruction that moves bits, emits the operation that follows unwritten bytes.
void FunctionLowering::lower_carried(const ptx::Instruction& i) {
  if (!carries_bits(i) || !only_copies(operand(i, 0))) return;
  const int bytes = ptx::bytes_of(i.type());
  const Slot a = source(operand(i, 1), bytes, i.type(), i);
  const Slot b = i.opcode == Opcode::mov ? a : source(operand(i, 2), bytes, i.type(), i);
  Op& op = emit(handlers::carry_unwritten, i);
  op.a = a;
  op.b = op.c = b;
  op.d = destination(operand(i, 0), i);
  op.bytes = static_cast<std::uint8_t>(bytes);
  op.immediate = i.opcode == Opcode::and_ ? 0xc0 : i.opcode == Opcode::or_ ? 0xfc : 0xf0;
}

void FunctionLowering::lower(const ptx::Instruction& i, std::size_t at) {
  lower_carried(i);
  switch (i.opcode) {
    case Opcode::mov: return lower_move(i);
    case Opcode::cvta:
    case Opcode::isspacep: return lower_address(i);
    case Opcode::mapa:
    case Opcode::getctarank: return lower_cluster_address(i);
    case Opcode::ld:
    case Opcode::ldu: return lower_load(i);
    case Opcode::st: return lower_store(i);
    case Opcode::atom:
    case Opcode::red: return lower_atomic(i);
    case Opcode::cp_async: return lower_copy(i);
    case Opcode::cp_async_bulk:
    case Opcode::cp_reduce_async_bulk: return lower_bulk_copy(i);
    case Opcode::cp_async_bulk_tensor:
    case Opcode::cp_reduce_async_bulk_tensor: return lower_tensor_copy(i);
    case Opcode::tensormap_replace: return lower_tensor_map_field(i);
    case Opcode::tensormap_cp_fenceproxy: return lower_tensor_map_copy(i);
    case Opcode::st_async:
    case Opcode::red_async: return lower_async_store(i);
    case Opcode::wgmma_mma_async: return lower_group_product(i);
    case Opcode::wgmma_fence:
    case Opcode::wgmma_commit_group:
    case Opcode::wgmma_wait_group: return lower_warp_group(i);
    case Opcode::cp_async_commit_group: emit(handlers::commit_copies, i).bytes = handlers::thread_copies; return;
    case Opcode::cp_async_bulk_commit_group: emit(handlers::commit_copies, i).bytes = handlers::bulk_copies; return;
    case Opcode::cp_async_wait_group:
    case Opcode::cp_async_bulk_wait_group: {
      const bool bulk = i.opcode == Opcode::cp_async_bulk_wait_group;
      Op& op = emit(handlers::wait_for_copies, i);
      op.immediate = operand(i, 0).bits;
      op.bytes = !bulk                        ? handlers::thread_copies
                 : i.has(ptx::Modifier::read) ? handlers::bulk_copies | handlers::only_reads
                                              : handlers::bulk_copies;
      return;
    }
    case Opcode::cp_async_wait_all: emit(handlers::wait_for_all_copies, i); return;
    case Opcode::fence:
    case Opcode::membar: {
      const bool narrow = i.has(ptx::Modifier::cta) || i.has(ptx::Modifier::cluster);
      const bool proxy = i.has(ptx::Modifier::async_) && i.space != ptx::Space::global;
      emit(handlers::fence, i).immediate =
          (narrow ? handlers::fence_is_narrow : 0) | (proxy ? handlers::fence_for_async_proxy : 0);
      return;
    }
    case Opcode::prefetch:
    case Opcode::prefetchu:
    case Opcode::cp_async_bulk_prefetch:
    case Opcode::cp_async_bulk_prefetch_tensor:
    case Opcode::setmaxnreg:  // the simulated GPU has the registers of all warps anyway
    case Opcode::applypriority:
    case Opcode::discard:         // the data may be dropped, so keeping it is allowed
    case Opcode::griddepcontrol:  // no-op: each launch starts after the previous one has ended
    case Opcode::brkpt:
    case Opcode::pmevent: emit(handlers::no_operation, i); return;
    case Opcode::nanosleep: emit(handlers::sleep, i); return;
    case Opcode::bar:
    case Opcode::barrier: return lower_barrier(i);
    case Opcode::bar_warp:
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::activemask:
    case Opcode::redux:
    case Opcode::elect: return lower_exchange(i);
    case Opcode::mbarrier_init:
    case Opcode::mbarrier_inval:
    case Opcode::mbarrier_arrive:
    case Opcode::mbarrier_arrive_drop:
    case Opcode::mbarrier_expect_tx:
    case Opcode::mbarrier_complete_tx:
    case Opcode::mbarrier_test_wait:
    case Opcode::mbarrier_try_wait:
    case Opcode::mbarrier_pending_count:
    case Opcode::cp_async_mbarrier_arrive: return lower_mbarrier(i);
    case Opcode::mma:
    case Opcode::wmma_load_a:
    case Opcode::wmma_load_b:
    case Opcode::wmma_load_c:
    case Opcode::wmma_store_d:
    case Opcode::wmma_mma:
    case Opcode::ldmatrix:
    case Opcode::stmatrix:
    case Opcode::movmatrix: return lower_matrix(i);
    case Opcode::createpolicy: return lower_policy(i);
    case Opcode::tex:
    case Opcode::tld4: return lower_texture(i);
    case Opcode::txq:
    case Opcode::suq: return lower_query(i);
    case Opcode::suld_b:
    case Opcode::sust_b:
    case Opcode::sust_p:
    case Opcode::sured_b: return lower_surface(i);
    case Opcode::alloca_:
    case Opcode::stacksave:
    case Opcode::stackrestore: return lower_stack(i);
    default: break;
  }
  if (is_predicate_logic(i)) return lower_predicates(i);
  if (products_[at] >= 0) return lower_fused(i, source_.instructions[static_cast<std::size_t>(products_[at])]);
  lower_alu(i);
}

}  // namespace warpwalk::gpu
