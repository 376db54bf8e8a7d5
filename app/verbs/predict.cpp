#include "app/verbs/predict.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/verbs/common/files.h"
#include "app/verbs/common/find_device.h"
#include "app/verbs/common/load.h"
#include "app/verbs/common/numbers.h"
#include "app/verbs/common/simulated_kernels.h"
#include "app/verbs/common/terminal.h"
#include "app/verbs/info/json_writer.h"
#include "core/analysis/predict/prediction.h"
#include "core/trace/chrome/writer.h"

namespace warpwalk::verbs {
namespace {

constexpr double ns_of_ms = 1e6;

std::string bar(double value, double most) {
  constexpr double columns = 40;
  const auto length = static_cast<int>(std::lround(most > 0 ? columns * std::clamp(value / most, 0.0, 1.0) : 0));
  std::string text;
  for (int i = 0; i < std::max(length, value > 0 ? 1 : 0); ++i) text += "█";
  return text;
}

std::string prediction_text(const analysis::Prediction& prediction) {
  const double before = prediction.before / ns_of_ms, after = prediction.step.value_or(0) / ns_of_ms;
  const double most = std::max(before, after);
  std::string text = analysis::verdict_of(prediction) + "\n\n";
  text += fmt::format("{:<10} {:>11.3f} ms  {}\n", "recorded", before, bar(before, most));
  if (prediction.step) {
    text += fmt::format("{:<10} {:>11.3f} ms  {}\n", "predicted", after, bar(after, most));
    text +=
        fmt::format("{:<10} {:>11.3f} to {:.3f} ms\n\n", "", *prediction.low / ns_of_ms, *prediction.high / ns_of_ms);
    const auto row = [&](std::string_view name, double was, double is) {
      text += fmt::format("{:<34} {:>11.3f} {:>11.3f} {:>+11.3f}\n", name, was / ns_of_ms, is / ns_of_ms,
                          (is - was) / ns_of_ms);
    };
    const analysis::StepParts &was = prediction.parts_before, &is = prediction.parts_after;
    text += fmt::format("{:<34} {:>11} {:>11} {:>11}\n", "ms per step", "recorded", "predicted", "change");
    row("main thread works", was.cpu, is.cpu);
    row("main thread waits", was.waiting, is.waiting);
    row("GPU works (streams added)", was.gpu, is.gpu);
    text += fmt::format("{:<34} {:>11} {:>11} {:>+11}\n", "kernels, copies and fills", was.kernels, is.kernels,
                        static_cast<std::int64_t>(is.kernels) - static_cast<std::int64_t>(was.kernels));
  }
  text += "\nWhat this rests on:\n";
  for (const analysis::PredictionBasis& one : prediction.basis)
    text += fmt::format("  {} ({}): {}\n", one.change, name_of(one.origin), one.text);
  return text;
}

void write_parts(JsonWriter& json, const char* key, const analysis::StepParts& parts) {
  json.object(key, [&] {
    json.real("cpu_ms", parts.cpu / ns_of_ms);
    json.real("waiting_ms", parts.waiting / ns_of_ms);
    json.real("gpu_ms", parts.gpu / ns_of_ms);
    json.number("gpu_pieces", parts.kernels);
  });
}

std::string prediction_json(const analysis::Prediction& prediction) {
  const auto ms = [](const std::optional<double>& ns) {
    return ns ? std::optional<double>(*ns / ns_of_ms) : std::nullopt;
  };
  JsonWriter json;
  json.object([&] {
    json.object("prediction", [&] {
      json.text_or_null("step", prediction.step_name);
      json.real("before_ms", prediction.before / ns_of_ms);
      json.real_or_null("step_ms", ms(prediction.step));
      json.real_or_null("low_ms", ms(prediction.low));
      json.real_or_null("high_ms", ms(prediction.high));
      json.text("verdict", analysis::verdict_of(prediction));
      json.array("basis", prediction.basis, [&](const analysis::PredictionBasis& one) {
        json.object([&] {
          json.text("change", one.change);
          json.text("origin", name_of(one.origin));
          json.text("text", one.text);
        });
      });
      write_parts(json, "parts_before", prediction.parts_before);
      write_parts(json, "parts_after", prediction.parts_after);
    });
  });
  return json.document() + "\n";
}

}  // namespace

int predict_trace(const PredictOptions& options) {
  std::vector<analysis::Change> changes;
  for (const std::string& text : options.changes) {
    auto change = analysis::parse_change(text);
    if (!change) return refuse("--change " + change.error());
    changes.push_back(*std::move(change));
  }
  if (!options.out.empty())
    if (const auto may = check_writable(options.out); !may) return refuse("-o " + may.error());
  const LoadedTrace loaded = load(options.file, options.memory_cap_bytes);
  if (loaded.result.error) return refuse(*loaded.result.error);
  for (const std::string& line : lost_data(options.file, loaded.result)) print_message(line);
  const std::vector<gpu::Device> devices = described_devices();
  SimulatedKernels kernels(loaded.result.trace, options.file);
  analysis::Predictor predictor(loaded.result.trace, devices, [&](trace::SliceId kernel, const gpu::Device& device) {
    return kernels.seconds(kernel, device);
  });
  const auto prediction = predictor.predict(changes);
  if (!prediction) return refuse("--change " + prediction.error());
  if (options.json != "-") print_report(prediction_text(*prediction));
  if (!options.json.empty())
    if (const auto done = write_file(options.json, prediction_json(*prediction)); !done) return refuse(done.error());
  if (options.out.empty()) return 0;
  if (!prediction->step) {
    print_message(fmt::format("warpwalk: {} is not written: there is no prediction", options.out.string()));
    return 0;
  }
  if (const auto done = trace::write_trace(analysis::changed_trace(loaded.result.trace, *prediction), options.out);
      !done)
    return refuse(done.error());
  return 0;
}

Verb add_predict(CLI::App& app) {
  const auto options = std::make_shared<PredictOptions>();
  const auto cap_gb = std::make_shared<double>(0);
  CLI::App* const verb =
      app.add_subcommand("predict", "Predict the time of a trace's step with changes of its program");
  verb->add_option("FILE", options->file, "a trace, plain or gzip; - for stdin")->required();
  verb->add_option("--change", options->changes, fmt::format("what changes; repeatable: {}", analysis::change_words()))
      ->required()
      ->allow_extra_args(false);
  verb->add_option("--json", options->json,
                   "write the prediction as JSON to this file; to stdout if it is -, or if --json is the last word");
  verb->add_option("-o,--output", options->out,
                   "write the trace with the predicted times, for example changed.json.gz");
  verb->add_option("--memory-cap", *cap_gb, "stop reading at this many GB (10^9 bytes) of memory (default: 8 GiB)")
      ->check(number_above_zero());
  return {verb, [options, cap_gb] {
            options->memory_cap_bytes = static_cast<std::uint64_t>(*cap_gb * 1e9);
            return predict_trace(*options);
          }};
}

}  // namespace warpwalk::verbs
