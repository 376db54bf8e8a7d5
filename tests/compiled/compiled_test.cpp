// Tests of the readers of compilers' files. The files are written here, in the form of PyTorch 2.7 and Triton 3.4.
#include <filesystem>
#include <fstream>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/compiled/fx_graph.h"
#include "core/compiled/inductor_output.h"
#include "core/compiled/open_compiled.h"
#include "core/compiled/torch_log.h"
#include "core/compiled/triton_files.h"
#include "core/compiled/triton_launch.h"
#include "core/platform/temporary_folder.h"

namespace warpwalk::compiled {
namespace {

using ::testing::ElementsAre;

constexpr std::string_view graph = R"(class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[8, 16]", arg1_1: "f32[16]"):
         # File: net.py:30 in forward, code: x = self.relu(x)
        relu: "f32[8, 16][16, 1]cuda:0" = torch.ops.aten.relu.default(arg0_1);  arg0_1 = None

        # No stacktrace found for following nodes
        add_tensor: "f32[8, 16]" = torch.ops.aten.add.Tensor(relu, arg1_1);  arg1_1 = None

         # File: a folder: of in/net.py:31 in forward, code: y = x in z
        sigmoid = torch.ops.aten.sigmoid.default(relu);  relu = None
        return (sigmoid, add_tensor)
)";

TEST(FxGraph, NodesHaveTheLineAboveThem) {
  const FxNodes nodes = read_fx_graph(graph);
  ASSERT_EQ(nodes.size(), 3U);
  EXPECT_EQ(nodes.at("relu").target, "torch.ops.aten.relu.default");
  EXPECT_EQ(nodes.at("relu").python, (PythonLine{"net.py", 30, "forward", "x = self.relu(x)"}));
  EXPECT_EQ(nodes.at("add_tensor").python.line, 0);
  EXPECT_EQ(nodes.at("sigmoid").python, (PythonLine{"a folder: of in/net.py", 31, "forward", "y = x in z"}));
}

TEST(FxGraph, ALineBeforeTheFirstIsNone) {
  EXPECT_EQ(read_fx_graph("# File: net.py:-3 in f, code: x\n    y = f(x)\n").at("y").python.line, 0);
}

constexpr std::string_view output = R"(# AOT ID: ['0_forward']
import torch
async_compile = AsyncCompile()

# kernel path: /tmp/torchinductor_me/bl/cbl.py
# Topologically Sorted Source Nodes: [add, x_1], Original ATen: [aten.addmm, aten.relu]
# Source node to ATen node mapping:
#   add => add_tensor
#   x_1 => relu
# Graph fragment:
#   %add_tensor : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%mm, %arg1_1), kwargs = {})
#   %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%add_tensor,), kwargs = {})
triton_poi_fused_addmm_relu_0 = async_compile.triton('triton_poi_fused_addmm_relu_0', '''
import triton

@triton.jit
def triton_poi_fused_addmm_relu_0(in_out_ptr0, xnumel, XBLOCK : tl.constexpr):
    pass
''', device_str='cuda')

cpp_fused_mul_1 = async_compile.cpp_pybinding(['const float*', 'float*'], '''
#include <torch/csrc/inductor/cpp_prefix.h>
''')

async_compile.wait(globals())
def call(args):
    # Topologically Sorted Source Nodes: [x], Original ATen: [aten.addmm]
    extern_kernels.mm(arg2_1, reinterpret_tensor(arg0_1, (10, 16), (1, 10), 0), out=buf0)
    # Topologically Sorted Source Nodes: [add, x_1], Original ATen: [aten.addmm, aten.relu]
    stream0 = get_raw_stream(0)
    triton_poi_fused_addmm_relu_0.run(buf0, 128, stream=stream0)
    buf2 = extern_kernels.convolution(buf1, arg3_1, stride=(1, 1))
)";

TEST(InductorOutput, HasKernelsAndWhatIsNotFused) {
  EXPECT_TRUE(is_inductor_output(output));
  EXPECT_FALSE(is_inductor_output("import torch\n"));
  EXPECT_FALSE(is_backward(output));
  EXPECT_TRUE(is_backward("# AOT ID: ['0_backward']\n"));
  const auto kernels = read_inductor_output(output);
  ASSERT_EQ(kernels.size(), 4U);
  EXPECT_EQ(kernels[0].name, "triton_poi_fused_addmm_relu_0");
  EXPECT_THAT(kernels[0].nodes, ElementsAre("add_tensor", "relu"));
  EXPECT_THAT(kernels[0].source_nodes, ElementsAre("add", "x_1"));
  EXPECT_THAT(kernels[0].ops, ElementsAre("aten.addmm", "aten.relu"));
  EXPECT_EQ(kernels[0].place("output.py"),
            (PythonLine{"/tmp/torchinductor_me/bl/cbl.py", 5, "triton_poi_fused_addmm_relu_0", ""}));
  InductorKernel without_path = kernels[0];
  without_path.path.clear();
  EXPECT_EQ(without_path.place("output.py").line, 17);
  EXPECT_EQ(kernels[1].name, "cpp_fused_mul_1");
  EXPECT_EQ(kernels[1].place("output.py").line, 0) << "not Triton's";
  EXPECT_EQ(kernels[2].name, "extern_kernels.mm");
  EXPECT_THAT(kernels[2].source_nodes, ElementsAre("x"));
  EXPECT_EQ(kernels[3].name, "extern_kernels.convolution");
  EXPECT_TRUE(kernels[3].source_nodes.empty()) << "the comment above is of the kernel before it";
}

/// A record of torch.compile's log, with the payload's lines behind it.
std::string log_record(std::string_view json, std::string_view payload = {}) {
  std::string text = "V0521 11:50:39.474000 3054118 torch/_dynamo/utils.py:1864] " + std::string(json) + "\n";
  while (!payload.empty()) {
    const std::size_t end = std::min(payload.find('\n'), payload.size());
    text += "\t" + std::string(payload.substr(0, end)) + "\n";
    payload.remove_prefix(std::min(end + 1, payload.size()));
  }
  return text;
}

std::string compile_log() {
  const std::string id = R"("frame_id": 0, "frame_compile_id": 1, "attempt": 0)";
  constexpr std::string_view given = R"(def forward(self, x):
     # File: net.py:29 in forward, code: x = self.fc1(x)
    x: "f32[8, 16]" = torch._C._nn.linear(l_x_, w, b)
     # File: net.py:30 in forward, code: x = self.relu(x)
    x_1: "f32[8, 16]" = torch.nn.functional.relu(x)
)";
  // In the backward pass, a node of the same name is of another line.
  constexpr std::string_view backward = R"(def forward(self, x):
     # File: net.py:99 in backward, code: loss.backward()
    relu: "f32[8, 16]" = torch.ops.aten.relu.default(x)
)";
  constexpr std::string_view compiled = R"(def forward(self, x):
    # No stacktrace found for following nodes
    add_tensor: "f32[8, 16]" = torch.ops.aten.add.Tensor(mm, arg1_1)
     # File: net.py:30 in forward, code: x = self.relu(x)
    relu: "f32[8, 16]" = torch.ops.aten.relu.default(add_tensor)
)";
  constexpr std::string_view origins =
      R"({"add_tensor": [{"name": "", "target": "", "from_node": []},
 {"name": "relu", "target": "aten.add", "from_node": [{"name": "addmm", "from_node": [{"name": "x", "from_node": []}]}]}]})";
  return log_record(R"({"str": ["net.py", 4]})") +
         log_record(R"({"artifact": {"name": "recompile_reasons", "encoding": "json"}, )" + id + "}",
                    "[\n\"0/0: tensor 'x' size mismatch at index 0. expected 2, actual 3\"\n]") +
         log_record(R"({"dynamo_start": {"stack": [{"line": 40)") +  // damaged
         log_record(R"({"dynamo_start": {"stack": [{"line": 28, "name": "forward", "filename": 4}]}, )" + id + "}") +
         log_record(R"({"dynamo_output_graph": {"sizes": {}}, )" + id + "}", given) +
         log_record(R"({"aot_forward_graph": {}, )" + id + "}", given) +
         log_record(R"({"aot_backward_graph": {}, )" + id + "}", backward) +
         log_record(R"({"artifact": {"name": "after_post_grad_graph", "encoding": "string"}, )" + id + "}", compiled) +
         log_record(R"({"artifact": {"name": "inductor_post_to_pre_grad_nodes", "encoding": "json"}, )" + id + "}",
                    origins) +
         log_record(R"({"inductor_output_code": {"filename": "/tmp/o.py"}, )" + id + "}", output);
}

TEST(TorchLog, LeadsFromAKernelToTheLinesOfItsNodes) {
  const std::string log = compile_log();
  EXPECT_TRUE(is_torch_log(log));
  EXPECT_TRUE(is_torch_log("[rank0]:" + log));
  EXPECT_FALSE(is_torch_log("{\"traceEvents\": []}"));
  Compiled all;
  read_torch_log(log, "a.log", all);
  ASSERT_EQ(all.kernels.size(), 2U);
  const CompiledKernel& kernel = all.kernels[0];
  EXPECT_EQ(kernel.compile_id, "0/1");
  EXPECT_THAT(kernel.python, ElementsAre(PythonLine{"net.py", 29, "forward", "x = self.fc1(x)"},
                                         PythonLine{"net.py", 30, "forward", "x = self.relu(x)"}));
  ASSERT_EQ(kernel.fx.size(), 2U);
  EXPECT_EQ(kernel.fx[0].target, "torch.ops.aten.add.Tensor");
  EXPECT_EQ(kernel.fx[0].python.line, 29) << "by what the pass made it from";
  EXPECT_THAT(all.kernels[1].python, ElementsAre(PythonLine{"net.py", 28, "forward", ""})) << "without nodes";
  ASSERT_EQ(all.library_calls.size(), 2U);
  EXPECT_EQ(all.library_calls[0].fx.at(0).python.line, 29);
  ASSERT_EQ(all.events.size(), 1U);
  EXPECT_EQ(all.events[0].reason, "0/0: tensor 'x' size mismatch at index 0. expected 2, actual 3");
  EXPECT_EQ(all.events[0].python.line, 28) << "the function, which the log names later";
  EXPECT_THAT(all.problems, ElementsAre("a.log: damaged records, which were left out: 1"));
}

// PyTorch 2.11 writes the reasons as text.
TEST(TorchLog, ReasonsInWords) {
  const std::string id = R"("frame_id": 1, "frame_compile_id": 0, "attempt": 0)";
  const std::string log =
      log_record(R"({"artifact": {"name": "recompile_reasons", "encoding": "json"}, )" + id + "}",
                 "0/0: tensor 'x' size mismatch at index 0. expected 64, actual 96") +
      log_record(R"({"artifact": {"name": "dynamo_graph_break_reason", "encoding": "string"}, )" + id + "}",
                 R"(Graph break in user code at /home/a/net.py:18
Graph Break Reason: Encountered graph break when attempting to trace CALL: a function call:

Unsupported Tensor.item() call
  Explanation: Dynamo does not support tracing `Tensor.item()`.
  Hint: Set `torch._dynamo.config.capture_scalar_outputs = True`.

User code traceback:
  File "/home/a/net.py", line 20, in <module>
    broken(x)
  File "/home/a/net.py", line 18, in broken
    print("sum", y.sum().item())

Traceback (most recent call last):
  File "/home/a/net.py", line 18, in another
    not this one
)");
  Compiled all;
  read_torch_log(log, "a.log", all);
  ASSERT_EQ(all.events.size(), 2U);
  EXPECT_EQ(all.events[0].kind, CompileEvent::Kind::recompilation);
  EXPECT_EQ(all.events[0].reason, "0/0: tensor 'x' size mismatch at index 0. expected 64, actual 96");
  EXPECT_EQ(all.events[1].kind, CompileEvent::Kind::graph_break);
  EXPECT_EQ(all.events[1].reason,
            "Encountered graph break when attempting to trace CALL: a function call:  Unsupported Tensor.item() call");
  EXPECT_THAT(all.events[1].hints, ElementsAre("Set `torch._dynamo.config.capture_scalar_outputs = True`."));
  EXPECT_EQ(all.events[1].python, (PythonLine{"/home/a/net.py", 18, "broken", "print(\"sum\", y.sum().item())"}));
}

TEST(TritonLaunch, ParametersOfTheTtir) {
  const auto shown = [](std::string_view ttir) {
    std::vector<std::string> texts;
    for (const TritonParameter& one : triton_parameters(ttir, "k"))
      texts.push_back(one.name + (one.pointer ? " *" : " ") + one.dtype);
    return texts;
  };
  EXPECT_THAT(
      shown("module {\n  tt.func public @k(%x_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc(\"x_ptr\"(#loc)), "
            "%flag: i1 loc(\"flag\"(#loc)), %list: !tt.ptr<!tt.ptr<f16>>, %low: !tt.ptr<f8E4M3FN, 1>, %n: i64) "
            "attributes {noinline = false} {"),
      ElementsAre("x_ptr *f32", "flag u8", "list *u64", "low *u8", "n i64"));
  // Triton 3.2: the names are in the locations.
  EXPECT_THAT(shown("tt.func public @k(%arg0: !tt.ptr<bf16> {a = 1 : i32} loc(\"a, (b\"(#loc)), "
                    "%arg1: f32 loc(\"k.py\":3:0)) -> () {"),
              ElementsAre("a, (b *bf16", "arg1 f32"));
  EXPECT_THAT(shown("tt.func public @k(%d: !tt.tensordesc<tensor<16x32xf16>>) {"), ElementsAre("d "));
  EXPECT_THAT(shown("tt.func public @k() {"), ElementsAre());
  EXPECT_THAT(shown("tt.func public @another(%x: i32) {"), ElementsAre());
  EXPECT_THAT(shown("tt.func public @k(%x: !tt.ptr<f32"), ElementsAre());
}

constexpr std::string_view metadata =
    R"({"hash": "ab", "target": {"backend": "cuda", "arch": 90, "warp_size": 32}, "num_warps": 4, "num_ctas": 1,
 "num_stages": 3, "shared": 1024, "name": "triton_poi_fused_addmm_relu_0"})";
constexpr std::string_view ttir =
    "#loc = loc(\"/tmp/torchinductor_me/bl/cbl.py\":5:0)\n#loc1 = loc(unknown)\n#loc2 = loc(\"x\"(#loc))\nmodule {\n";

TEST(TritonFiles, PlaceIsTheFirstLocation) {
  EXPECT_EQ(triton_place(ttir).line, 5);
  EXPECT_EQ(triton_place("#loc9 = loc(\"x_ptr\"(#loc))\n#loc = loc(\"k.py\":12:3)\n"),
            (PythonLine{"k.py", 12, "", ""}));
  EXPECT_EQ(triton_place("module {}").line, 0);
  EXPECT_EQ(triton_place("#loc = loc(\"k.py\":-5:0)\n").line, 0);
}

constexpr std::string_view tritonparse_log =
    R"json({"event_type": "launch", "pid": 1}
{"event_type":"compilation","pid":1,"stack":[{"line":72,"name":"<module>","filename":"t.py","loc":"main()"},)json"
    R"json({"line":44,"name":"main","filename":"t.py","loc":"add[g](a, b)"},)json"
    R"json({"line":9,"name":"run","filename":"/triton/runtime/jit.py"},)json"
    R"json({"line":1,"name":"hook","filename":"/src/hook.py"}],)json"
    R"json("payload":{"metadata":{"num_warps":8,"name":"add","shared":0,)json"
    R"json("target":{"arch":75}},)json"
    R"json("file_path":{"add.ttir":"/c/H/add.ttir","add.cubin":"/c/H/add.cubin"},)json"
    R"json("python_source":{"file_path":"t.py","start_line":20,)json"
    R"json("code":"@triton.jit\ndef add(\n"}}}
{"event_type": )json";

TEST(TritonparseLog, HasTheLineThatLaunches) {
  EXPECT_TRUE(is_tritonparse_log(tritonparse_log));
  Compiled all;
  read_tritonparse_log(tritonparse_log, "t.ndjson", all);
  ASSERT_EQ(all.kernels.size(), 1U);
  EXPECT_THAT(all.kernels[0].python, ElementsAre(PythonLine{"t.py", 44, "main", "add[g](a, b)"}));
  EXPECT_EQ(all.kernels[0].triton.line, 21);
  EXPECT_EQ(all.kernels[0].files.at("cubin"), "/c/H/add.cubin");
  EXPECT_EQ(all.kernels[0].target, "sm_75");
  EXPECT_THAT(all.problems, ElementsAre("t.ndjson: damaged lines, which were left out: 1"));
}

class CompiledFolder : public ::testing::Test {
 protected:
  void write(const std::filesystem::path& name, std::string_view text) {
    std::filesystem::create_directories((folder_.path() / name).parent_path());
    std::ofstream(folder_.path() / name, std::ios::binary) << text;
  }
  void write_entry(const std::string& hash) {
    write(hash + "/triton_poi_fused_addmm_relu_0.json", metadata);
    write(hash + "/triton_poi_fused_addmm_relu_0.ttir", ttir);
    write(hash + "/triton_poi_fused_addmm_relu_0.cubin", "ELF");
    write(hash + "/__grp__triton_poi_fused_addmm_relu_0.json", "{\"child_paths\": {}}");
  }
  platform::TemporaryFolder folder_;
};

TEST_F(CompiledFolder, FilesOfOneKernelAreJoined) {
  write_entry("triton/0/AAAA");
  write_entry("triton/0/BBBB");  // as autotuning makes them
  write("logs/dedicated_log_torch_trace_x.log", compile_log());
  write("o/cabc.py", output);
  write("deeper/trace.json", "{\"traceEvents\": []}");
  const auto opened = open_compiled(folder_.path());
  ASSERT_TRUE(opened) << opened.error();
  ASSERT_TRUE(*opened);
  const Compiled& all = **opened;
  ASSERT_EQ(all.kernels.size(), 3U);
  EXPECT_EQ(all.kernels[0].name, "triton_poi_fused_addmm_relu_0");
  EXPECT_EQ(all.kernels[1].name, "cpp_fused_mul_1");
  EXPECT_EQ(all.kernels[2].name, "triton_poi_fused_addmm_relu_0");
  for (const std::size_t i : {0, 2}) {
    const CompiledKernel& kernel = all.kernels[i];
    EXPECT_EQ(kernel.python.size(), 2U) << i;
    EXPECT_EQ(kernel.warps, 4);
    EXPECT_EQ(kernel.shared_bytes, 1024);
    EXPECT_EQ(kernel.target, "sm_90");
    EXPECT_EQ(kernel.files.size(), 3U);
    EXPECT_EQ(kernel.triton.line, 5);
  }
  EXPECT_NE(all.kernels[0].files.at("cubin"), all.kernels[2].files.at("cubin"));
}

TEST_F(CompiledFolder, AnyFileOfAnEntryOpensIt) {
  write_entry("AAAA");
  for (const char* const ending : {"json", "ttir", "cubin"}) {
    const auto opened =
        open_compiled(folder_.path() / "AAAA" / ("triton_poi_fused_addmm_relu_0." + std::string(ending)));
    ASSERT_TRUE(opened && *opened) << ending;
    ASSERT_EQ((*opened)->kernels.size(), 1U);
    EXPECT_EQ((*opened)->kernels[0].triton.file, "/tmp/torchinductor_me/bl/cbl.py");
  }
}

TEST_F(CompiledFolder, TracesComeFirst) {
  write_entry("AAAA");
  write("rank0.json", "{\n  \"schemaVersion\": 1,\n");
  const auto opened = open_compiled(folder_.path());
  ASSERT_TRUE(opened) << opened.error();
  EXPECT_FALSE(*opened);
}

TEST_F(CompiledFolder, OtherFilesAreNone) {
  write("trace.json", "{\"traceEvents\": []}");
  write("kernel.cubin", "ELF");
  write("train.py", "import torch\n");
  for (const char* const name : {"", "trace.json", "kernel.cubin", "train.py", "missing"}) {
    const auto opened = open_compiled(folder_.path() / name);
    ASSERT_TRUE(opened) << opened.error();
    EXPECT_FALSE(*opened) << name;
  }
}

}  // namespace
}  // namespace warpwalk::compiled
