// Compares decoding and text with what NVIDIA's disassembler prints (record.py).
#include "core/sass/forms/decode.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "core/sass/forms/form.h"
#include "core/sass/opcode_properties.h"
#include "core/sass/special_register.h"
#include "core/sass/text.h"
#include "tests/sass/recorded.h"

namespace warpwalk::sass {
namespace {

constexpr int shown_failures = 10;

Instruction decoded(Architecture architecture, const Encoding& encoding, std::uint64_t address = 0) {
  auto result = decode(architecture, encoding, address);
  if (const auto* unknown = std::get_if<UnknownInstruction>(&result)) {
    ADD_FAILURE() << unknown->what;
    return {};
  }
  return std::get<Instruction>(result);
}

/// Every instruction in a file of tests/sass/data must have its text. Returns the number of instructions for each
/// architecture.
std::map<Architecture, std::size_t> expect_texts(const std::string& file) {
  const std::string contents = read_data(file);
  std::map<Architecture, std::size_t> counts;
  int failures = 0;
  for (const Recorded& one : parse_recorded(contents)) {
    const auto result = decode(one.architecture, one.encoding, one.address);
    const auto* instruction = std::get_if<Instruction>(&result);
    const std::string text =
        instruction ? text_of(*instruction, one.architecture) : std::get<UnknownInstruction>(result).what;
    ++counts[one.architecture];
    if (text != one.text && ++failures <= shown_failures)
      ADD_FAILURE() << name_of(one.architecture) << ": " << text << "\n  recorded: " << one.text;
  }
  EXPECT_EQ(failures, 0);
  return counts;
}

TEST(Decode, EveryInstructionOfThisRepositorysKernelsHasItsText) {
  const auto counts = expect_texts("instructions.gz");
  ASSERT_EQ(counts.size(), architecture_count);
  for (const auto& [architecture, count] : counts) EXPECT_GT(count, 10000u) << name_of(architecture);
}

TEST(Decode, EveryInstructionOfPyTorchAndTritonHasItsText) {
  const auto counts = expect_texts("frameworks.gz");
  ASSERT_EQ(counts.size(), 5u) << "recorded for sm_75 to sm_90";
  for (const auto& [architecture, count] : counts) EXPECT_GT(count, 1000u) << name_of(architecture);
}

TEST(Decode, EveryInstructionThatPtxasMakesOfOnePtxInstructionHasItsText) {
  const auto counts = expect_texts("single.gz");
  ASSERT_EQ(counts.size(), architecture_count);
  for (const Architecture architecture : {Architecture::sm_90, Architecture::sm_100, Architecture::sm_120})
    EXPECT_GT(counts.at(architecture), 2000u) << name_of(architecture);
}

// Forms that ptxas rarely chooses: a uniform register in the address in shared memory, and as the third source; those of
// kernels that libraries contain.
TEST(Decode, RareFormsHaveTheTextOfTheDisassembler) {
  struct Case {
    std::uint64_t low, high;
    std::string_view text;
  };
  constexpr Case cases[] = {
      {0x00000000c0b90dae, 0x000fe2000b920957, "@P0 LDGSTS.E.LTC128B [R185+UR23], [R192.64]"},
      {0x04000000c2b80dae, 0x000fe2000b920958, "@P0 LDGSTS.E.LTC128B [R184+UR24+0x4000], [R194.64]"},
      {0x0000000710057e46, 0x001fe2000b800811, "VIADDMNMX.U32 R5, R16, -R17, UR7, PT"},
      {0x0000000600007e46, 0x000fc8000b800102, "VIADDMNMX R0, R0, R2, UR6, PT"},
      {0x00000008ff227981, 0x000ea800081e0b00, "LDG.E.64 R34, [RZ.U32+UR8]"},
      {0x00003980000079c9, 0x000e620008000000, "USETSHMSZ 0x3980"},
      {0x00003980000059c9, 0x000e620008000000, "@UP5 USETSHMSZ 0x3980"},
      {0x00000000000079c9, 0x000e620008000100, "USETSHMSZ.FLUSH"},
      {0x0000000100147912, 0x000ee20000201c00, "I2F.F64 R20, 0x1"},
  };
  for (const Case& one : cases)
    EXPECT_EQ(text_of(decoded(Architecture::sm_90, {one.low, one.high}), Architecture::sm_90), one.text);
}

// Altered instructions. nvdisasm ignores some bits whose meaning is unknown here; those are reported as unknown, never
// decoded to another text.
void expect_text_or_unknown(const std::string& file, std::size_t expected, std::size_t expected_known) {
  const std::string contents = read_data(file);
  const auto recorded = parse_recorded(contents);
  ASSERT_GT(recorded.size(), expected);
  std::size_t known = 0;
  int failures = 0;
  for (const Recorded& one : recorded) {
    const auto result = decode(one.architecture, one.encoding, one.address);
    const auto* instruction = std::get_if<Instruction>(&result);
    if (instruction == nullptr) continue;
    ++known;
    const std::string text = text_of(*instruction, one.architecture);
    if (text != one.text && ++failures <= shown_failures)
      ADD_FAILURE() << name_of(one.architecture) << ": " << text << "\n  recorded: " << one.text;
  }
  EXPECT_EQ(failures, 0);
  EXPECT_GT(known, expected_known);
}

TEST(Decode, AChangedBitGivesTheRecordedTextOrIsUnknown) { expect_text_or_unknown("variants.gz", 140000, 65000); }

TEST(Decode, EncodingsFoundByExploringGiveTheRecordedTextOrAreUnknown) {
  expect_text_or_unknown("explored.gz", 90000, 30000);
}

TEST(Decode, TheTablesCanBeParsedForEveryOpcode) {
  std::set<Opcode> opcodes;
  for (std::uint32_t code = 0; code < 4096; ++code)
    for (const Form& form : forms_of(code)) opcodes.insert(form.opcode);
  EXPECT_GT(opcodes.size(), 100u);
  for (const Opcode opcode : opcodes) EXPECT_FALSE(name_of(opcode).empty());
}

TEST(Decode, UnknownOpcodesAndBitsAreReportedWithTheirPlace) {
  const auto opcode = decode(Architecture::sm_90, Encoding{0x7fff, 0}, 0x120);
  ASSERT_TRUE(std::holds_alternative<UnknownInstruction>(opcode));
  EXPECT_EQ(std::get<UnknownInstruction>(opcode).what, "instruction 0xfff at 0x120: unknown opcode");
  EXPECT_EQ(std::get<UnknownInstruction>(opcode).address, 0x120u);

  // FADD R5, R0, R11 with bit 83, which no field of FADD covers.
  const Encoding fadd{0x0000000b00057221, 0};
  EXPECT_EQ(text_of(decoded(Architecture::sm_80, fadd), Architecture::sm_80), "FADD R5, R0, R11");
  const auto bit = decode(Architecture::sm_80, Encoding(fadd).set(83, 1, 1), 0x40);
  ASSERT_TRUE(std::holds_alternative<UnknownInstruction>(bit));
  EXPECT_EQ(std::get<UnknownInstruction>(bit).what, "instruction 0x221 at 0x40: FADD: bit 83 has no known meaning");

  // VIADD exists since sm_90.
  const Encoding viadd{0x0000000100000836, 0};
  EXPECT_EQ(mnemonic_of(decoded(Architecture::sm_90, viadd)), "VIADD");
  EXPECT_TRUE(std::holds_alternative<UnknownInstruction>(decode(Architecture::sm_89, viadd, 0)));
}

TEST(Decode, ControlCodes) {
  // From a kernel for sm_90: LDC R0, c[0x0][0x220] waits for nothing, releases barrier 0 and stalls for 2 cycles.
  const Control control = decoded(Architecture::sm_90, {0x00008800ff007b82, 0x000e240000000800}).control;
  EXPECT_EQ(control, (Control{.stall = 2,
                              .yield = false,
                              .write_barrier = 0,
                              .read_barrier = Control::no_barrier,
                              .wait_mask = 0,
                              .reuse = 0}));
  const Control waits = decoded(Architecture::sm_90, {0x000000000300720c, 0x001fda0003f06270}).control;
  EXPECT_EQ(waits.wait_mask, 1);
  EXPECT_EQ(waits.stall, 13);
  EXPECT_TRUE(Control{control_of({0, 0})}.yield) << "bit 109 is 0";
}

TEST(Decode, TypedOperandsAndModifiers) {
  // @!P6 STG.E desc[UR8][R2.64+0x40], R21
  const Instruction store = decoded(Architecture::sm_90, {0x000040150200e986, 0x000fe2000c101908});
  EXPECT_EQ(store.opcode, Opcode::stg);
  EXPECT_EQ(store.guard.reg, 6);
  EXPECT_TRUE(store.guard.negate);
  EXPECT_EQ(store.word(Field::size), Word::n32) << "the default is there although the text omits it";
  EXPECT_EQ(store.word(Field::order), Word::weak);
  ASSERT_EQ(store.operands.size(), 2u);
  const Operand& address = store.operands[0];
  EXPECT_EQ(address.kind, OperandKind::address);
  EXPECT_EQ(address.reg, 2);
  EXPECT_EQ(address.width, AddressWidth::bits_64);
  EXPECT_EQ(address.descriptor, 8);
  EXPECT_EQ(address.uniform, zero_uniform_register);
  EXPECT_EQ(address.value, 0x40);
  EXPECT_EQ(store.operands[1].reg, 21);

  // @!P0 BRA 0x340 at 176 on sm_75: the target is an address.
  const Instruction branch = decoded(Architecture::sm_75, {0x0000025000008947, 0x000fea0003800000}, 176);
  ASSERT_FALSE(branch.operands.empty());
  EXPECT_EQ(branch.operands.back().kind, OperandKind::target);
  EXPECT_EQ(branch.operands.back().value, 0x310);

  // F2I.S64.F64.TRUNC: both types of a conversion.
  const Instruction convert = decoded(Architecture::sm_90, {0x0000000200047311, 0x000e24000030d900});
  EXPECT_EQ(convert.word(Field::type), Word::s64);
  EXPECT_EQ(convert.word(Field::source_type), Word::f64);
  EXPECT_EQ(convert.word(Field::rounding), Word::trunc);

  // S2R R0, SR_TID.X
  const Instruction special = decoded(Architecture::sm_90, {0x0000000000007919, 0x000e2e0000002100});
  EXPECT_EQ(special.operands.back().value, special_tid_x);
}

TEST(Decode, PartOfAnInstructionAtTheEndIsIgnored) {
  const std::string code(40, '\0');
  EXPECT_EQ(decode(Architecture::sm_80, code).size(), 2u);
  EXPECT_TRUE(decode(Architecture::sm_80, std::string_view{}).empty());
}

TEST(OpcodeTable, EveryOpcodeHasAFormAndANameOfItsOwn) {
  std::set<Opcode> in_forms;
  for (std::uint32_t code = 0; code < 4096; ++code)
    for (const Form& form : forms_of(code)) in_forms.insert(form.opcode);
  std::set<std::string_view> names;
  for (const OpcodeRow& row : opcode_properties) {
    EXPECT_TRUE(in_forms.contains(row.opcode)) << row.name << " has no form";
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " is the name of two opcodes";
    EXPECT_EQ(name_of(row.opcode), row.name);
  }
  EXPECT_EQ(in_forms.size(), opcode_count);
}

TEST(OpcodeTable, PipesFitTheKinds) {
  for (const OpcodeRow& row : opcode_properties) {
    if (row.pipe == Pipe::fma || row.pipe == Pipe::half || row.pipe == Pipe::fp64 || row.pipe == Pipe::tensor) {
      EXPECT_EQ(row.kind, InstructionKind::floating) << row.name;
    }
    if (row.pipe == Pipe::uniform) {
      EXPECT_TRUE(row.name.starts_with('U') || row.opcode == Opcode::voteu || row.opcode == Opcode::ldcu ||
                  row.opcode == Opcode::cs2ur)
          << row.name;
    }
    if (row.kind == InstructionKind::local) {
      EXPECT_EQ(row.pipe, Pipe::mio) << row.name;
    }
    if (row.address == AddressRange::global) {
      EXPECT_TRUE(row.pipe == Pipe::mio || row.opcode == Opcode::cctl) << row.name;
    }
  }
}

}  // namespace
}  // namespace warpwalk::sass
