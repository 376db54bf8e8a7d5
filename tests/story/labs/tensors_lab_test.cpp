// The lab of tensors: its rules against what PyTorch recorded (tests/story/views/record.py), its pictures and figures
// against counts made one by one.
#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "core/gpu/device/device.h"
#include "core/records/hardware.h"
#include "core/story/labs/tensors/tensors.h"
#include "core/story/scene_list.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

constexpr std::string_view tensors_scene = "lab/tensors";
using Json = rapidjson::Value;
using ViewKind = ViewStep::Kind;

const rapidjson::Document& view_record() {
  static const rapidjson::Document document = [] {
    rapidjson::Document read;
    read.Parse(file_contents("tests/story/views/pytorch.json").c_str());
    return read;
  }();
  return document;
}

std::vector<std::int64_t> numbers_of(const Json& list) {
  std::vector<std::int64_t> numbers;
  for (const Json& one : list.GetArray()) numbers.push_back(one.GetInt64());
  return numbers;
}

ViewStep step_of(const Json& call) {
  static const std::map<std::string, ViewKind> kinds = {
      {"slice", ViewKind::slice},     {"select", ViewKind::select},   {"transpose", ViewKind::transpose},
      {"permute", ViewKind::permute}, {"expand", ViewKind::expand},   {"unsqueeze", ViewKind::unsqueeze},
      {"view", ViewKind::view},       {"reshape", ViewKind::reshape}, {"contiguous", ViewKind::contiguous}};
  ViewStep step;
  step.kind = kinds.at(call[0].GetString());
  if (step.kind == ViewKind::slice) {
    step.numbers = {call[1].GetInt64()};
    if (!call[2].IsNull()) step.start = call[2].GetInt64();
    if (!call[3].IsNull()) step.stop = call[3].GetInt64();
    step.by = call[4].GetInt64();
  } else if (call.Size() > 1 && call[1].IsArray()) {
    step.numbers = numbers_of(call[1]);
  } else {
    for (rapidjson::SizeType i = 1; i < call.Size(); ++i) step.numbers.push_back(call[i].GetInt64());
  }
  return step;
}

TEST(TensorsLab, EveryStepDoesWhatPyTorchDoes) {
  constexpr std::array<std::string_view, 4> effects = {"view", "same", "copy", "error"};
  std::map<std::pair<std::string, std::string>, int> seen;
  int steps = 0, chain = 0;
  for (const Json& one : view_record()["chains"].GetArray()) {
    StoredTensor tensor = counting_tensor(numbers_of(one[0]));
    ++chain;
    for (const Json& step : one[1].GetArray()) {
      const std::string what =
          fmt::format("chain {}, {}{}", chain, tensor.geometry.dims(), step_text(step_of(step[0])));
      const ops::Geometry before = tensor.geometry;
      const std::string effect(effects[static_cast<std::size_t>(apply_step(step_of(step[0]), tensor))]);
      ++steps;
      ++seen[{step[0][0].GetString(), effect}];
      if (step[1].IsString()) {
        ASSERT_EQ(effect, "error") << what;
        ASSERT_EQ(tensor.geometry, before) << what;
        continue;
      }
      const Json& wanted = step[1];
      ASSERT_EQ(effect, wanted[0].GetString()) << what;
      ASSERT_EQ(tensor.geometry.sizes, numbers_of(wanted[1])) << what;
      ASSERT_EQ(tensor.geometry.strides, numbers_of(wanted[2])) << what;
      ASSERT_EQ(tensor.geometry.offset, wanted[3].GetInt64()) << what;
      ASSERT_EQ(tensor.geometry.contiguous(), wanted[4].GetInt() == 1) << what;
      std::int64_t mix = 0, i = 0;
      for (const std::int64_t place : places_of(tensor.geometry))
        mix += ++i * tensor.storage.at(static_cast<std::size_t>(place));
      ASSERT_EQ(mix, wanted[5].GetInt64()) << what;
    }
  }
  EXPECT_GE(steps, 1000);
  for (const auto& [kind, effect] : std::vector<std::pair<std::string, std::string>>{{"reshape", "view"},
                                                                                     {"reshape", "copy"},
                                                                                     {"reshape", "error"},
                                                                                     {"view", "view"},
                                                                                     {"view", "error"},
                                                                                     {"contiguous", "same"},
                                                                                     {"contiguous", "copy"},
                                                                                     {"slice", "view"},
                                                                                     {"slice", "error"},
                                                                                     {"expand", "view"},
                                                                                     {"expand", "error"},
                                                                                     {"select", "error"},
                                                                                     {"permute", "view"},
                                                                                     {"permute", "error"},
                                                                                     {"unsqueeze", "view"},
                                                                                     {"transpose", "error"}})
    EXPECT_GE((seen[{kind, effect}]), 5) << kind << " " << effect;
}

TEST(TensorsLab, OneStrideIsFoundWhereverThereIsOne) {
  int joined = 0, split = 0;
  for (const std::int64_t a : {1, 2, 3})
    for (const std::int64_t b : {1, 2, 4})
      for (const std::int64_t c : {1, 3})
        for (const std::int64_t stride_a : {0, 1, 3, 6, 12, 24})
          for (const std::int64_t stride_b : {0, 1, 2, 3, 6})
            for (const std::int64_t stride_c : {0, 1, 2}) {
              const ops::Geometry g = {{a, b, c}, {stride_a, stride_b, stride_c}, 5};
              const std::vector<std::int64_t> places = places_of(g);
              bool even = true;
              for (std::size_t i = 2; i < places.size(); ++i)
                even = even && places[i] - places[i - 1] == places[1] - places[0];
              ASSERT_EQ(!split_dims(g), even)
                  << fmt::format("{} {}", fmt::join(g.sizes, ","), fmt::join(g.strides, ","));
              ++(even ? joined : split);
            }
  EXPECT_GT(joined, 100);
  EXPECT_GT(split, 100);
}

TEST(TensorsLab, StepsAreWrittenAsInPython) {
  EXPECT_EQ(step_text({ViewKind::slice, {0}, 1}), "[1:]");
  EXPECT_EQ(step_text({ViewKind::slice, {2}, {}, -1, 3}), "[:, :, :-1:3]");
  EXPECT_EQ(step_text({ViewKind::slice, {-1}, {}, {}, 2}), "[..., ::2]");
  EXPECT_EQ(step_text({ViewKind::select, {-3, 4}}), "[..., 4, :, :]");
  EXPECT_EQ(step_text({ViewKind::permute, {-1, 0}}), ".permute(-1, 0)");
  EXPECT_EQ(step_text({ViewKind::contiguous}), ".contiguous()");
}

// The cells that the picture lights, and the rows that add up to the place, for every element of some tensors.
TEST(TensorsLab, TheFollowedElementIsLitInBothPictures) {
  for (const double tensor : {0, 1, 2})
    for (const double step : {0, 1, 2, 3, 4, 5, 6, 7, 8, 10}) {
      const Stage start = lab_with(tensors_scene, 2, {{"tensor", tensor}, {"step1", step}});
      std::size_t elements = 0;
      for (const Panel& panel : lab_panels(start).rows.at(0).panels)
        if (const auto* const cells = std::get_if<CellGrid>(&panel.picture)) elements += cells->cells.size();
      ASSERT_GT(elements, 0u);
      for (std::size_t i = 0; i < elements; ++i) {
        const Stage stage =
            lab_with(tensors_scene, 2, {{"tensor", tensor}, {"step1", step}, {"element", static_cast<double>(i)}});
        const Panels& panels = lab_panels(stage);
        std::string lit;
        std::size_t before = 0, number = elements;
        for (const Panel& panel : panels.rows.at(0).panels)
          if (const auto* const cells = std::get_if<CellGrid>(&panel.picture)) {
            if (cells->followed) {
              ASSERT_TRUE(lit.empty()) << "two elements are followed";
              lit = cells->cells.at(*cells->followed).label;
              number = before + *cells->followed;
            }
            before += cells->cells.size();
          }
        EXPECT_EQ(number, i);
        const auto& storage = std::get<CellGrid>(panels.rows.at(1).panels.at(0).picture);
        ASSERT_TRUE(storage.followed);
        EXPECT_EQ(storage.cells.at(*storage.followed).label, lit);
        const auto& sum = std::get<TablePicture>(panels.rows.at(0).panels.back().picture);
        std::int64_t added = 0;
        for (std::size_t r = 0; r + 1 < sum.rows.size(); ++r) added += std::stoll(sum.rows[r].cells.back().shown());
        EXPECT_EQ(added, static_cast<std::int64_t>(*storage.followed));
        EXPECT_EQ(sum.rows.back().cells.back().shown(), fmt::to_string(*storage.followed));
      }
    }
}

TEST(TensorsLab, TheStorageShowsWhatIsReadAndAClickFollowsIt) {
  // Every other column of a 4 x 6 tensor.
  const Stage stage = lab_with(tensors_scene, 2, {{"step1", 4}});
  const auto& storage = panel_picture<CellGrid>(stage, 1, 0);
  ASSERT_EQ(storage.cells.size(), 24u);
  for (std::size_t at = 0; at < 24; ++at) {
    const Cell& cell = storage.cells[at];
    EXPECT_EQ(cell.tone, at % 2 == 0 ? Tone::memory : Tone::quiet) << at;
    ASSERT_EQ(cell.sets.size(), at % 2 == 0 ? 1u : 0u) << at;
    if (at % 2 == 0) {
      EXPECT_EQ(cell.sets[0], (std::pair<std::string, double>("lab/tensors.element", at / 2)));
    }
  }
  // Two parts of an expanded tensor read the same place.
  const Stage expanded = lab_with(tensors_scene, 2, {{"step1", 7}, {"element", 30}});
  const auto& first = panel_picture<CellGrid>(expanded);
  EXPECT_EQ(first.cells.at(6).tone, Tone::shared);
  EXPECT_EQ(std::ranges::count(first.cells, Tone::shared, &Cell::tone), 1);
}

TEST(TensorsLab, TheOrderIsThatOfTheIndices) {
  const Stage stage = lab_with(tensors_scene, 3, {{"tensor", 1}, {"step1", 6}});  // 2 x 3 x 4, last dimension first
  const auto& plot = panel_picture<ScatterPicture>(stage);
  std::size_t i = 0;
  for (int k = 0; k < 4; ++k)
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 3; ++b, ++i) {
        EXPECT_EQ(plot.points.at(i).x, static_cast<double>(i));
        EXPECT_EQ(plot.points.at(i).y, 12.0 * a + 4 * b + k);
      }
  EXPECT_EQ(plot.points.size(), 24u);
  EXPECT_EQ(stage.title, "a.permute(-1, 0, 1) is not contiguous");
  EXPECT_EQ(lab_with(tensors_scene, 3, {{"step1", 2}}).title, "a[1:] is contiguous");
}

TEST(TensorsLab, AChainNamesTheStepThatCopiesAndWhy) {
  const auto title = [](double one, double two, double three) {
    return lab_with(tensors_scene, 4, {{"step1", one}, {"step2", two}, {"step3", three}}).title;
  };
  EXPECT_EQ(title(0, 0, 0), "a is read as it is stored");
  EXPECT_EQ(title(5, 8, 0), ".reshape(-1) copies every element");
  EXPECT_EQ(title(4, 9, 0), ".view(-1) gives a view, no copy so far");
  EXPECT_EQ(title(5, 9, 8), ".view(-1) raises an error");
  EXPECT_EQ(title(5, 10, 9), ".view(-1) gives a view, one copy so far");
  EXPECT_EQ(title(10, 0, 0), ".contiguous() returns the same tensor, no copy so far");
  const Stage stage = lab_with(tensors_scene, 4, {{"step1", 5}, {"step2", 10}, {"step3", 2}, {"element", 3}});
  // 6 x 4 after the copy; [1:] begins at element 4, which is column 1 of the old rows.
  const Panels& panels = lab_panels(stage);
  const auto& old = std::get<CellGrid>(panels.rows.at(1).panels.at(0).picture);
  const auto& fresh = std::get<CellGrid>(panels.rows.at(1).panels.at(1).picture);
  EXPECT_EQ(old.followed, std::optional<std::size_t>(19));  // row 3, column 1 of 4 x 6
  EXPECT_EQ(fresh.followed, std::optional<std::size_t>(7));
  EXPECT_EQ(fresh.cells.at(7).label, "19");
  // A row that is the whole copy is drawn once, below the storage that it comes from.
  const Stage flat_stage = lab_with(tensors_scene, 4, {{"step1", 5}, {"step2", 8}, {"element", 1}});
  const Panels& flat = lab_panels(flat_stage);
  EXPECT_EQ(std::get<CellGrid>(flat.rows.at(0).panels.at(0).picture).followed, std::optional<std::size_t>(6));
  EXPECT_EQ(std::get<CellGrid>(flat.rows.at(1).panels.at(0).picture).followed, std::optional<std::size_t>(1));
  // No step leaves an empty tensor to point at.
  const Stage empty = lab_with(tensors_scene, 4, {{"tensor", 1}, {"step1", 2}, {"step2", 2}, {"step3", 0}});
  EXPECT_EQ(fact_text(empty, "Sizes"), "(0, 3, 4)");
  EXPECT_EQ(fact_text(empty, "Place"), "(none)");
}

TEST(TensorsLab, QuestionsHaveTheRightAnswerAmongTheOptions) {
  const Trace& trace = sample("relu_matmul");
  const auto asked = [&](std::int64_t beat, std::initializer_list<std::pair<const char*, double>> settings,
                         bool answered) {
    SceneInput input = {trace, default_walk(trace), english(), hardware(), {Moment::Kind::beat, beat, 1}};
    for (const auto& [name, value] : settings) input.controls.set(fmt::format("lab/tensors.{}", name), value);
    input.predictions.asking = true;
    if (answered) input.predictions.answer_any(beat == 2 ? "lab/tensors.place" : "lab/tensors.effect", {});
    return *stage_at(*find_scene(tensors_scene), input)->question;
  };
  for (const double tensor : {0, 1, 2})
    for (const double step : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
      for (const double element : {0, 1, 5, 23}) {
        const Question open = asked(2, {{"tensor", tensor}, {"step1", step}, {"element", element}}, false);
        EXPECT_GE(open.options.size(), 3u);
        EXPECT_EQ(std::set<std::string>(open.options.begin(), open.options.end()).size(), open.options.size());
        const Question known = asked(2, {{"tensor", tensor}, {"step1", step}, {"element", element}}, true);
        EXPECT_TRUE(known.why.ends_with(fmt::format("= {}.", known.options.at(*known.right)))) << known.why;
      }
  EXPECT_EQ(asked(4, {{"step1", 5}, {"step2", 9}}, true).right, std::optional<std::size_t>(3));
  EXPECT_EQ(asked(4, {{"step1", 5}, {"step2", 8}}, true).right, std::optional<std::size_t>(2));
}

TEST(TensorsLab, AWarpMovesTheSectorsOfItsBytes) {
  for (const double stride : Tensors::read_strides)
    for (const ElementType& type : element_types) {
      std::set<std::int64_t> sectors, lines;
      for (std::int64_t lane = 0; lane < 32; ++lane)
        for (std::int64_t byte = 0; byte < type.bytes; ++byte) {
          const std::int64_t at = lane * static_cast<std::int64_t>(stride) * type.bytes + byte;
          sectors.insert(at / 32);
          lines.insert(at / 128);
        }
      const WarpRead read(static_cast<std::int64_t>(stride), type.bytes);
      EXPECT_EQ(read.sectors, std::ssize(sectors)) << stride << " " << type.name;
      EXPECT_EQ(read.lines, std::ssize(lines)) << stride << " " << type.name;
      EXPECT_NEAR(read.efficiency(),
                  100.0 * static_cast<double>(32 * type.bytes) / static_cast<double>(32 * std::ssize(sectors)), 1e-9);
    }
}

// In the recordings of an H200, sectors explain the time up to a stride of 8, and a result with the strides of the
// input costs nothing.
TEST(TensorsLab, MeasuredReadsTakeAboutAsLongAsTheirBytes) {
  for (const double stride : {1, 2, 3, 4, 6, 8}) {
    const WarpRead read(static_cast<std::int64_t>(stride), 4);
    const double times =
        find_view(hardware().view_times, "columns", stride)->ns / find_view(hardware().view_times, "columns", 1)->ns;
    EXPECT_NEAR(times / read.moved_times(), 1, 0.15) << stride;
  }
  const double transposed = find_view(hardware().view_times, "transposed", 4096)->ns;
  EXPECT_NEAR(find_view(hardware().view_times, "kept", 4096)->ns, find_view(hardware().view_times, "columns", 1)->ns,
              transposed * 0.01);
  for (const records::ViewTime& time : hardware().view_times)
    if (time.sectors && time.view == "columns" &&
        time.stride > 1) {  // with a stride of 1, a lane loads 16 bytes at once
      EXPECT_NEAR(*time.sectors / (time.elements / 32),
                  static_cast<double>(WarpRead(static_cast<std::int64_t>(time.stride), 4).sectors), 0.1);
    }
  EXPECT_EQ(fact_text(lab_with(tensors_scene, 5, {{"stride", 4096}}), "Time, of a contiguous read's"), "3.52");
  const Stage without = lab_without_records(tensors_scene, 5);
  EXPECT_EQ(without.missing.size(), 1u);
  EXPECT_EQ(fact_text(without, "Sectors per warp"), "32");
}

TEST(TensorsLab, TheRecordOfReadsIsChecked) {
  const std::string head = "view,stride,elements,ns,load_sectors,dram_read_bytes\n";
  const auto error = [&](std::string_view rows) {
    const auto read = records::parse_view_times(head + std::string(rows));
    return !read ? read.error() : std::string();
  };
  EXPECT_EQ(error("columns,1,32,10,,\nkept,4096,32,10,4,128\n"), "");
  EXPECT_EQ(error("columns,1,32,0,,\n"), "line 2: expected a stride, a number of elements, a time and counters");
  EXPECT_EQ(error("columns,1,32,10,,\ncolumns,0,32,10,,\n").substr(0, 6), "line 3");
  EXPECT_EQ(error("columns,1,32,10,x,\n").substr(0, 6), "line 2");
  EXPECT_EQ(error("columns,1,32,10\n"), "line 2: expected 6 cells");
  EXPECT_FALSE(records::parse_view_times("other\n"));
}

TEST(TensorsLab, LayoutsKeepTheArraysThatPyTorchKeeps) {
  const Json& layouts = view_record()["layouts"];
  ASSERT_EQ(layouts.Size(), 25u);
  for (std::int64_t nonzeros = 0; nonzeros <= 24; ++nonzeros) {
    const Json& wanted = layouts[static_cast<rapidjson::SizeType>(nonzeros)];
    const SparseMatrix matrix = scattered_matrix(nonzeros);
    const auto coo = arrays_of(matrix, MatrixLayout::coo), csr = arrays_of(matrix, MatrixLayout::csr);
    EXPECT_EQ(coo[0].numbers, numbers_of(wanted[0]));
    EXPECT_EQ(coo[1].numbers, numbers_of(wanted[1]));
    EXPECT_EQ(csr[0].numbers, numbers_of(wanted[2]));
    EXPECT_EQ(csr[1].numbers, numbers_of(wanted[3]));
    EXPECT_EQ(csr[2].numbers, numbers_of(wanted[4]));
    EXPECT_EQ(coo[2].numbers, csr[2].numbers);
    EXPECT_EQ(bytes_of(matrix, MatrixLayout::coo, 4), wanted[5].GetInt64());
    EXPECT_EQ(bytes_of(matrix, MatrixLayout::csr, 4), wanted[6].GetInt64());
  }
  for (const ElementType& type : element_types)
    EXPECT_EQ(view_record()["types"][std::string(type.name).c_str()].GetInt64(), type.bytes) << type.name;
}

TEST(TensorsLab, DispatchKeysAreThoseOfPyTorch) {
  std::size_t compared = 0;
  for (std::size_t device = 0; device < Tensors::devices.size(); ++device)
    for (std::size_t layout = 0; layout < layout_keys.size(); ++layout) {
      const auto found =
          view_record()["keys"].FindMember(fmt::format("{} {}", Tensors::devices[device], layout_keys[layout]).c_str());
      if (found == view_record()["keys"].MemberEnd()) continue;
      ++compared;
      // "DispatchKeySet(SparseCUDA, ADInplaceOrView, AutogradCUDA, ...)"
      const std::string set = found->value.GetString();
      const std::string key = layout_key(Tensors::backends[device], static_cast<MatrixLayout>(layout));
      EXPECT_THAT(set, ::testing::AnyOf(::testing::HasSubstr("(" + key + ","), ::testing::HasSubstr(" " + key + ",")));
    }
  EXPECT_GE(compared, 3u);
}

TEST(TensorsLab, LitNumbersLeadBackToTheElement) {
  for (const std::int64_t nonzeros : {0, 5, 24}) {
    const SparseMatrix matrix = scattered_matrix(nonzeros);
    for (std::int64_t at = 0; at < 24; ++at) {
      const std::int64_t row = at / 6, column = at % 6, value = matrix.elements[static_cast<std::size_t>(at)];
      const auto coo = arrays_of(matrix, MatrixLayout::coo), csr = arrays_of(matrix, MatrixLayout::csr);
      const auto in_coo = described_by(matrix, MatrixLayout::coo, at),
                 in_csr = described_by(matrix, MatrixLayout::csr, at);
      EXPECT_EQ(in_coo[0].size(), value == 0 ? 0u : 1u);
      const std::int64_t from = csr[0].numbers.at(in_csr[0].at(0)), to = csr[0].numbers.at(in_csr[0].at(1));
      EXPECT_EQ(in_csr[0].at(0), static_cast<std::size_t>(row));
      if (value == 0) continue;
      EXPECT_EQ(coo[0].numbers.at(in_coo[0].at(0)), row);
      EXPECT_EQ(coo[1].numbers.at(in_coo[1].at(0)), column);
      EXPECT_EQ(coo[2].numbers.at(in_coo[2].at(0)), value);
      EXPECT_EQ(csr[1].numbers.at(in_csr[1].at(0)), column);
      EXPECT_EQ(csr[2].numbers.at(in_csr[2].at(0)), value);
      EXPECT_TRUE(from <= static_cast<std::int64_t>(in_csr[2].at(0)) &&
                  static_cast<std::int64_t>(in_csr[2].at(0)) < to);
    }
  }
}

TEST(TensorsLab, TasksAreDoneByTheirSettings) {
  EXPECT_EQ(tasks_done(tensors_scene, {}), "------");
  EXPECT_EQ(tasks_done(tensors_scene, {{"step1", 5}}), "x-----");
  EXPECT_EQ(tasks_done(tensors_scene, {{"step1", 2}}), "-x----");
  EXPECT_EQ(tasks_done(tensors_scene, {{"step1", 5}, {"step2", 8}}), "--x---");
  EXPECT_EQ(tasks_done(tensors_scene, {{"step1", 5}, {"step2", 10}}), "------");
  EXPECT_EQ(tasks_done(tensors_scene, {{"step1", 4}, {"step2", 9}}), "x--x--");
  EXPECT_EQ(tasks_done(tensors_scene, {{"step1", 5}, {"step2", 9}}), "----x-");
  EXPECT_EQ(tasks_done(tensors_scene, {{"step1", 7}}), "x----x");
}

}  // namespace
}  // namespace warpwalk::story::testing
