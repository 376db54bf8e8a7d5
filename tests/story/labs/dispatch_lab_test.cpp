// The lab "dispatch" against a recording of PyTorch 2.11 (tests/story/dispatch/record_dispatch.py): bits and names of
// the keys, key sets of tensors and threads, rows of the dispatch table, matching of signatures, and what calls do.
#include <algorithm>
#include <bit>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/base/exact_json.h"
#include "core/story/labs/dispatch/dispatch.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

constexpr std::string_view dispatch_scene = "lab/dispatch";

const rapidjson::Document& recording() {
  static const rapidjson::Document* const document = [] {
    std::ostringstream text;
    text << std::ifstream(std::string(WARPWALK_SOURCE_DIR) + "/tests/story/dispatch/pytorch_2.11.json").rdbuf();
    auto* const read = new rapidjson::Document;
    EXPECT_FALSE(base::parse_exact(text.str(), *read).IsError());
    return read;
  }();
  return *document;
}

const rapidjson::Value& recorded_entry(const char* section, const std::string& name) {
  const rapidjson::Value& all = recording()[section];
  const auto found = all.FindMember(name.c_str());
  if (found == all.MemberEnd()) {
    ADD_FAILURE() << section << " has no " << name;
    static const rapidjson::Value none(rapidjson::kObjectType);
    return none;
  }
  return found->value;
}

KeyBits raw_of(const rapidjson::Value& keyset) { return KeyBits::from_raw(keyset["raw"].GetUint64()); }

std::set<std::string> names_of(const rapidjson::Value& list) {
  std::set<std::string> names;
  for (const auto& name : list.GetArray()) names.insert(name.GetString());
  return names;
}

std::string key_name(std::size_t place) { return std::string(ops::name_of(static_cast<ops::Key>(place))); }

TEST(DispatchLab, EachBitIsTheKeyThatPyTorchHas) {
  const auto& with_cpu = recording()["bits"]["with_cpu"];
  const auto& with_dense = recording()["bits"]["with_dense"];
  ASSERT_EQ(with_cpu.Size(), static_cast<rapidjson::SizeType>(KeyBits::all));
  for (int bit = KeyBits::backends; bit < KeyBits::all; ++bit) {
    const auto names = names_of(with_cpu[static_cast<rapidjson::SizeType>(bit)]);
    const KeyBits bits = KeyBits::from_raw((std::uint64_t{1} << bit) | 1);
    if (names.empty()) {
      EXPECT_EQ(bit_name(bit), "") << bit;
    } else {
      EXPECT_EQ(bits.keys(), std::vector<std::string>(names.begin(), names.end())) << bit;
      EXPECT_EQ(KeyBits::of(*names.begin()).without({}).highest(), bit);
    }
  }
  for (int bit = 0; bit < KeyBits::backends; ++bit)
    EXPECT_EQ(names_of(with_dense[static_cast<rapidjson::SizeType>(bit)]),
              std::set<std::string>{std::string(bit_name(bit))});
  EXPECT_EQ(KeyBits::of("CUDA").raw(), 0x10002u);
  EXPECT_EQ(KeyBits::of("AutogradNothing").raw(), 0u);
}

TEST(DispatchLab, NamesInOrderOfPriority) {
  // The number of a functionality in enum DispatchKey is its place among the functionality bits, from 1.
  const auto& names = recording()["names"];
  for (int bit = KeyBits::backends; bit < KeyBits::all - 1; ++bit)
    EXPECT_EQ(names[static_cast<rapidjson::SizeType>(bit - KeyBits::backends + 1)].GetString(), bit_name(bit));
}

TEST(DispatchLab, TheKeysOfTensorsAreThoseOfPyTorch) {
  using L = ops::TensorLayout;
  using D = ops::DeviceKind;
  const auto same = [](const char* name, D device, L layout, CallMode mode) {
    const auto& keyset = recorded_entry("tensors", name);
    const KeyBits own = tensor_key_bits(device, layout, mode);
    EXPECT_EQ(own, raw_of(keyset)) << name;
    const std::vector<std::string> keys = own.keys();
    EXPECT_EQ(std::set<std::string>(keys.begin(), keys.end()), names_of(keyset["keys"])) << name;
  };
  for (const auto& [name, device] : {std::pair{"cpu", D::cpu}, {"cuda", D::cuda}}) {
    const std::string base = name;
    for (const char* const kind : {"", " requires_grad", " f16", " i64", " transposed", " parameter"})
      same((base + kind).c_str(), device, L::strided, CallMode::usual);
    same((base + " sparse_coo").c_str(), device, L::sparse_coo, CallMode::usual);
    same((base + " sparse_csr").c_str(), device, L::sparse_csr, CallMode::usual);
    same((base + " vmap").c_str(), device, L::strided, CallMode::vmap);
    same((base + " grad").c_str(), device, L::strided, CallMode::grad);
  }
}

TEST(DispatchLab, TheKeysOfThreadsAreThoseOfPyTorch) {
  const auto same = [](const char* name, CallMode mode, ops::DeviceKind device) {
    const auto& thread = recorded_entry("threads", name);
    EXPECT_EQ(thread_includes(mode), raw_of(thread["include"])) << name;
    EXPECT_EQ(thread_excludes(mode, device), raw_of(thread["exclude"])) << name;
  };
  same("plain", CallMode::usual, ops::DeviceKind::cuda);
  same("no_grad", CallMode::no_grad, ops::DeviceKind::cuda);
  same("inference", CallMode::inference, ops::DeviceKind::cpu);
  same("autocast cuda", CallMode::autocast, ops::DeviceKind::cuda);
  same("autocast cpu", CallMode::autocast, ops::DeviceKind::cpu);
  same("dispatch mode", CallMode::python, ops::DeviceKind::cuda);
  for (const auto& [name, mode] : {std::pair{"vmap", CallMode::vmap}, {"grad", CallMode::grad}}) {
    EXPECT_EQ(thread_includes(mode), raw_of(recorded_entry("tensors", fmt::format("thread include {}", name))));
    EXPECT_EQ(thread_excludes(mode, ops::DeviceKind::cuda),
              raw_of(recorded_entry("tensors", fmt::format("thread exclude {}", name))));
  }
}

TEST(DispatchLab, TheRowsAreThoseOfPyTorchsTable) {
  for (const LabOp& op : lab_ops()) {
    const std::string name(op.op.substr(6));
    const auto& row = recorded_entry("table", name);
    ASSERT_EQ(op.row.size(), ops::key_count);
    for (std::size_t k = 0; k < ops::key_count; ++k) {
      const std::string key = key_name(k);
      ASSERT_TRUE(row.HasMember(key.c_str())) << name << " " << key;
      const std::string how = row[key.c_str()][0].GetString();
      const bool backend = ops::backend_keys().has(static_cast<ops::Key>(k));
      const TableEntry wanted = how == "fallthrough"              ? TableEntry::fallthrough
                                : how == "math kernel"            ? TableEntry::composite
                                : how == "default backend kernel" ? TableEntry::all_backends
                                : backend                         ? TableEntry::kernel
                                                                  : TableEntry::wrapper;
      EXPECT_EQ(static_cast<char>(entry_at(op, k)), static_cast<char>(wanted)) << name << " " << key << " " << how;
    }
    // The files on the cards are those that registered the functions.
    const std::string cuda = row["CUDA"][1].GetString(), autograd = row["AutogradCUDA"][1].GetString();
    const bool composite = op.dispatch.starts_with("CompositeImplicit"),
               all = op.dispatch.starts_with("CompositeExplicit");
    EXPECT_THAT(cuda, ::testing::HasSubstr(composite ? "RegisterCompositeImplicitAutograd"
                                           : all     ? "RegisterCompositeExplicitAutograd"
                                                     : "RegisterCUDA"))
        << name;
    EXPECT_THAT(autograd, ::testing::HasSubstr(composite ? "RegisterCompositeImplicitAutograd" : "VariableType"));
    const std::string schema = recorded_entry("schemas", name).GetString();
    const std::string own(op.schema.substr(0, op.schema.find(" ...")));
    EXPECT_THAT(schema, ::testing::HasSubstr(own.substr(0, own.find(", *, ScalarType? dtype=None, Device"))));
  }
}

TEST(DispatchLab, WarpwalksRowsAreThoseItSays) {
  // By hand: a kernel for dense tensors, autograd above it, nothing for sparse tensors.
  CompleteDispatcher with;
  const auto row = [&](std::string_view op) {
    std::string letters;
    for (std::size_t k = 0; k < ops::key_count; ++k)
      letters += static_cast<char>(own_entry(with.dispatcher(), *with.dispatcher().find(op), static_cast<ops::Key>(k)));
    return letters;
  };
  EXPECT_EQ(row("aten::relu"), "kk----ffrrff");
  EXPECT_EQ(row("aten::relu_"), "kk----frrrff");
  EXPECT_EQ(row("aten::mm"), "kk----ffrrrr");
  EXPECT_EQ(row("aten::matmul"), "ccccccffccrr");
  EXPECT_EQ(row("aten::t"), "ee----frrrff");
  EXPECT_EQ(row("aten::zeros"), "ee----rfffff");
}

TEST(DispatchLab, SignaturesMatchAsInPyTorch) {
  std::size_t refused = 0;
  for (const LabOp& op : lab_ops()) {
    std::vector<CallSignature> signatures;
    for (const std::string_view text : op.signatures) signatures.push_back(parse_signature(text));
    for (const auto& call : recording()["parsed"].GetObject()) {
      const std::string text = call.name.GetString(), function = text.substr(0, text.find('('));
      if (function != fmt::format("torch.{}", op.name) && function != fmt::format("F.{}", op.name)) continue;
      if (text.find("alpha") != std::string::npos || text.find("dtype") != std::string::npos ||
          text.find("device") != std::string::npos || text.find("object") != std::string::npos ||
          text.find('[') != std::string::npos || text.find("None") != std::string::npos ||
          text.find("torch.", 6) != std::string::npos)
        continue;
      const Parsed parsed = parse_arguments(signatures, parse_python_call(text));
      if (!call.value.HasMember("error") ||
          std::string(call.value["error"].GetString()).find("TypeError") == std::string::npos) {
        EXPECT_TRUE(parsed.taken) << text << " " << parsed.error;
        continue;
      }
      ++refused;
      EXPECT_FALSE(parsed.taken) << text;
      std::string message = std::string(call.value["error"].GetString()).substr(11);
      message = message.substr(0, message.find('\n'));
      const std::size_t compared = message.find(", but expected (");
      EXPECT_EQ(parsed.error.substr(0, compared), message.substr(0, compared)) << text;
    }
    for (const std::string_view call : op.calls)
      EXPECT_TRUE(recording()["parsed"].HasMember(std::string(call).c_str()) || op.calls.front() == call) << call;
  }
  EXPECT_GT(refused, 20u);
}

/// The result's type and node on the tape, for settings that PyTorch was run with.
TEST(DispatchLab, CallsGiveTypesAndNodesOfPyTorch) {
  std::size_t compared = 0;
  for (const LabOp& op : lab_ops())
    for (const auto& [device, kind] : {std::pair{"cpu", ops::DeviceKind::cpu}, {"cuda", ops::DeviceKind::cuda}})
      for (const auto& [mode, call_mode] : {std::pair{"grad", CallMode::usual},
                                            {"no_grad", CallMode::no_grad},
                                            {"inference", CallMode::inference},
                                            {"autocast", CallMode::autocast}})
        for (const bool grad : {false, true}) {
          const std::string label =
              fmt::format("{} {} float32 {}{}", op.name, device, mode, grad ? " requires_grad" : "");
          const auto& run = recorded_entry("runs", label);
          ASSERT_TRUE(run.IsArray()) << label;
          const bool leaf_in_place =
              op.name == "relu_" && grad && call_mode != CallMode::no_grad && call_mode != CallMode::inference;
          const TracedCall traced =
              trace_call({op.op, kind, false, ops::TensorLayout::strided, ops::DType::f32, grad, call_mode});
          if (leaf_in_place) {  // PyTorch was given a result, since a leaf is refused here and there
            EXPECT_THAT(traced.error, ::testing::HasSubstr("a leaf that requires a gradient"));
            continue;
          }
          ++compared;
          EXPECT_EQ(traced.error, "") << label;
          EXPECT_EQ(traced.dtype, std::string_view(run[0].GetString()) == "float32" ? "f32" : "bf16") << label;
          EXPECT_EQ(traced.node, run[1].IsString() ? run[1].GetString() : "") << label;
        }
  EXPECT_EQ(compared, 9u * 2 * 4 * 2 - 4);
}

/// Ops inside ops, for the ops that warpwalk's library composes as PyTorch does.
TEST(DispatchLab, NestedOpsAreThoseOfPyTorch) {
  for (const auto& [name, op, wanted] :
       {std::tuple{"matmul", "aten::matmul", "aten::matmul aten::mm"},
        {"linear", "aten::linear", "aten::linear aten::t aten::addmm"},
        {"zeros", "aten::zeros", "aten::zeros aten::empty.memory_format aten::zero_"}}) {
    const TracedCall traced = trace_call({op, ops::DeviceKind::cuda});
    std::vector<std::string> own, theirs;
    for (const CalledOp& one : traced.ops)
      if (one.depth <= 1) own.push_back(one.name);
    EXPECT_EQ(fmt::format("{}", fmt::join(own, " ")), wanted);
    for (const auto& row : recorded_entry("runs", fmt::format("{} cuda float32 grad", name))[2].GetArray())
      if (row[0].IsInt() && row[0].GetInt() <= 1) theirs.emplace_back(row[1].GetString());
    ASSERT_EQ(own.size(), theirs.size());
    for (std::size_t i = 0; i < own.size(); ++i) EXPECT_EQ(ops::without_overload(own[i]), theirs[i]);
  }
}

TEST(DispatchLab, PyTorchRefusesTheTypesThatTheLabSays) {
  std::size_t refused = 0;
  for (const LabOp& op : lab_ops())
    for (const auto& [type, dtype] : {std::pair{"float16", ops::DType::f16},
                                      {"bfloat16", ops::DType::bf16},
                                      {"float64", ops::DType::f64},
                                      {"int32", ops::DType::i32},
                                      {"int64", ops::DType::i64}}) {
      const auto& run = recorded_entry("runs", fmt::format("{} cuda {} types", op.name, type));
      EXPECT_EQ(refused_on_gpu(op, dtype), run.IsObject()) << op.name << " " << type;
      if (!run.IsObject()) {
        EXPECT_EQ(trace_call({op.op, ops::DeviceKind::cuda, false, ops::TensorLayout::strided, dtype, false}).error, "")
            << op.name << " " << type;
        continue;
      }
      ++refused;
      const std::string message = run["error"].GetString();
      if (message.starts_with('"')) {
        EXPECT_TRUE(message.starts_with(fmt::format("\"{}\"", op.type_switch))) << message;
      }
    }
  EXPECT_EQ(refused, 8u);
}

TEST(DispatchLab, FramesNestAndEachLastsAsLongAsWhatItCalls) {
  for (const LabOp& op : lab_ops())
    for (const CallMode mode : {CallMode::usual, CallMode::autocast}) {
      CallSetting setting;
      setting.op = op.op;
      setting.mode = mode;
      const TracedCall traced = trace_call(setting);
      for (std::size_t i = 0; i < traced.frames.size(); ++i) {
        const DispatchedFrame& frame = traced.frames[i];
        EXPECT_LT(frame.begin, frame.end) << op.name;
        EXPECT_LE(frame.end, traced.events);
        if (frame.depth == 0) continue;
        // The last frame before it that is one level up contains it.
        std::size_t outer = i;
        while (traced.frames[outer].depth != frame.depth - 1) --outer;
        EXPECT_LT(traced.frames[outer].begin, frame.begin);
        EXPECT_GE(traced.frames[outer].end, frame.end) << op.name << " " << frame.label;
      }
    }
}

TEST(DispatchLab, TheHighestBitWins) {
  const Stage usual = lab_with(dispatch_scene, 2, {{"op", 3}});
  EXPECT_EQ(fact_text(usual, "Key set"), "0x0000002804010002");
  EXPECT_EQ(fact_text(usual, "First function at"), "AutogradCUDA");
  EXPECT_EQ(fact_text(lab_with(dispatch_scene, 2, {{"op", 3}, {"mode", 3}}), "First function at"), "AutocastCUDA");
  EXPECT_EQ(fact_text(lab_with(dispatch_scene, 2, {{"op", 0}, {"mode", 3}}), "First function at"), "AutogradCUDA");
  EXPECT_EQ(fact_text(lab_with(dispatch_scene, 2, {{"op", 0}, {"mode", 3}}), "Highest key"), "AutocastCUDA");
  EXPECT_EQ(fact_text(lab_with(dispatch_scene, 2, {{"op", 3}, {"mode", 2}}), "First function at"), "CUDA");
  EXPECT_EQ(fact_text(lab_with(dispatch_scene, 2, {{"op", 8}}), "First function at"), "BackendSelect");
  EXPECT_EQ(fact_text(lab_with(dispatch_scene, 2, {{"op", 3}, {"device", 2}}), "First function at"), "AutogradCUDA");
  EXPECT_EQ(fact_text(lab_with(dispatch_scene, 2, {{"op", 3}, {"mode", 4}}), "First function at"),
            "FuncTorchDynamicLayerFrontMode");
  const auto& grid = panel_picture<CellGrid>(usual);
  ASSERT_EQ(grid.cells.size(), 64u);
  const auto set = std::ranges::count_if(
      grid.cells, [](const Cell& cell) { return cell.tone != Tone::quiet && cell.tone != Tone::refused; });
  EXPECT_EQ(set, std::popcount(0x0000002804010002u));
}

TEST(DispatchLab, TasksAreDoneByTheSettings) {
  EXPECT_EQ(tasks_done(dispatch_scene, {{"op", 3}}), "------");
  EXPECT_EQ(tasks_done(dispatch_scene, {{"op", 3}, {"mode", 2}}), "x-----");
  EXPECT_EQ(tasks_done(dispatch_scene, {{"op", 3}, {"mode", 3}}), "-x----");
  EXPECT_EQ(tasks_done(dispatch_scene, {{"op", 8}}), "--x---");
  EXPECT_EQ(tasks_done(dispatch_scene, {{"op", 3}, {"mode", 1}}), "---x--");
  EXPECT_EQ(tasks_done(dispatch_scene, {{"op", 4}, {"device", 1}}), "----x-");
  EXPECT_EQ(tasks_done(dispatch_scene, {{"op", 3}, {"layout", 1}}), "-----x");
}

}  // namespace
}  // namespace warpwalk::story::testing
