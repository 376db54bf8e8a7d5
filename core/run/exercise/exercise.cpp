#include "core/run/exercise/exercise.h"

#include <algorithm>
#include <cmath>
#include <system_error>

#include <fmt/format.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "core/platform/read_file.h"
#include "core/run/launch/json_fields.h"

namespace warpwalk::run {
namespace {

constexpr std::size_t max_launches = 32;

base::Result<void> read_texts(const Json& root, std::string_view name, std::vector<std::string>& out) {
  const Json* const value = member(root, name);
  if (value == nullptr) return base::Error{fmt::format("{}: is missing; expected a list of texts", name)};
  if (!value->IsArray() || value->Empty())
    return base::Error{fmt::format("{}: is {}; expected a list of texts", name, shown(*value))};
  for (rapidjson::SizeType i = 0; i < value->Size(); ++i)
    if (auto done = read_text((*value)[i], fmt::format("{}[{}]", name, i), out.emplace_back()); !done) return done;
  return {};
}

base::Result<void> read_required_text(const Json& root, std::string_view name, std::string& out) {
  const Json* const value = member(root, name);
  if (value == nullptr) return base::Error{fmt::format("{}: is missing; expected a text", name)};
  return read_text(*value, name, out);
}

base::Result<void> read_number(const Json& value, std::string_view path, double& out) {
  if (!value.IsNumber() || !std::isfinite(value.GetDouble()))
    return base::Error{fmt::format("{}: is {}; expected a number", path, shown(value))};
  out = value.GetDouble();
  return {};
}

bool is_whole(const Json& value) { return value.IsInt64() || value.IsUint64(); }

base::Result<void> read_range(const Json& value, std::string_view path, SizeRange& out) {
  if (!value.IsArray()) {
    if (auto done = read_number(value, path, out.low); !done) return done;
    out.high = out.low;
    out.whole = is_whole(value);
    return {};
  }
  if (value.Size() < 2 || value.Size() > 3)
    return base::Error{fmt::format("{}: is {}; expected [low, high] or [low, high, step]", path, shown(value))};
  double* const parts[] = {&out.low, &out.high, &out.step};
  for (rapidjson::SizeType i = 0; i < value.Size(); ++i) {
    if (auto done = read_number(value[i], fmt::format("{}[{}]", path, i), *parts[i]); !done) return done;
    out.whole = out.whole && is_whole(value[i]);
  }
  if (out.low > out.high || out.step <= 0)
    return base::Error{fmt::format("{}: is {}; expected low <= high and a step above 0", path, shown(value))};
  return {};
}

base::Result<void> read_sizes(const Json& value, std::string_view path, SizeSpec& out) {
  if (!value.IsObject() || value.ObjectEmpty())
    return base::Error{fmt::format("{}: is {}; expected {{\"n\": 1000}}", path, shown(value))};
  for (const auto& entry : value.GetObject()) {
    SizeRange& range = out.emplace_back();
    range.name = view(entry.name);
    if (auto done = read_range(entry.value, member_path(path, range.name), range); !done) return done;
  }
  return {};
}

/// The launches of "sizes" or of "hidden".
base::Result<void> read_launches(const Json& root, std::string_view member_name, const SizeSpec& timed,
                                 std::vector<SizeSpec>& out) {
  const Json* const sizes = member(root, member_name);
  if (sizes == nullptr) return {};
  if (!sizes->IsArray() || sizes->Size() > max_launches)
    return base::Error{
        fmt::format("{}: is {}; expected a list of at most {} launches", member_name, shown(*sizes), max_launches)};
  for (rapidjson::SizeType i = 0; i < sizes->Size(); ++i) {
    const std::string path = fmt::format("{}[{}]", member_name, i);
    SizeSpec& spec = out.emplace_back();
    if (auto done = read_sizes((*sizes)[i], path, spec); !done) return done;
    for (const SizeRange& range : timed)
      if (std::ranges::find(spec, range.name, &SizeRange::name) == spec.end())
        return base::Error{fmt::format("{}: has no {}, which `timed` has", path, range.name)};
  }
  return {};
}

base::Result<void> read_all_sizes(const Json& root, Exercise& exercise) {
  const Json* const timed = member(root, "timed");
  if (timed == nullptr) return base::Error{"timed: is missing; expected the sizes of the launch that is judged"};
  if (auto done = read_sizes(*timed, "timed", exercise.timed); !done) return done;
  if (auto done = read_launches(root, "sizes", exercise.timed, exercise.sizes); !done) return done;
  return read_launches(root, "hidden", exercise.timed, exercise.hidden);
}

base::Result<void> read_outputs(const Json& root, Exercise& exercise) {
  const Json* const value = member(root, "outputs");
  if (value == nullptr || !value->IsObject() || value->ObjectEmpty())
    return base::Error{"outputs: expected the buffers that the kernel fills, {\"y\": {\"rtol\": 1e-5}}"};
  for (const auto& entry : value->GetObject()) {
    ExerciseOutput& output = exercise.outputs.emplace_back();
    output.buffer = view(entry.name);
    const std::string path = member_path("outputs", output.buffer);
    if (!entry.value.IsObject())
      return base::Error{fmt::format("{}: is {}; expected {{\"rtol\": 1e-5}}", path, shown(entry.value))};
    if (auto done = only_known(entry.value, path, {"rtol", "atol"}); !done) return done;
    if (const Json* const rtol = member(entry.value, "rtol"))
      if (auto done = read_size(*rtol, path + ".rtol", output.tolerance.rtol); !done) return done;
    if (const Json* const atol = member(entry.value, "atol"))
      if (auto done = read_size(*atol, path + ".atol", output.tolerance.atol); !done) return done;
  }
  return {};
}

base::Result<void> check_figure(const std::string& name, const std::string& path) {
  if (std::ranges::find(exercise_figures(), name) != exercise_figures().end()) return {};
  std::string known;
  for (const std::string_view figure : exercise_figures())
    known += fmt::format("{}{}", known.empty() ? "" : ", ", figure);
  return base::Error{fmt::format("{}: {} is not a figure; known are {}", path, name, known)};
}

base::Result<void> read_criterion(const Json& value, const std::string& path, Criterion& out) {
  if (!value.IsObject())
    return base::Error{fmt::format("{}: is {}; expected {{\"figure\": ..., \"at_most\": ...}}", path, shown(value))};
  if (auto done = only_known(value, path, {"figure", "per", "of", "at_most", "at_least"}); !done) return done;
  const Json* const figure = member(value, "figure");
  if (figure == nullptr) return base::Error{path + ".figure: is missing"};
  if (auto done = read_text(*figure, path + ".figure", out.figure); !done) return done;
  if (auto done = check_figure(out.figure, path + ".figure"); !done) return done;
  if (const Json* const per = member(value, "per")) {
    if (auto done = read_text(*per, path + ".per", out.per); !done) return done;
    if (auto done = check_figure(out.per, path + ".per"); !done) return done;
  }
  if (const Json* const of = member(value, "of")) {
    std::string word;
    if (auto done = read_text(*of, path + ".of", word); !done) return done;
    if (word != "starter") return base::Error{fmt::format("{}.of: is {}; expected \"starter\"", path, shown(*of))};
    out.of_starter = true;
  }
  for (const auto& [name, limit] : {std::pair{"at_most", &out.at_most}, std::pair{"at_least", &out.at_least}})
    if (const Json* const number = member(value, name))
      if (auto done = read_number(*number, fmt::format("{}.{}", path, name), limit->emplace()); !done) return done;
  if (!out.at_most && !out.at_least) return base::Error{path + ": has neither at_most nor at_least"};
  return {};
}

base::Result<void> read_exercise(const Json& root, Exercise& exercise) {
  if (!root.IsObject()) return base::Error{"is not an object with title, task, kernel, launch, outputs, timed"};
  if (auto done = only_known(root, "",
                             {"order", "title", "task", "kernel", "launch", "outputs", "sizes", "hidden", "timed",
                              "criteria", "hints", "best", "look"});
      !done)
    return done;
  if (const Json* const order = member(root, "order")) {
    std::uint64_t number = 0;
    if (auto done = read_whole(*order, "order", 0, 1000, number); !done) return done;
    exercise.order = static_cast<int>(number);
  }
  if (auto done = read_required_text(root, "title", exercise.title); !done) return done;
  if (auto done = read_required_text(root, "kernel", exercise.kernel); !done) return done;
  if (auto done = read_texts(root, "task", exercise.task); !done) return done;
  if (member(root, "hints") != nullptr)
    if (auto done = read_texts(root, "hints", exercise.hints); !done) return done;
  if (const Json* const look = member(root, "look"))
    if (auto done = read_text(*look, "look", exercise.look); !done) return done;
  if (const Json* const best = member(root, "best")) {
    if (!best->IsObject()) return base::Error{fmt::format("best: is {}; expected {{\"cycles\": ...}}", shown(*best))};
    if (auto done = only_known(*best, "best", {"cycles", "measured_h100"}); !done) return done;
    for (const auto& [name, out] :
         {std::pair{"cycles", &exercise.best_cycles}, {"measured_h100", &exercise.best_measured}})
      if (const Json* const cycles = member(*best, name))
        if (auto done = read_number(*cycles, fmt::format("best.{}", name), out->emplace()); !done) return done;
  }
  const Json* const launch = member(root, "launch");
  if (launch == nullptr || !launch->IsObject())
    return base::Error{"launch: expected an object with grid, block and args, as in a launch file"};
  if (auto done = only_known(*launch, "launch", {"grid", "block", "cluster", "dynamic_shared_bytes", "args"}); !done)
    return done;
  rapidjson::StringBuffer text;
  rapidjson::Writer writer(text);
  launch->Accept(writer);
  exercise.launch.assign(text.GetString(), text.GetSize());
  if (auto done = read_all_sizes(root, exercise); !done) return done;
  if (auto done = read_outputs(root, exercise); !done) return done;
  if (const Json* const criteria = member(root, "criteria")) {
    if (!criteria->IsArray()) return base::Error{fmt::format("criteria: is {}; expected a list", shown(*criteria))};
    for (rapidjson::SizeType i = 0; i < criteria->Size(); ++i)
      if (auto done = read_criterion((*criteria)[i], fmt::format("criteria[{}]", i), exercise.criteria.emplace_back());
          !done)
        return done;
  }
  return {};
}

}  // namespace

const std::vector<std::string_view>& exercise_figures() {
  static const std::vector<std::string_view> names = {"cycles",
                                                      "warp_instructions",
                                                      "thread_instructions",
                                                      "registers",
                                                      "blocks_per_sm",
                                                      "occupancy_pct",
                                                      "achieved_occupancy_pct",
                                                      "global_load_requests",
                                                      "global_store_requests",
                                                      "global_load_sectors",
                                                      "global_store_sectors",
                                                      "shared_load_wavefronts",
                                                      "shared_store_wavefronts",
                                                      "shared_bank_conflicts",
                                                      "dram_read_bytes",
                                                      "dram_write_bytes",
                                                      "local_instructions",
                                                      "atomic_instructions",
                                                      "barrier_instructions",
                                                      "tensor_instructions",
                                                      "async_copy_instructions"};
  return names;
}

base::Result<Exercise> open_exercise(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "exercise.json";
  auto text = platform::read_text_file(file);
  if (!text) return base::Error{text.error()};
  rapidjson::Document document;
  Exercise exercise;
  exercise.folder = folder;
  exercise.name = (folder.filename().empty() ? folder.parent_path() : folder).filename().string();
  auto done = parse_json(text->text, document);
  if (done) done = read_exercise(document, exercise);
  if (!done) return base::Error{fmt::format("{}: {}", file.string(), done.error())};
  for (const auto& [name, out] :
       {std::pair{"starter.cu", &exercise.starter}, std::pair{"reference.cu", &exercise.reference}}) {
    auto source = platform::read_text_file(folder / name);
    if (!source) return base::Error{source.error()};
    *out = std::move(source->text);
  }
  for (const auto& [name, out] :
       {std::pair{"starter.ptx", &exercise.starter_ptx}, std::pair{"reference.ptx", &exercise.reference_ptx}}) {
    std::error_code none;
    if (!std::filesystem::exists(folder / name, none)) continue;
    auto source = platform::read_text_file(folder / name);
    if (!source) return base::Error{source.error()};
    *out = std::move(source->text);
  }
  return exercise;
}

DraftLanguage language_of(std::string_view source) {
  while (!source.empty()) {
    if (source.starts_with("//"))
      source.remove_prefix(std::min(source.find('\n'), source.size()));
    else if (source.starts_with("/*"))
      source.remove_prefix(std::min(source.find("*/", 2), source.size() - 2) + 2);
    else if (source.front() == ' ' || source.front() == '\t' || source.front() == '\r' || source.front() == '\n')
      source.remove_prefix(1);
    else
      break;
  }
  return source.starts_with(".version") ? DraftLanguage::ptx : DraftLanguage::cuda;
}

std::vector<Exercise> shipped_exercises(const std::filesystem::path& assets, std::vector<std::string>& errors) {
  std::vector<Exercise> exercises;
  std::error_code none;  // a missing folder has no exercises
  for (const auto& entry : std::filesystem::directory_iterator(assets / "exercises", none)) {
    if (!entry.is_directory(none)) continue;
    auto read = open_exercise(entry.path());
    if (read)
      exercises.push_back(std::move(*read));
    else
      errors.push_back(read.error());
  }
  std::ranges::sort(exercises, [](const Exercise& a, const Exercise& b) {
    return std::pair(a.order, a.name) < std::pair(b.order, b.name);
  });
  return exercises;
}

base::Result<std::filesystem::path> find_exercise(const std::filesystem::path& assets, const std::string& name) {
  std::error_code none;
  if (name.find('/') != std::string::npos || std::filesystem::exists(name + "/exercise.json", none))
    return std::filesystem::path(name);
  const std::filesystem::path shipped = assets / "exercises" / name;
  if (!name.empty() && std::filesystem::exists(shipped / "exercise.json", none)) return shipped;
  std::vector<std::string> errors;
  std::string known;
  for (const Exercise& exercise : shipped_exercises(assets, errors))
    known += (known.empty() ? "" : ", ") + exercise.name;
  return base::Error{
      fmt::format("there is no exercise {}; known are {}; or give the folder of an exercise of your own, "
                  "with a slash: ./{}",
                  name, known.empty() ? "none" : known, name)};
}

}  // namespace warpwalk::run
