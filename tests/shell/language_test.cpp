// Another language: every word on screen comes from assets/narration, or is data of the trace. The test makes a
// language by replacing every letter of the English one. Any ASCII letters still drawn are a hard-coded word, unless
// the trace contains it.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "app/document/folder_reader.h"
#include "app/draw/svg.h"
#include "app/pages/start/start_files.h"
#include "core/base/text.h"
#include "core/gpu/alu/matrix/block_scaling.h"
#include "core/gpu/device/compute_capability.h"
#include "core/gpu/device/parameters.h"
#include "core/records/hardware.h"
#include "core/run/exercise/exercise.h"
#include "core/sass/elf/cubin.h"
#include "core/sass/forms/decode.h"
#include "core/sass/text.h"
#include "core/story/labs/labs.h"
#include "core/story/pictures/panels.h"
#include "core/story/scene_list.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;

// Words that are still in code, with the file that has them. Empty a line by moving its words to assets/narration.
struct LeftBehind {
  const char* file;
  const char* text;  // a regular expression
};
constexpr LeftBehind left_behind[] = {
    {"core/run/check", R"(to the bit|IEEE 754 defines.*|.*\belement$)"},
    {"core/run/check",
     R"(.*(128 terms|different order|reference: each|rounding is at most|partial sum|both results|to f32$).*)"},
    {"core/run/check", R"(when it was read.*|.*last op wrote$|between ops|whole expression)"},
    {"core/run/check", R"(the allowed error of each op.*|.*it \(docs/run\.md\))"},
    {"core/run/check", R"(sum\|terms\| \+ 2\^-23 \|result\||the combined bounds of its ops, at most [\d.]+)"},
    {"core/records", R"(\w+\.cpp)"},  // names of PyTorch's files
    {"instrumentation/nvml_sampler.cpp", R"(was not found; it comes with NVIDIA's driver)"},
};

// With sanitizers, which make a frame ten times as expensive, the pointer goes to fewer places.
#ifdef WARPWALK_SANITIZED
constexpr float coarser = 4;
#else
constexpr float coarser = 1;
#endif

// Units, the same in every language, and what is written on the keys of a keyboard.
const std::set<std::string, std::less<>> units = {"ns", "ms", "s",   "µs",  "B",   "kB",  "MB",  "GB", "TB",
                                                  "Hz", "W",  "MHz", "GHz", "TiB", "KiB", "MiB", "GiB"};

std::string letters_replaced(std::string_view text) {
  std::string out;
  bool value = false;  // {name}: replaced by a value when it is drawn
  for (const char c : text) {
    if (c == '{') value = true;
    const bool lower = c >= 'a' && c <= 'z', upper = c >= 'A' && c <= 'Z';
    if (value || !(lower || upper)) {
      out.push_back(c);
    } else {  // a letter of the Cyrillic block
      base::append_utf8(out, static_cast<char32_t>(lower ? 0x430 + (c - 'a') : 0x410 + (c - 'A')));
    }
    if (c == '}') value = false;
  }
  return out;
}

// The English narration with every text replaced. Section names and keys stay, except in the glossary, because its keys
// are words; [walks] names files.
story::Narration other_language() {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("warpwalk_language." + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  for (const auto& entry : std::filesystem::directory_iterator(WARPWALK_SOURCE_DIR "/assets/narration/en")) {
    std::ifstream in(entry.path());
    std::ofstream out(folder / entry.path().filename());
    std::string section;
    for (std::string line; std::getline(in, line);) {
      const std::size_t colon = line.find(':');
      if (line.starts_with('[')) {
        section = line;
        out << line;
      } else if (line.empty() || line.starts_with('#') || section == "[walks]") {
        out << line;
      } else if (line.starts_with(' ') || section == "[glossary]") {
        out << letters_replaced(line);
      } else {
        out << line.substr(0, colon + 1) << letters_replaced(line.substr(colon + 1));
      }
      out << '\n';
    }
  }
  auto words = story::Narration::load(folder);
  EXPECT_TRUE(words) << words.error();
  std::filesystem::remove_all(folder);
  return *std::move(words);
}

std::vector<std::string> words_in(std::string text) {
  for (std::size_t at = 0; (at = text.find("…")) != std::string::npos;) text.replace(at, std::strlen("…"), " ");
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + ' ') {
    const bool inside = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0;
    if (inside) {
      word.push_back(c);
      continue;
    }
    if (!word.empty()) words.push_back(word);
    word.clear();
  }
  return words;
}

std::string with_single_spaces(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\t' || c == '\n';
    if (!space)
      out.push_back(c);
    else if (!out.empty() && out.back() != ' ')
      out.push_back(' ');
  }
  return out;
}

// The words and code that the trace contains.
struct Data {
  std::set<std::string, std::less<>> words;  // the words in names and values
  std::vector<std::string> code;             // sources, PTX, SASS: any part of them may be drawn

  // Also the parts of words: a kernel's name is taken apart on the stage.
  void add(std::string text) {
    for (const std::string& word : words_in(text)) words.insert(word);
    std::ranges::replace(text, '_', ' ');
    for (const std::string& word : words_in(text)) words.insert(word);
  }
  void add_code(const std::string& text) { code.push_back(with_single_spaces(text)); }
  bool has_code(std::string text) const {
    if (text.ends_with("…")) text.erase(text.size() - std::strlen("…"));
    text = with_single_spaces(text);
    return std::ranges::any_of(code, [&](const std::string& one) { return one.find(text) != std::string::npos; });
  }
  // A word that was cut by an ellipsis is the beginning of one that the trace has.
  bool has_word(std::string_view word) const {
    const auto next = words.lower_bound(word);
    return next != words.end() && next->starts_with(word);
  }
};

// Opcodes and modifiers are names of the hardware.
void add_machine_code(const std::string& bytes, Data& data) {
  const auto parsed = sass::parse_cubin(bytes);
  if (!parsed) return;
  for (const sass::CubinFunction& function : parsed->functions)
    for (const sass::Decoded& one : sass::decode(parsed->architecture, function.code))
      if (const auto* const instruction = std::get_if<sass::Instruction>(&one)) {
        const std::string text = text_of(*instruction, parsed->architecture);
        data.add(text);
        data.add_code(text);
      }
}

Data data_of(const trace::Trace& trace) {
  Data data;
  for (trace::StringId id = 0; id < trace.strings.size(); ++id) data.add(std::string(trace.text(id)));
  for (const char* name : {"CUDA", "CPU", "COO", "CSR", "PTX", "SASS", "NVIDIA"}) data.add(name);
  const trace::Records& records = trace.records;
  data.add(records.expression);
  for (const auto& module : records.modules) {
    data.add(module.name);
    data.add(module.source_file);
    for (const std::string_view text :
         {module.source.view(), std::string_view(module.ptx), std::string_view(module.sass)})
      data.add_code(std::string(text));
    add_machine_code(std::string(module.cubin.begin(), module.cubin.end()), data);
  }
  // A kernel that is simulated again has its code from these folders.
  for (const char* folder : {"/kernels", "/assets/ptx"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(WARPWALK_SOURCE_DIR + std::string(folder)))
      if (entry.is_regular_file()) data.add_code(file_text(entry.path()));
  // Sentences contain its instructions and the names of its buffers.
  for (const auto& entry : std::filesystem::directory_iterator(WARPWALK_SOURCE_DIR "/assets/ptx"))
    if (entry.is_regular_file()) data.add(file_text(entry.path()));
  data.add("input result scratch");
  for (const auto& kernel : records.kernels) {
    data.add(kernel.entry);
    data.add(kernel.measured_by);
    for (const auto& argument : kernel.arguments) data.add(argument.dtype);
  }
  for (const auto& dispatch : records.dispatches)
    for (const auto& step : dispatch.steps) {
      data.add(step.key);
      data.add(step.function);
      for (const std::string& key : step.key_set) data.add(key);
    }
  return data;
}

bool has_letters(std::string_view word) {
  return std::ranges::any_of(word, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
}

// A single letter is the name of something: a, b, x, M. So is a word with digits, underscores or a capital inside: f32,
// sm_90, 0x7f, AutogradCUDA.
bool is_name(std::string_view word) {
  if (word.size() == 1 || std::ranges::any_of(word, [](char c) { return (c >= '0' && c <= '9') || c == '_'; }))
    return true;
  for (std::size_t i = 1; i < word.size(); ++i)
    if (word[i - 1] >= 'a' && word[i - 1] <= 'z' && word[i] >= 'A' && word[i] <= 'Z') return true;
  return false;
}

class Listener {
 public:
  explicit Listener(Data data) : data_(std::move(data)) {
    for (const LeftBehind& one : left_behind) exempt_.emplace_back(one.text);
    for (const gpu::Device& device : hardware().devices) {  // data of assets/devices
      exempt_.emplace_back(device.name);
      for (const gpu::ParameterRow& row : gpu::parameter_rows(device)) data_.add_code(std::string(row.source));
    }
  }

  void hear(Driver& driver, const std::string& where) {
    for (const std::string& text : driver.texts()) {
      if (!heard_.insert(text).second) continue;
      // Searching code and exempt phrases takes long, so only texts with an unknown word are searched for.
      if (unknown_words(text).empty() || data_.has_code(text)) continue;
      std::string rest = text;
      for (const std::regex& exempt : exempt_) rest = std::regex_replace(rest, exempt, " ");
      for (const std::string& word : unknown_words(rest)) found_.emplace(word, where + ": \"" + text + "\"");
    }
  }
  // Also with the pointer everywhere, for what appears only then: each row of a table, and of a row every second place
  // of 40 pixels, in the next row the others.
  void hear_everywhere(Driver& driver, const std::string& where) {
    hear(driver, where);
    float first = 8;
    for (float y = 8; y < 900; y += 24 * coarser) {
      for (float x = first; x < 1600; x += 80 * coarser) {
        driver.point(x, y);
        hear(driver, where);
      }
      first = first > 8 ? 8 : 48;
    }
    driver.point(-1, -1);
  }
  // Text in the code font of a stage is code in every language.
  void add_code(const story::Stage& stage) {
    const auto* const panels = std::get_if<std::shared_ptr<const story::Panels>>(&stage.picture);
    if (panels == nullptr) return;
    for (const story::PanelRow& row : (*panels)->rows)
      for (const story::Panel& panel : row.panels) {
        if (const auto* const code = std::get_if<story::CodePicture>(&panel.picture))
          for (const story::CodePicture::Column& column : code->columns)
            for (const story::CodeLine& line : column.window.lines) data_.add_code(line.text);
        if (const auto* const table = std::get_if<story::TablePicture>(&panel.picture))
          for (const story::TableRow& line : table->rows)
            for (const story::TableCell& cell : line.cells)
              if (cell.code) data_.add_code(cell.text + " " + cell.below);
      }
  }
  void add(const trace::Trace& trace) {
    const Data more = data_of(trace);
    data_.words.insert(more.words.begin(), more.words.end());
    data_.code.insert(data_.code.end(), more.code.begin(), more.code.end());
  }
  std::string report() const {
    std::string out;
    for (const auto& [word, example] : found_) out += "  " + word + "   (" + example + ")\n";
    return out;
  }
  std::size_t heard() const { return heard_.size(); }

 private:
  std::vector<std::string> unknown_words(const std::string& text) const {
    std::vector<std::string> unknown;
    for (std::string& word : words_in(text))
      if (has_letters(word) && !is_name(word) && !units.contains(word) && !data_.has_word(word))
        unknown.push_back(std::move(word));
    return unknown;
  }

  Data data_;
  std::vector<std::regex> exempt_;
  std::set<std::string> heard_;
  std::map<std::string, std::string> found_;
};

// Names of files and folders, and the lessons' titles, which are texts of their files.
void add_files(Data& data) {
  data.add(WARPWALK_SOURCE_DIR);
  data.add(document::expanded_path("~").string());
  for (std::filesystem::path at = std::filesystem::current_path(); at != at.parent_path(); at = at.parent_path())
    for (const auto& entry : std::filesystem::directory_iterator(at)) data.add(entry.path().filename().string());
  const pages::StartFiles shipped = pages::load_start_files(WARPWALK_SOURCE_DIR "/assets", english());
  for (const pages::RecordedWalk& walk : shipped.walks) data.add(walk.file.string());
  for (const pages::ShippedLesson& lesson : shipped.lessons) data.add(lesson.file.string() + " " + lesson.title);
}

class Language : public ::testing::TestWithParam<const char*> {};

TEST_P(Language, EverySceneIsDrawnInIt) {
  Driver driver(1600, 900, true, "libno-such-nvml.so.1", {}, other_language());
  driver.open(walk_file(GetParam()));
  driver.press(U'm');  // without motion
  Data data = data_of(driver.shell.opened().document->trace());
  add_files(data);
  data.add("op");  // a tip names an op as --follow takes it, "op:0"
  Listener listener(std::move(data));
  for (const story::Scene& scene : story::scenes()) {
    for (bool here = true; here;) {
      listener.hear(driver, driver.shell.opened().stage->scene);
      const int beat = driver.shell.opened().stage->beat;
      if (beat == driver.shell.opened().stage->beats)
        listener.hear_everywhere(driver, std::string(scene.name) + ", pointed at");
      driver.press(Key::right);
      driver.wait();
      here = driver.shell.opened().stage->scene == scene.name && driver.shell.opened().stage->beat != beat;
    }
  }
  EXPECT_GT(listener.heard(), coarser > 1 ? 200u : 300u);
  EXPECT_EQ(listener.report(), "") << "move these words to assets/narration";
}

INSTANTIATE_TEST_SUITE_P(Walks, Language, ::testing::Values("relu_matmul", "h200_relu_matmul", "mlp_train"));

// The labs of each scene, which a key opens one after another.
TEST(Language, LabsAreDrawnInIt) {
  Driver driver(1600, 900, false, "libno-such-nvml.so.1", {}, other_language());
  driver.open(walk_file("h200_relu"));
  driver.press(U'm');  // without motion
  Data data = data_of(driver.shell.opened().document->trace());
  add_files(data);
  data.add("int if block thread stream scale grid random");  // of the labs' own kernels and launch files
  for (const gpu::alu::NumberFormat& format : gpu::alu::number_formats())
    data.add(std::string(format.name) + " " + std::string(format.short_name));
  for (const gpu::alu::ScaledFormat& format : gpu::alu::scaled_formats()) data.add(std::string(format.name));
  for (const gpu::Capability& one : gpu::capabilities())
    data.add(std::string(one.generation) + " " + std::string(one.examples));
  for (const gpu::GatedFeature& feature : gpu::gated_features()) data.add(std::string(feature.ptx));
  for (const records::LevelledKernel& kernel : hardware().levelled)
    for (const records::CompiledLevel& level : kernel.levels) {
      data.add(kernel.name);
      for (const std::string_view text : {level.module.source.view(), std::string_view(level.module.ptx)})
        data.add_code(std::string(text));
      add_machine_code(std::string(level.module.cubin.begin(), level.module.cubin.end()), data);
    }
  data.add("NaN inf");  // values
  data.add(file_text(WARPWALK_SOURCE_DIR "/tests/validate/labs/labs.ptx"));
  data.add("LDGSTS LDGDEPBAR DEPBAR BAR ARRIVES SYNCS");  // opcodes of the same kernels; Tiling's tests compare them
  data.add(file_text(WARPWALK_SOURCE_DIR "/assets/devices/h200_host_device.csv"));  // names and messages as recorded
  // Messages of PyTorch, and those of the same kind of warpwalk's tensor library and its dispatcher.
  data.add(
      "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: "
      "[torch.DoubleTensor [4, 3]], which is output 0 of ReluBackward0, is at version 1; expected version 0 instead. "
      "Hint: enable anomaly detection to find the operation that failed to compute its gradient, with "
      "torch.autograd.set_detect_anomaly(True, check_nan=False).");
  data.add(
      "needs a tensor that the op saved at version 0, but in-place changes have made it version 1: change a clone");
  data.add("dot, mv, mm or bmm, by dimensions; tape: keeps self, mat2; other");
  data.add("row-major f32: tiles of 16 x 16 in shared memory; there would be only 1 of 64 x 64, too few for a GPU");
  data.add("k¼ k½ k¾");  // signs of calls in the editor of streams
  // Names of PyTorch's files, functions, devices and arrays, of a lab, and the sign of a derivative.
  data.add("torch/csrc/autograd aten/src/ATen/native native_functions.yaml reshape zeros xla values coalescing dy/dx");
  for (const gpu::Device& device : hardware().devices) {
    data.add(device.id);
    for (const gpu::ParameterRow& row : gpu::parameter_rows(device))
      data.add(std::string(row.info->name) + " " + row.value + " " + std::string(row.info->unit));
  }
  // The texts of exercises are in their own files.
  const records::Hardware known = hardware();
  for (const run::Exercise& exercise : *known.exercises) {
    data.add(exercise.title + " " + exercise.task.front());
    data.add(exercise.starter + " starter.cu");
  }
  Listener listener(std::move(data));
  for (const story::Scene& scene : story::scenes()) {
    if (std::ranges::find(story::labs(), scene.name, &story::Scene::opens_from) == story::labs().end()) continue;
    for (int step = 0; step < 60 && driver.shell.opened().stage->scene != scene.name; ++step) {
      driver.press(Key::right);
      driver.wait();
    }
    bool first = true;  // of the others, the pointer goes nowhere: it would take minutes
    for (const story::Scene& lab : story::labs()) {
      if (lab.opens_from != scene.name) continue;
      driver.press(U'e');
      driver.wait();
      // The pages of the Kernel lab and of the exercises are over their stages.
      for (int pages = 0; pages < 2 && driver.shell.sheet() != ""; ++pages) driver.press(Key::escape);
      for (int beat = 1; beat <= driver.shell.opened().stage->beats; ++beat) {
        ASSERT_EQ(driver.shell.opened().stage->scene, lab.name);
        listener.add_code(*driver.shell.opened().stage);
        if (first)
          listener.hear_everywhere(driver, std::string(lab.name) + ", beat " + std::to_string(beat));
        else
          listener.hear(driver, std::string(lab.name));
        if (beat < driver.shell.opened().stage->beats) driver.press(Key::right);
        driver.wait();
      }
      first = false;
    }
    driver.press(U'e');
    driver.wait();
    EXPECT_EQ(driver.shell.opened().stage->scene, scene.name);
  }
  EXPECT_GT(listener.heard(), 100u);
  EXPECT_EQ(listener.report(), "") << "move these words to assets/narration";
}

TEST(Language, EverySheetIsDrawnInIt) {
  Driver driver(1600, 900, false, "libno-such-nvml.so.1", {}, other_language());
  driver.open(walk_file("h200_relu"));
  Data data = data_of(driver.shell.opened().document->trace());
  add_files(data);
  for (const std::string word : {"f32", "bf16", "cpu", "cuda", "op", "relu", "aten", "libno", "such", "nvml", "so",
                                 "docs", "md", "boardroom", "png"})
    data.add(word);
  Listener listener(std::move(data));
  listener.hear_everywhere(driver, "frame");
  for (const auto& [key, sheet] :
       {std::pair{U'?', "help"}, {U'g', "glossary"}, {U'i', "start"}, {U'x', "run"}, {U'u', "observe"}}) {
    driver.press(key);
    driver.wait();
    ASSERT_EQ(driver.shell.sheet(), sheet);
    listener.hear_everywhere(driver, sheet);
    driver.press(Key::escape);
  }
  driver.press(U'o');
  for (int place = 0; place < 5; ++place) {
    listener.hear(driver, "files");
    driver.press(Key::tab);
    driver.wait();
  }
  driver.press(Key::escape);
  driver.press(U'n');
  listener.hear(driver, "speaker's note");
  driver.press(U'c');
  listener.hear(driver, "saved");
  driver.press(U'v');
  driver.film = {.share = 0.5};
  listener.hear(driver, "filming");
  driver.film = {.done = true, .cancelled = true};
  listener.hear(driver, "film cancelled");
  driver.press(U'h');
  listener.hear(driver, "names");
  driver.press(U'5', true);
  listener.hear(driver, "bookmark");

  driver.press(U'x');
  driver.press(Key::enter);
  driver.wait();
  listener.add(driver.shell.opened().document->trace());
  listener.hear_everywhere(driver, "a run");
  driver.press(Key::escape);
  driver.press(U'l');
  listener.hear(driver, "not saved");
  EXPECT_GT(listener.heard(), 200u);
  EXPECT_EQ(listener.report(), "") << "move these words to assets/narration";
}

TEST(Language, AnotherOneFallsBackToEnglishWhereItLacksATextAndKeepsItsOwnGlossary) {
  auto words =
      story::Narration::parse("[transport]\nopen: Öffnen\n[glossary]\nKern | Kerne: ein Programm der GPU\n", "de.txt");
  ASSERT_TRUE(words) << words.error();
  words->add_missing(english());
  EXPECT_EQ(words->text("transport", "open"), "Öffnen");
  EXPECT_EQ(words->text("transport", "run"), "Run");
  EXPECT_EQ(words->keys("glossary"), (std::vector<std::string>{"Kern | Kerne"}));
}

}  // namespace
}  // namespace warpwalk::shell
