// The estimated machine code of PTX programs: its control codes, checked against the PTX itself.
#include "core/gpu/timing/estimate/estimate_code.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/gpu/exec/launch.h"
#include "core/gpu/exec/uses.h"
#include "core/ptx/parse/parser.h"
#include "core/run/launch/run_launch.h"
#include "tests/timing/timed.h"

namespace warpwalk::gpu {
namespace {

using timed::h200;

const Timing& h200_timing() {
  static const Timing timing = *timing_of(h200());
  return timing;
}

/// The program of a kernel `k` with these instructions, parameters `p` (u64) and `n` (u32), registers %r, %rd, %f, %fd
/// and %p, and 4 KB of shared memory `s`.
std::shared_ptr<const Program> program_of(const std::string& body) {
  const std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n.reg .pred %p<9>;\n.reg .b32 %r<40>;\n.reg .b64 %rd<40>;\n"
      ".reg .f32 %f<80>;\n.reg .f64 %fd<9>;\n.shared .align 16 .b8 s[4096];\n"
      "ld.param.u32 %r39, [n];\n"  // the kernel's prologue counts for the first instruction
      + body + "\nret;\n}\n";
  auto parsed = ptx::parse(text);
  if (const auto* const error = std::get_if<ptx::Error>(&parsed)) throw std::runtime_error(error->text());
  auto prepared = prepare(std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed))), "k");
  if (!prepared) throw std::runtime_error(prepared.error());
  return *prepared;
}

struct Estimated {
  std::shared_ptr<const Program> program;
  EstimatedCode code;

  explicit Estimated(const std::string& body)
      : program(program_of(body)), code(estimate_code(*program, h200_timing())) {}

  /// The machine instructions of the n-th PTX instruction with this opcode.
  std::vector<std::size_t> of(ptx::Opcode opcode, std::size_t n = 0) const {
    for (std::uint32_t s = 0; s < program->sources.size(); ++s) {
      if (program->sources[s].instruction->opcode != opcode || n-- > 0) continue;
      std::vector<std::size_t> found;
      for (std::size_t k = 0; k < code.details.size(); ++k)
        if (code.details[k].source == s) found.push_back(k);
      return found;
    }
    throw std::runtime_error("no such instruction");
  }
  const InstructionTiming& only(ptx::Opcode opcode, std::size_t n = 0) const {
    return code.instructions[of(opcode, n).back()];
  }
  int distance(std::size_t from, std::size_t to) const {
    int cycles = 0;
    for (std::size_t k = from; k < to; ++k) cycles += code.instructions[k].stall;
    return cycles;
  }
};

constexpr const char* address = "ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\n";

TEST(EstimateCode, AChainOfMultiplicationsIssuesEveryFourCycles) {
  const Estimated e("fma.rn.f32 %f2, %f1, %f1, %f1;\nfma.rn.f32 %f3, %f2, %f2, %f2;\nfma.rn.f32 %f4, %f3, %f3, %f3;\n");
  EXPECT_EQ(e.distance(e.of(ptx::Opcode::fma, 0)[0], e.of(ptx::Opcode::fma, 1)[0]), 4);
  EXPECT_EQ(e.distance(e.of(ptx::Opcode::fma, 1)[0], e.of(ptx::Opcode::fma, 2)[0]), 4);
}

TEST(EstimateCode, IndependentInstructionsIssueEveryCycle) {
  const Estimated e("fma.rn.f32 %f2, %f1, %f1, %f1;\nfma.rn.f32 %f3, %f1, %f1, %f1;\nfma.rn.f32 %f4, %f1, %f1, %f1;\n");
  EXPECT_EQ(e.only(ptx::Opcode::fma, 0).stall, 1);
  EXPECT_EQ(e.only(ptx::Opcode::fma, 1).stall, 1);
}

TEST(EstimateCode, ABranchWaitsForItsPredicateLongerThanASelection) {
  const Estimated branch("setp.lt.f32 %p1, %f1, %f2;\n@%p1 bra L;\nbar.sync 0;\nL:\n");
  EXPECT_EQ(branch.distance(branch.of(ptx::Opcode::setp)[0], branch.of(ptx::Opcode::bra)[0]), 13);
  const Estimated selection("setp.lt.f32 %p1, %f1, %f2;\nselp.f32 %f3, %f1, %f2, %p1;\n");
  EXPECT_EQ(selection.distance(selection.of(ptx::Opcode::setp)[0], selection.of(ptx::Opcode::selp)[0]), 4);
}

TEST(EstimateCode, FoldedInstructionsAreNotIssued) {
  const Estimated e(std::string(address) + "ld.global.f32 %f1, [%rd2];\nst.global.f32 [%rd2+4], %f1;\n");
  EXPECT_TRUE(e.of(ptx::Opcode::cvta).empty());
  std::uint64_t machine_instructions = 0;
  for (const BasicBlock& block : e.program->blocks) machine_instructions += block.machine_instructions;
  EXPECT_EQ(e.code.instructions.size(), machine_instructions);
}

// The address comes through the folded cvta.
TEST(EstimateCode, AnInstructionWaitsForWhatAFoldedOneReads) {
  const Estimated e(std::string(address) +
                    "ld.global.f32 %f1, [%rd2];\nadd.f32 %f2, %f1, %f1;\nst.global.f32 [%rd2], %f2;\n");
  const InstructionTiming &parameter = e.only(ptx::Opcode::ld, 1), &load = e.only(ptx::Opcode::ld, 2),
                          &sum = e.only(ptx::Opcode::add);
  ASSERT_LT(parameter.write_counter, 6);
  EXPECT_NE(load.wait_mask >> parameter.write_counter & 1, 0);
  ASSERT_LT(load.write_counter, 6);
  EXPECT_NE(sum.wait_mask >> load.write_counter & 1, 0);
}

TEST(EstimateCode, LoadsMoveAheadOfTheUsesOfOthers) {
  std::string body = address;
  for (int i = 0; i < 4; ++i)
    body += fmt::format("ld.global.f32 %f{}, [%rd2+{}];\nfma.rn.f32 %f{}, %f{}, %f{}, %f{};\n", i + 1, 128 * i, i + 11,
                        i + 1, i + 1, i + 10);
  body += "st.global.f32 [%rd2], %f14;\n";
  const Estimated e(body);
  EXPECT_LT(e.of(ptx::Opcode::ld, 5)[0], e.of(ptx::Opcode::fma, 0)[0]);
}

TEST(EstimateCode, LoadsStayBehindAStoreToTheSameMemory) {
  const Estimated e(std::string(address) +
                    "st.shared.f32 [s], %f9;\nst.global.f32 [%rd2], %f9;\nld.global.f32 %f1, [%rd2+4];\n"
                    "ld.shared.f32 %f2, [s+64];\nadd.f32 %f3, %f1, %f2;\nst.global.f32 [%rd2+8], %f3;\n");
  EXPECT_LT(e.of(ptx::Opcode::st, 1)[0], e.of(ptx::Opcode::ld, 2)[0]);
  EXPECT_LT(e.of(ptx::Opcode::st, 0)[0], e.of(ptx::Opcode::ld, 3)[0]);
}

// Twenty loads share six counters in groups; a sum waits for its own group only.
TEST(EstimateCode, SharesCountersIfThereAreTooFew) {
  std::string body = address;
  for (int i = 0; i < 20; ++i) body += fmt::format("ld.global.f32 %f{}, [%rd2+{}];\n", i + 1, 128 * i);
  for (int i = 0; i < 20; ++i)
    body += fmt::format("fma.rn.f32 %f{}, %f{}, %f{}, %f{};\n", i + 31, i + 1, i + 1, i + 30);
  const Estimated e(body + "st.global.f32 [%rd2], %f50;\n");
  std::map<std::uint8_t, int> uses;
  for (int i = 0; i < 20; ++i) ++uses[e.only(ptx::Opcode::ld, static_cast<std::size_t>(i) + 2).write_counter];
  EXPECT_GE(uses.size(), 4u);
  for (const auto& [counter, count] : uses) {
    EXPECT_LT(counter, 6);
    EXPECT_LE(count, 8);
  }
  EXPECT_EQ(e.only(ptx::Opcode::fma, 0).wait_mask >> e.only(ptx::Opcode::ld, 21).write_counter & 1, 0);
}

TEST(EstimateCode, AStoresOperandIsReadBeforeItIsOverwritten) {
  const Estimated e(std::string(address) +
                    "st.global.f32 [%rd2], %f1;\nadd.f32 %f1, %f2, %f3;\nst.global.f32 [%rd2+4], %f1;\n");
  const InstructionTiming& store = e.only(ptx::Opcode::st, 0);
  ASSERT_LT(store.read_counter, 6);
  EXPECT_NE(e.only(ptx::Opcode::add).wait_mask >> store.read_counter & 1, 0);
}

TEST(EstimateCode, ADivisionIsAChainWithAReciprocal) {
  const Estimated e("div.rn.f32 %f3, %f1, %f2;\nadd.f32 %f4, %f3, %f3;\n");
  const std::vector<std::size_t> steps = e.of(ptx::Opcode::div);
  EXPECT_EQ(steps.size(), 12u);
  EXPECT_EQ(e.code.instructions[steps.front()].pipe, Pipe::xu);
  EXPECT_GE(e.distance(steps[1], e.of(ptx::Opcode::add)[0]), 11 * 4);
}

TEST(EstimateCode, GroupsOfCopiesAreCountedByTheFirstCounter) {
  const Estimated e(
      std::string(address) +
      "mov.u32 %r1, s;\ncp.async.ca.shared.global [%r1], [%rd2], 4;\ncp.async.commit_group;\n"
      "cp.async.ca.shared.global [%r1+4], [%rd2+4], 4;\ncp.async.commit_group;\ncp.async.wait_group 1;\n");
  EXPECT_EQ(e.only(ptx::Opcode::cp_async_commit_group).write_counter, 0);
  const InstructionTiming& wait = e.only(ptx::Opcode::cp_async_wait_group);
  EXPECT_EQ(wait.kind, InstructionKind::wait_for_count);
  EXPECT_EQ(wait.counter, 0);
  EXPECT_EQ(wait.count, 1);
  for (const InstructionTiming& i : e.code.instructions)
    EXPECT_TRUE(i.kind == InstructionKind::copy_group || i.write_counter != 0);
}

/// Walks through the estimated code of a function as a warp would, in the shortest possible time: no instruction waits
/// for anything but stall counts and counters, and no counter is released until an instruction waits for it. Checks
/// that each instruction finds the values there that its PTX instruction reads.
class Walk {
 public:
  Walk(const Program& program, const EstimatedCode& code, const ptx::Function& function)
      : program_(program), code_(code), function_(function), index_(function.instructions.size() + 1, no_index) {
    for (std::uint32_t s = 0; s < program.sources.size(); ++s)
      if (program.sources[s].function == &function) index_[ptx_index(s)] = s;
    for (std::size_t k = function.instructions.size(); k-- > 0;)
      if (index_[k] == no_index) index_[k] = index_[k + 1];
    merged_bytes_.assign(program.sources.size(), -1);
    for (const Op& op : program.ops) {
      if (op.instruction == no_index) continue;
      const ptx::Instruction& i = *program.sources[op.instruction].instruction;
      if (i.opcode == ptx::Opcode::ld && i.space == ptx::Space::shared)
        merged_bytes_[op.instruction] = program.accesses[op.table_index].merged_bytes;
    }
  }

  /// Returns the number of instructions issued.
  std::size_t run(unsigned seed) {
    std::minstd_rand random(seed);
    std::uint32_t at = index_[0];
    std::size_t issued = 0;
    for (int regions = 0; at != no_index && regions < 400; ++regions) {
      const EstimatedRegion& region = code_.regions[code_.region_of[at]];
      issued += region.end - region.first;
      pass(region, at);
      at = next(region, random);
    }
    return issued;
  }

 private:
  /// A value that may not be there yet.
  struct Value {
    std::uint8_t counter = InstructionTiming::no_counter;
    std::int64_t ready = 0, ready_for_guards = 0;
  };
  using Values = std::vector<std::shared_ptr<Value>>;

  std::size_t ptx_index(std::uint32_t s) const {
    return static_cast<std::size_t>(program_.sources[s].instruction - function_.instructions.data());
  }
  std::uint32_t line(std::uint32_t s) const { return program_.sources[s].instruction->line; }

  /// Passes through a region from `entry` on: finds the values that each PTX instruction reads, in program order, and
  /// then issues the machine instructions.
  void pass(const EstimatedRegion& region, std::uint32_t entry) {
    std::map<std::uint32_t, std::vector<std::pair<std::int32_t, Values>>> reads;
    std::map<std::uint32_t, std::shared_ptr<Value>> made;
    std::map<std::uint32_t, std::size_t> first, last;
    for (std::size_t k = region.first; k < region.end; ++k) {
      // Instructions without operands belong to the prologue, or move a constant.
      if (code_.details[k].last || !code_.details[k].reads.empty()) first.try_emplace(code_.details[k].source, k);
      if (code_.details[k].last) last[code_.details[k].source] = k;
    }
    std::uint32_t skipped_until = 0;  // instructions before are predicated
    for (std::uint32_t s = entry; s < region.end_source; ++s) {
      const ptx::Instruction& i = *program_.sources[s].instruction;
      const Uses uses = uses_of(i);
      Values sources;
      for (const std::int32_t reg : uses.reads) {
        reads[s].push_back({reg, registers_[reg]});
        sources.insert(sources.end(), registers_[reg].begin(), registers_[reg].end());
      }
      Values result = sources;
      if (last.contains(s)) {
        made[s] = std::make_shared<Value>();
        made[s]->ready = made[s]->ready_for_guards = INT64_MAX;  // until it issues
        result = {made[s]};
      }
      if (merged_bytes_[s] == 0 && last.contains(leader(s))) result.push_back(made[leader(s)]);
      for (const std::int32_t reg : uses.writes) {
        if (s < skipped_until) {
          registers_[reg].insert(registers_[reg].end(), result.begin(), result.end());
        } else {
          registers_[reg] = result;
        }
      }
      if (i.opcode == ptx::Opcode::bra && i.guard >= 0 && s + 1 < region.end_source)
        skipped_until = index_[static_cast<std::size_t>(i.operands[0].index)];
    }
    for (std::size_t k = region.first; k < region.end; ++k) {
      const InstructionTiming& timing = code_.instructions[k];
      const std::uint32_t s = code_.details[k].source;
      if (s < entry) continue;
      for (unsigned c = 0; c < 6; ++c)
        if ((timing.wait_mask >> c & 1) != 0) release(static_cast<std::uint8_t>(c));
      if ((first.contains(s) && first[s] == k) || code_.details[k].last) check(s, reads[s], code_.details[k].last);
      if (code_.details[k].last && made.contains(s)) issue(made[s], timing, code_.details[k]);
      now_ += timing.stall;
    }
  }

  void check(std::uint32_t s, const std::vector<std::pair<std::int32_t, Values>>& reads, bool last) {
    const ptx::Instruction& i = *program_.sources[s].instruction;
    if (i.opcode == ptx::Opcode::call && last) {
      EXPECT_TRUE(waiting_.empty()) << "a call leaves counters pending, PTX line " << i.line;
    }
    for (const auto& [reg, values] : reads)
      for (const auto& value : values) {
        EXPECT_EQ(value->counter, InstructionTiming::no_counter)
            << "PTX line " << i.line << " does not wait for "
            << function_.registers[static_cast<std::size_t>(reg)].name;
        EXPECT_LE(reg == i.guard ? value->ready_for_guards : value->ready, now_)
            << "PTX line " << i.line << " issues before " << function_.registers[static_cast<std::size_t>(reg)].name
            << " is there";
      }
  }

  void issue(const std::shared_ptr<Value>& value, const InstructionTiming& timing, const EstimatedInstruction& i) {
    if (timing.write_counter != InstructionTiming::no_counter) {
      *value = {timing.write_counter, now_, now_};
      waiting_.insert({timing.write_counter, value});
      return;
    }
    EXPECT_FALSE(i.writes.size() > 0 && (timing.queued() || timing.pipe == Pipe::xu))
        << "PTX line " << line(i.source) << " has no counter";
    // The smallest stall counts between dependent instructions in ptxas's code.
    int cycles = 4, to_guard = 4;
    if (timing.pipe == Pipe::fp64) cycles = to_guard = 8;
    const ptx::Opcode opcode = program_.sources[i.source].instruction->opcode;
    if (opcode == ptx::Opcode::setp) to_guard = 13;
    *value = {InstructionTiming::no_counter, now_ + cycles, now_ + to_guard};
  }

  void release(std::uint8_t counter) {
    const auto [begin, end] = waiting_.equal_range(counter);
    for (auto at = begin; at != end; ++at)
      if (at->second->counter == counter) at->second->counter = InstructionTiming::no_counter;
    waiting_.erase(begin, end);
  }

  /// The first earlier load from the same base, in the same basic block, of 8 or 16 bytes that include this one.
  std::uint32_t leader(std::uint32_t s) const {
    const ptx::Operand& at = program_.sources[s].instruction->operands[1];
    for (std::uint32_t other = s; other-- > 0 && program_.sources[other].block == program_.sources[s].block;) {
      const int bytes = merged_bytes_[other];
      if (bytes < 8) continue;
      const ptx::Operand& base = program_.sources[other].instruction->operands[1];
      if (base.index == at.index && base.offset / bytes == at.offset / bytes) return other;
    }
    return no_index;
  }

  std::uint32_t next(const EstimatedRegion& region, std::minstd_rand& random) const {
    const ptx::Instruction& i = *program_.sources[region.end_source - 1].instruction;
    const std::size_t behind = ptx_index(region.end_source - 1) + 1;
    const auto target = [&](std::int32_t to) { return index_[static_cast<std::size_t>(to)]; };
    const bool falls = i.guard >= 0 && random() % 2 == 0;
    switch (i.opcode) {
      case ptx::Opcode::ret:
      case ptx::Opcode::exit:
      case ptx::Opcode::trap: return falls ? index_[behind] : no_index;
      case ptx::Opcode::bra: return falls ? index_[behind] : target(i.operands[0].index);
      case ptx::Opcode::brx_idx: {
        const auto& table = function_.tables[static_cast<std::size_t>(i.operands[1].index)];
        return target(table[random() % table.size()]);
      }
      default: return index_[behind];
    }
  }

  const Program& program_;
  const EstimatedCode& code_;
  const ptx::Function& function_;
  std::vector<std::uint32_t> index_;  ///< by PTX instruction: the first source from there on
  std::vector<int> merged_bytes_;     ///< of loads of shared memory; 0: merged into an earlier one; -1: no such load
  std::map<std::int32_t, Values> registers_;
  std::multimap<std::uint8_t, std::shared_ptr<Value>> waiting_;
  std::int64_t now_ = 0;
};

class EstimatedControlCodes : public ::testing::TestWithParam<std::string> {};

TEST_P(EstimatedControlCodes, LetNoInstructionIssueBeforeItsOperandsAreThere) {
  run::LoadOptions options;
  options.code = run::CodeChoice::ptx;
  const auto file = std::filesystem::path(WARPWALK_SOURCE_DIR "/tests/cases") / GetParam() / "launch.json";
  auto loaded = run::load_launch(file, h200(), options);
  ASSERT_TRUE(loaded);
  const Program& program = *loaded->program;
  const EstimatedCode code = estimate_code(program, h200_timing());
  std::size_t issued = 0;
  for (const Function& function : program.functions)
    for (unsigned seed = 1; seed <= 10; ++seed) issued += Walk(program, code, *function.source).run(seed);
  EXPECT_GT(issued, 0u);
}

INSTANTIATE_TEST_SUITE_P(Cases, EstimatedControlCodes, ::testing::ValuesIn(timed::case_names()),
                         [](const auto& which) { return which.param; });

}  // namespace
}  // namespace warpwalk::gpu
