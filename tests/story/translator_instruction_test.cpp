// The translator's machine code: decoded from a cubin, with control codes, registers and constants. The walks were
// recorded on an H200 with the text of NVIDIA's disassembler, which is the reference.
#include <algorithm>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/sass/opcode.h"
#include "core/sass/word.h"
#include "core/story/facts/code/instruction_words.h"
#include "core/story/facts/code/linked_code.h"
#include "core/story/scene_list.h"
#include "core/story/scenes/translator/picture.h"
#include "core/story/transcript.h"
#include "core/trace/read/read_trace.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

/// A recorded walk of one of warpwalk's kernels, with the cubin of the same kernel.
struct WithCubin {
  Trace trace;
  Walk walk;

  WithCubin(const std::string& recorded, const std::string& kernel) {
    trace::ReadResult read = trace::read_trace_text(file_contents("assets/walks/" + recorded + ".json.gz"));
    EXPECT_FALSE(read.error) << *read.error;
    trace = std::move(read.trace);
    walk = default_walk(trace);
    const std::string bytes = file_contents("tests/sass/data/cubins/" + kernel + ".sm_90.gz");
    module().cubin.assign(bytes.begin(), bytes.end());
  }
  trace::Module& module() { return trace.records.modules.front(); }

  Stage stage(const Controls& controls = {}) const {
    return stage_at_beat(*find_scene("translator"), trace, walk, 7, 1, controls);
  }
};

const InstructionPane& pane(const Stage& stage) { return *shared_picture<TranslatorPicture>(stage).instruction; }

Controls chosen(int instruction) {
  Controls controls;
  controls.set("translator.instruction", instruction);
  return controls;
}

const InstructionPane::Row& row_at(const InstructionPane& pane, std::string_view address) {
  const auto found = std::ranges::find(pane.rows, address, &InstructionPane::Row::address);
  EXPECT_NE(found, pane.rows.end()) << address;
  return found == pane.rows.end() ? pane.rows.front() : *found;
}

const InstructionPane::Constant& constant(const InstructionPane& pane, std::string_view place) {
  const auto found = std::ranges::find(pane.constants, place, &InstructionPane::Constant::place);
  EXPECT_NE(found, pane.constants.end()) << place;
  return found == pane.constants.end() ? pane.constants.front() : *found;
}

TEST(TranslatorInstruction, DecodedCodeIsWhatTheDisassemblerPrinted) {
  for (const auto& [walk, row, kernel] :
       {std::tuple("h200_relu", 0, "relu"), std::tuple("h200_matmul", 0, "matmul_tiled"),
        std::tuple("h200_vecadd", 0, "vecadd"), std::tuple("h200_relu_matmul", 0, "matmul_tiled"),
        std::tuple("h200_relu_matmul", 1, "relu")}) {
    const trace::Module& module = sample(walk).records.modules.at(static_cast<std::size_t>(row));
    trace::Module recorded = module;
    recorded.cubin.clear();
    const CodeView text = code_view(recorded, kernel, 0, 1000), decoded = code_view(module, kernel, 0, 1000);
    EXPECT_TRUE(decoded.decoded);
    EXPECT_FALSE(text.decoded);
    EXPECT_EQ(decoded.line, text.line);
    EXPECT_EQ(decoded.lines, text.lines);
    ASSERT_EQ(decoded.sass.lines.size(), text.sass.lines.size());
    for (std::size_t i = 0; i < text.sass.lines.size(); ++i) {
      std::string printed = text.sass.lines[i].text;
      printed.resize(std::min(printed.find_last_not_of(" ;") + 1, printed.size()));
      EXPECT_EQ(decoded.sass.lines[i].source_line, text.sass.lines[i].source_line) << printed;
      EXPECT_EQ(decoded.sass.lines[i].number, text.sass.lines[i].number);
      // nvdisasm writes labels where cuobjdump, whose form warpwalk uses, writes addresses.
      if (printed.find('`') == std::string::npos) {
        EXPECT_EQ(decoded.sass.lines[i].text, printed);
      }
    }
    ASSERT_EQ(decoded.ptx.lines.size(), text.ptx.lines.size());
    for (std::size_t i = 0; i < text.ptx.lines.size(); ++i)
      EXPECT_EQ(decoded.ptx.lines[i].lit, text.ptx.lines[i].lit) << text.ptx.lines[i].text;
  }
}

TEST(TranslatorInstruction, ACubinAloneGivesPtxAndCode) {
  WithCubin made("h200_relu", "relu");
  trace::Module alone;
  alone.cubin = made.module().cubin;
  const CodeView view = code_view(alone, "relu", 0, 1000);
  EXPECT_EQ(view.sass.all_lines, 32);
  EXPECT_GT(view.ptx.all_lines, 20);
  EXPECT_GT(view.line, 0);
  EXPECT_GT(view.sass.lit_lines, 0);
  EXPECT_GT(view.ptx.lit_lines, 0);
  EXPECT_TRUE(code_view(alone, "another", 0, 1000).sass.lines.empty());
}

TEST(TranslatorInstruction, ControlCodesInWords) {
  const WithCubin made("h200_relu", "relu");
  const Stage stage = made.stage(chosen(14));  // FMNMX.NAN R7, RZ, R2, !PT
  const InstructionPane& shown = pane(stage);
  EXPECT_EQ(shown.selected, "00e0  FMNMX.NAN R7, RZ, R2, !PT");
  EXPECT_EQ(shown.does, "Takes the minimum or the maximum of two single-precision numbers.");
  ASSERT_EQ(shown.modifiers.size(), 1u);
  EXPECT_EQ(shown.modifiers[0].first, ".NAN");
  EXPECT_TRUE(std::ranges::count(shown.schedule, "waits for barrier 2, which LDG at 00c0 sets")) << transcript(stage);
  EXPECT_EQ(row_at(shown, "00e0").part, InstructionPane::Part::selected);
  EXPECT_EQ(row_at(shown, "00e0").waits, 1u << 2);
  EXPECT_EQ(row_at(shown, "00c0").part, InstructionPane::Part::setter);
  EXPECT_EQ(row_at(shown, "00c0").write_barrier, "2");
  EXPECT_EQ(row_at(shown, "00c0").relation, "sets barrier 2, writes R2");
  EXPECT_EQ(row_at(shown, "00f0").part, InstructionPane::Part::none);
  EXPECT_EQ(row_at(shown, "00e0").live, 4u);
  EXPECT_FALSE(row_at(shown, "0120").used);  // padding
  const Stage exit = made.stage(chosen(7));
  EXPECT_TRUE(std::ranges::count(pane(exit).schedule, "executes only in lanes where P0 is true")) << transcript(exit);
  EXPECT_EQ(row_at(pane(exit), "0060").relation, "writes P0");
}

TEST(TranslatorInstruction, ConstantsHaveTheLaunchesValues) {
  const WithCubin made("h200_relu", "relu");
  const Stage stage = made.stage(chosen(8));  // LDC.64 R2, c[0x0][0x210]
  const InstructionPane& shown = pane(stage);
  EXPECT_EQ(constant(shown, "0x000").value, "256");
  EXPECT_EQ(constant(shown, "0x00c").value, "1024");
  EXPECT_TRUE(constant(shown, "0x210").read);
  EXPECT_FALSE(constant(shown, "0x218").read);
  EXPECT_THAT(constant(shown, "0x210").name, ::testing::HasSubstr("f32*"));
  EXPECT_FALSE(constant(shown, "0x210").value.empty());
  EXPECT_EQ(constant(shown, "0x220").value, "262144");
  EXPECT_EQ(constant(shown, "0x208").missing, "written by the driver");
  EXPECT_TRUE(constant(pane(made.stage(chosen(3))), "0x000").read);  // LDC R7, c[0x0][RZ]
  EXPECT_TRUE(constant(pane(made.stage(chosen(5))), "0x220").read);  // ULDC UR4, c[0x0][0x220]
}

TEST(TranslatorInstruction, RegistersAndThePeak) {
  const WithCubin made("h200_relu", "relu");
  const Stage stage = made.stage(chosen(13));  // IMAD.WIDE R4, R7, 0x4, R4
  const InstructionPane& shown = pane(stage);
  EXPECT_EQ(shown.peak, 5u);
  EXPECT_EQ(shown.peak_address, "00a0");
  ASSERT_FALSE(shown.registers.empty());
  const auto& general = shown.registers.front().cells;
  using Use = InstructionPane::Use;
  EXPECT_EQ(general[2].second, Use::live);
  EXPECT_EQ(general[3].second, Use::free);
  EXPECT_EQ(general[4].second, Use::read_written);
  EXPECT_EQ(general[5].second, Use::read_written);
  EXPECT_EQ(general[7].second, Use::read);
  EXPECT_EQ(
      static_cast<std::size_t>(std::ranges::count_if(general, [](const auto& c) { return c.second != Use::free; })),
      shown.rows[shown.focus].live);
}

TEST(TranslatorInstruction, EveryMatmulInstructionExplainsItself) {
  const WithCubin made("h200_matmul", "matmul_tiled");
  // Without a choice, an instruction of the followed line that waits.
  const Stage first = made.stage();
  EXPECT_NE(pane(first).rows[pane(first).focus].waits, 0u);
  EXPECT_TRUE(pane(first).rows[pane(first).focus].lit);
  for (int i = 0; i < pane(first).count; ++i) {
    const Stage stage = made.stage(chosen(i));
    const InstructionPane& shown = pane(stage);
    EXPECT_EQ(shown.rows[shown.focus].number, i);
    EXPECT_FALSE(shown.does.empty()) << shown.selected;
    EXPECT_FALSE(shown.schedule.empty()) << shown.selected;
    EXPECT_THAT(transcript(stage), ::testing::Not(::testing::HasSubstr("(no ")));
    for (const std::string& sentence : shown.schedule)
      EXPECT_THAT(sentence, ::testing::Not(::testing::HasSubstr("no instruction before"))) << shown.selected;
  }
}

TEST(TranslatorInstruction, ADamagedCubinIsSaidToBeUnreadable) {
  WithCubin made("h200_relu", "relu");
  for (const std::size_t size : {1u, 64u, 700u}) {
    made.module().cubin.resize(size);
    const Stage stage = made.stage();
    EXPECT_FALSE(pane(stage).missing.empty());
    EXPECT_TRUE(pane(stage).rows.empty());
  }
  EXPECT_FALSE(code_view(made.module(), "relu", 0, 100).decoded);  // the recorded text is shown
  EXPECT_EQ(code_view(made.module(), "relu", 0, 100).sass.all_lines, 32);
}

TEST(TranslatorInstruction, AnUnknownInstructionIsNamedAndTheRestIsAnalysed) {
  WithCubin made("h200_relu", "relu");
  std::vector<std::uint8_t>& cubin = made.module().cubin;
  // LDG.E R2, desc[UR4][R2.64]: another opcode in its place.
  const std::uint8_t ldg[] = {0x81, 0x79, 0x02, 0x02, 0x04};
  const auto at = std::ranges::search(cubin, ldg).begin();
  ASSERT_NE(at, cubin.end());
  at[0] = 0xff;
  const Stage stage = made.stage(chosen(12));
  const InstructionPane& shown = pane(stage);
  EXPECT_TRUE(shown.rows[shown.focus].text.starts_with("? ")) << shown.rows[shown.focus].text;
  EXPECT_FALSE(shown.does.empty());
  EXPECT_EQ(shown.count, 32);
}

TEST(InstructionWords, EveryRecordedMnemonicIsExplained) {
  const std::string recorded = file_contents("tests/sass/data/instructions.gz");
  std::size_t count = 0;
  for (std::string_view rest = recorded; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    for (int field = 0; field < 4; ++field) line.remove_prefix(std::min(line.find(' ') + 1, line.size()));
    const InstructionWords words = instruction_words(english(), line);
    ++count;
    ASSERT_FALSE(words.does.empty()) << line;
    std::string_view mnemonic = line.starts_with('@') ? line.substr(line.find(' ') + 1) : line;
    mnemonic = mnemonic.substr(0, mnemonic.find(' '));
    ASSERT_EQ(words.modifiers.size(), static_cast<std::size_t>(std::ranges::count(mnemonic, '.'))) << line;
    ASSERT_EQ(words.guard.empty(), !line.starts_with('@')) << line;
  }
  EXPECT_GT(count, 10'000u);
}

TEST(InstructionWords, EveryOpcodeOfTheDecoderHasASentence) {
  for (int i = 0; i <= static_cast<int>(sass::Opcode::yield); ++i) {
    const std::string name(sass::name_of(static_cast<sass::Opcode>(i)));
    EXPECT_TRUE(english().has("sass.opcode", name)) << name;
  }
}

TEST(InstructionWords, AnyTextIsAccepted) {
  EXPECT_TRUE(instruction_words(english(), "").lines().empty());
  EXPECT_TRUE(instruction_words(english(), "@").does.empty());
  EXPECT_TRUE(instruction_words(english(), "...").modifiers.empty());
  EXPECT_EQ(instruction_words(english(), "@!PT NOP ;").guard, "never executes");
  EXPECT_EQ(instruction_words(english(), "VOTE.ALL P0, P1").modifiers[0].second, "true if it holds in all lanes");
}

}  // namespace
}  // namespace warpwalk::story::testing
