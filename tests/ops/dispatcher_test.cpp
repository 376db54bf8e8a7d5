#include "core/ops/dispatch/dispatcher.h"

#include <map>
#include <random>

#include <gtest/gtest.h>

#include "tests/ops/dispatcher_log.h"

namespace warpwalk::ops {
namespace {

using RegistrationKind = Registration::Kind;

/// A Memory that only has a device.
class Nowhere : public Memory {
 public:
  explicit Nowhere(DeviceKind device) : device_(device) {}
  DeviceKind device() const override { return device_; }
  std::uint64_t allocate(std::uint64_t) override { return 64; }
  void free(std::uint64_t) override {}
  void read(std::uint64_t, std::span<std::uint8_t>) override {}
  void write(std::uint64_t, std::span<const std::uint8_t>) override {}
  std::uint8_t* host(std::uint64_t) override { return nullptr; }

 private:
  DeviceKind device_;
};

class DispatcherTest : public testing::Test {
 protected:
  DispatcherTest() { dispatcher.define("aten::f", "f(Tensor self) -> Tensor"); }

  Tensor tensor(DeviceKind device, TensorLayout layout = TensorLayout::strided) {
    Memory& memory = device == DeviceKind::cpu ? cpu : cuda;
    return {std::make_shared<Storage>(memory, 16), DType::f32, contiguous_geometry({4}), layout};
  }
  void add(Key key, RegistrationKind kind = RegistrationKind::kernel) {
    dispatcher.add("aten::f", key, kind, "f at " + std::string(name_of(key)),
                   [this, key](Dispatcher& d, const Call& c) {
                     ran.push_back(key);
                     const auto& row = c.op->table[static_cast<std::size_t>(key)];
                     return row.kind == RegistrationKind::redispatch ? d.redispatch(c, c.keys.below(key)) : c.tensor(0);
                   });
  }

  Nowhere cpu{DeviceKind::cpu}, cuda{DeviceKind::cuda};
  Log log;
  Dispatcher dispatcher{&log};
  std::vector<Key> ran;
};

TEST(Keys, OfATensor) {
  EXPECT_EQ(keys_of(DeviceKind::cuda, TensorLayout::strided).names(),
            (std::vector<std::string>{"AutogradCUDA", "ADInplaceOrView", "CUDA"}));
  EXPECT_EQ(keys_of(DeviceKind::cpu, TensorLayout::sparse_csr).names(),
            (std::vector<std::string>{"AutogradCPU", "ADInplaceOrView", "SparseCsrCPU"}));
}

TEST(Keys, BelowLeavesTheLower) {
  const KeySet keys = KeySet(Key::AutocastCUDA) | KeySet(Key::CUDA) | KeySet(Key::CPU);
  EXPECT_EQ(keys.highest(), Key::AutocastCUDA);
  EXPECT_EQ(keys.below(Key::AutocastCUDA), KeySet(Key::CUDA) | KeySet(Key::CPU));
  EXPECT_EQ(keys.below(Key::CUDA), KeySet(Key::CPU));
  EXPECT_TRUE(keys.below(Key::CPU).empty());
}

TEST_F(DispatcherTest, EveryKeyLookedAtIsTold) {
  add(Key::AutogradCPU, RegistrationKind::redispatch);
  add(Key::CPU);
  dispatcher.call("aten::f", {tensor(DeviceKind::cpu)});
  EXPECT_EQ(ran, (std::vector<Key>{Key::AutogradCPU, Key::CPU}));
  ASSERT_EQ(log.rows.size(), 1U);
  EXPECT_EQ(log.rows[0].way(),
            "AutogradCPU redispatch, ADInplaceOrView fallthrough, BackendSelect fallthrough, CPU kernel");
  EXPECT_EQ(log.rows[0].steps[0].function, "f at AutogradCPU");
  EXPECT_EQ(log.rows[0].steps[0].key_set,
            (std::vector<std::string>{"AutogradCPU", "ADInplaceOrView", "BackendSelect", "CPU"}));
  EXPECT_EQ(log.rows[0].steps[3].key_set, (std::vector<std::string>{"CPU"}));
  EXPECT_FALSE(log.rows[0].failed);
}

TEST_F(DispatcherTest, TheDtypeIsAStepAtTheBackendsKey) {
  dispatcher.add("aten::f", Key::CPU, RegistrationKind::kernel, "cpu loops", [](Dispatcher& d, const Call& call) {
    d.chose(call.tensor(0).dtype(), "f");
    return call.tensor(0);
  });
  dispatcher.call("aten::f", {tensor(DeviceKind::cpu)});
  const auto& steps = log.rows.at(0).steps;
  ASSERT_GE(steps.size(), 2U);
  EXPECT_EQ(steps.back().key, "CPU");
  EXPECT_EQ(steps.back().function, "f<f32>");
  EXPECT_EQ(steps.back().effect, "kernel");
  EXPECT_EQ(steps[steps.size() - 2].function, "cpu loops");
}

TEST_F(DispatcherTest, AnOpWithinAnOpDoesNotMoveItsChoice) {
  dispatcher.define("aten::g", "g(Tensor self) -> Tensor");
  dispatcher.add("aten::g", Key::CUDA, RegistrationKind::kernel, "g",
                 [](Dispatcher&, const Call& c) { return c.tensor(0); });
  const Tensor other = tensor(DeviceKind::cuda);
  dispatcher.add("aten::f", Key::CPU, RegistrationKind::kernel, "f", [&](Dispatcher& d, const Call& c) {
    d.call("aten::g", {other});
    d.chose(DType::f64, "f");
    return c.tensor(0);
  });
  dispatcher.call("aten::f", {tensor(DeviceKind::cpu)});
  ASSERT_EQ(log.rows.size(), 2U);
  EXPECT_EQ(log.rows[0].steps.back().key, "CPU");
  EXPECT_EQ(log.rows[0].steps.back().function, "f<f64>");
  EXPECT_EQ(log.rows[1].depth, 1);
}

TEST_F(DispatcherTest, ACompositeTakesThePlaceOfAutogradAndNotOfAutocast) {
  dispatcher.add_composite("aten::f", "made of others", [](Dispatcher&, const Call& c) { return c.tensor(0); });
  dispatcher.call("aten::f", {tensor(DeviceKind::cuda)});
  EXPECT_EQ(log.rows[0].way(), "AutogradCUDA composite");
  const Dispatcher::Guard on(dispatcher, KeySet(Key::AutocastCUDA), {});
  dispatcher.call("aten::f", {tensor(DeviceKind::cuda)});
  EXPECT_EQ(log.rows[1].way(), "AutocastCUDA fallthrough, AutogradCUDA composite");
}

TEST_F(DispatcherTest, ABackendsOwnFunctionGoesBeforeThoseForAll) {
  dispatcher.add_any_backend("aten::f", "for all", [this](Dispatcher&, const Call& c) {
    ran.push_back(Key::BackendSelect);
    return c.tensor(0);
  });
  add(Key::CUDA);
  dispatcher.call("aten::f", {tensor(DeviceKind::cuda)});
  dispatcher.call("aten::f", {tensor(DeviceKind::cpu)});
  EXPECT_EQ(ran, (std::vector<Key>{Key::CUDA, Key::BackendSelect}));
}

TEST_F(DispatcherTest, GuardsAddAndTakeAndAreUndone) {
  add(Key::AutogradCPU, RegistrationKind::redispatch);
  add(Key::AutocastCPU, RegistrationKind::redispatch);
  add(Key::CPU);
  const Tensor t = tensor(DeviceKind::cpu);
  {
    const Dispatcher::Guard outer(dispatcher, KeySet(Key::AutocastCPU), {});
    {
      const Dispatcher::Guard inner(dispatcher, {}, autograd_keys() | autocast_keys());
      dispatcher.call("aten::f", {t});
    }
    dispatcher.call("aten::f", {t});
  }
  dispatcher.call("aten::f", {t});
  EXPECT_EQ(ran,
            (std::vector<Key>{Key::CPU, Key::AutocastCPU, Key::AutogradCPU, Key::CPU, Key::AutogradCPU, Key::CPU}));
}

TEST_F(DispatcherTest, SequenceNumbersAreToldOnEnteringAutograd) {
  add(Key::AutogradCPU, RegistrationKind::redispatch);
  add(Key::CPU);
  dispatcher.take_sequence();
  dispatcher.call("aten::f", {tensor(DeviceKind::cpu)});
  EXPECT_EQ(log.rows[0].sequence, 1);
  dispatcher.set_grad_enabled(false);
  dispatcher.call("aten::f", {tensor(DeviceKind::cpu)});
  EXPECT_EQ(log.rows[1].sequence, -1);
  dispatcher.set_grad_enabled(true);
  const Dispatcher::Guard below(dispatcher, {}, autograd_keys());
  dispatcher.call("aten::f", {tensor(DeviceKind::cpu)});
  EXPECT_EQ(log.rows[2].sequence, -1);
}

TEST_F(DispatcherTest, ErrorsSayWhatThereIs) {
  add(Key::CPU);
  add(Key::CUDA);
  dispatcher.define("aten::f.out", "f.out(Tensor self) -> Tensor");
  EXPECT_EQ(error_of([&] { dispatcher.call("aten::f.with", {}); }),
            "aten::f.with: no such op is defined; there is aten::f, aten::f.out");
  EXPECT_EQ(error_of([&] { dispatcher.call("aten::nothing", {}); }), "aten::nothing: no such op is defined");
  EXPECT_EQ(error_of([&] { dispatcher.call("aten::f", {tensor(DeviceKind::cuda, TensorLayout::sparse_coo)}); }),
            "aten::f has no function for SparseCUDA; it has one for CPU, CUDA: make the tensors dense (strided)");
  EXPECT_EQ(error_of([&] { dispatcher.call("aten::f.out", {tensor(DeviceKind::cpu)}); }),
            "aten::f.out has no function for CPU or any other backend");
  EXPECT_EQ(error_of([&] { dispatcher.call("aten::f", {std::int64_t{1}}); }),
            "aten::f was called without a tensor or a device, so no backend can be chosen");
  EXPECT_TRUE(log.closed());
  for (const Log::Row& row : log.rows) EXPECT_TRUE(row.failed);
}

TEST_F(DispatcherTest, ArgumentsAreCheckedWhereTheyAreRead) {
  dispatcher.add("aten::f", Key::CPU, RegistrationKind::kernel, "f", [](Dispatcher&, const Call& c) {
    EXPECT_FALSE(c.given(1));
    EXPECT_FALSE(c.given(9));
    EXPECT_EQ(c.optional_integer(1), std::nullopt);
    EXPECT_EQ(c.number(2), Number(2.5));
    EXPECT_FALSE(c.flag(9));
    c.integer(2);
    return Tensor();
  });
  EXPECT_EQ(error_of([&] {
              dispatcher.call("aten::f", {tensor(DeviceKind::cpu), None{}, 2.5});
            }),
            "aten::f: argument 3 should be an integer but is a number: f(Tensor self) -> Tensor");
}

TEST_F(DispatcherTest, AnExceptionLeavesTheDispatcherAsItWas) {
  add(Key::CPU);
  dispatcher.define("aten::outer", "outer(Tensor self) -> Tensor");
  dispatcher.add_composite("aten::outer", "fails", [](Dispatcher& d, const Call& c) -> Tensor {
    const Dispatcher::Guard guard(d, {}, KeySet(Key::CPU));
    return d.call("aten::f", {c.tensor(0)});
  });
  EXPECT_THROW(dispatcher.call("aten::outer", {tensor(DeviceKind::cpu)}), OpError);
  EXPECT_TRUE(log.closed());
  dispatcher.call("aten::f", {tensor(DeviceKind::cpu)});
  EXPECT_EQ(ran, (std::vector<Key>{Key::CPU}));
}

TEST_F(DispatcherTest, TheMemoryOfADeviceThatIsNotThereIsAnError) {
  dispatcher.set_memory(cpu);
  EXPECT_EQ(&dispatcher.memory(DeviceKind::cpu), &cpu);
  EXPECT_THROW(dispatcher.memory(DeviceKind::cuda), OpError);
  EXPECT_THROW(dispatcher.define("aten::f", ""), OpError);
}

// Compares the dispatcher with a simple list-based version of the dispatch rule, for random tables and states.
TEST_F(DispatcherTest, TheHighestKeyWithAFunctionWins) {
  std::mt19937 random(7);
  const auto chance = [&](int of) { return std::uniform_int_distribution<int>(1, of)(random) == 1; };
  int ended = 0, refused = 0;
  for (int round = 0; round < 4000; ++round) {
    Log observed;
    Dispatcher d(&observed);
    d.define("aten::f", "f(Tensor self, Tensor other) -> Tensor");
    std::map<std::string, std::string> own;  // key -> effect
    std::vector<std::string> calls;
    const auto name_at = [](std::size_t k) { return std::string(name_of(static_cast<Key>(k))); };
    for (std::size_t k = 0; k < key_count; ++k) {
      if (!chance(3)) continue;
      const RegistrationKind kind = chance(3)   ? RegistrationKind::fallthrough
                                    : chance(2) ? RegistrationKind::redispatch
                                                : RegistrationKind::kernel;
      own[name_at(k)] = kind == RegistrationKind::fallthrough  ? "fallthrough"
                        : kind == RegistrationKind::redispatch ? "redispatch"
                                                               : "kernel";
      const Function function = [&calls, kind, k, name_at](Dispatcher& in, const Call& c) {
        calls.push_back(name_at(k));
        return kind == RegistrationKind::redispatch ? in.redispatch(c, c.keys.below(static_cast<Key>(k))) : c.tensor(0);
      };
      d.add("aten::f", static_cast<Key>(k), kind, "own", function);
    }
    const bool all = chance(4), composite = chance(4);
    if (all)
      d.add_any_backend("aten::f", "all", [&](Dispatcher&, const Call& c) {
        calls.push_back("all");
        return c.tensor(0);
      });
    if (composite)
      d.add_composite("aten::f", "composite", [&](Dispatcher&, const Call& c) {
        calls.push_back("composite");
        return c.tensor(0);
      });
    const Tensor a = tensor(chance(2) ? DeviceKind::cpu : DeviceKind::cuda,
                            chance(4) ? TensorLayout::sparse_coo : TensorLayout::strided);
    const Tensor b = tensor(chance(2) ? a.device() : DeviceKind::cpu);
    KeySet include, exclude;
    for (std::size_t k = 0; k < key_count; ++k) {
      if (chance(6)) include = include | KeySet(static_cast<Key>(k));
      if (chance(6)) exclude = exclude | KeySet(static_cast<Key>(k));
    }

    // The reference works with names in PyTorch's priority order.
    constexpr std::string_view order[] = {"AutocastCUDA",    "AutocastCPU",   "AutogradCUDA",  "AutogradCPU",
                                          "ADInplaceOrView", "BackendSelect", "SparseCsrCUDA", "SparseCsrCPU",
                                          "SparseCUDA",      "SparseCPU",     "CUDA",          "CPU"};
    const auto brings = [](const Tensor& t, std::string_view key) {
      const std::string device = t.device() == DeviceKind::cuda ? "CUDA" : "CPU";
      const std::string backend = (t.layout() == TensorLayout::strided ? "" : "Sparse") + device;
      return key == "ADInplaceOrView" || key == "Autograd" + device || key == backend;
    };
    const auto listed = [](KeySet set, std::string_view key) {
      const auto names = set.names();
      return std::find(names.begin(), names.end(), key) != names.end();
    };
    std::vector<std::string> expected_calls, expected_steps;
    bool fails = true;
    for (const std::string_view key : order) {
      const bool set = brings(a, key) || brings(b, key) || key == "BackendSelect" || listed(include, key);
      if (!set || listed(exclude, key)) continue;
      const bool functionality = key.starts_with("Auto") || key == "ADInplaceOrView" || key == "BackendSelect";
      const bool autograd = key.starts_with("Autograd");
      const auto at = own.find(std::string(key));
      std::string effect, called(key);
      if (at != own.end()) {
        effect = at->second;
      } else if (all && (key == "CPU" || key == "CUDA")) {
        effect = "kernel";
        called = "all";
      } else if (composite && (autograd || !functionality)) {
        effect = "composite";
        called = "composite";
      } else if (functionality) {
        effect = "fallthrough";
      } else {
        break;
      }
      expected_steps.push_back(std::string(key) + " " + effect);
      if (effect != "fallthrough") expected_calls.push_back(called);
      if (effect == "kernel" || effect == "composite") {
        fails = false;
        break;
      }
    }

    const Dispatcher::Guard guard(d, include, exclude);
    const std::string error = error_of([&] { d.call("aten::f", {a, b}); });
    std::vector<std::string> steps;
    for (const auto& step : observed.rows.at(0).steps) steps.push_back(step.key + " " + step.effect);
    ASSERT_EQ(!error.empty(), fails) << error;
    ASSERT_EQ(calls, expected_calls);
    ASSERT_EQ(steps, expected_steps);
    ++(fails ? refused : ended);
  }
  EXPECT_GT(ended, 500);
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace warpwalk::ops
