// Sessions with VS Code's own library for tests of debug adapters, which is not among the tests of CTest:
//   npm install @vscode/debugadapter-testsupport && node vscode_client.js WARPWALK
"use strict";
const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { DebugClient } = require(require.resolve("@vscode/debugadapter-testsupport", { paths: [process.cwd()] }));

const kernels = path.join(__dirname, "../history/wrong_output");
const lineOf = (kernel, text) =>
  1 + fs.readFileSync(path.join(kernels, kernel, "kernel.cu"), "utf8").split("\n").findIndex((line) => line.includes(text));

async function withClient(kernel, session) {
  const client = new DebugClient(process.argv[2], "debug", "warpwalk");
  await client.start();
  const program = path.join(kernels, kernel, "launch.json");
  await session(client, program, path.join(kernels, kernel, "kernel.cu"));
  await client.stop();
}

async function main() {
  await withClient("stale_tile", async (client, program, source) => {
    const line = lineOf("stale_tile", "sum +=");
    await client.hitBreakpoint({ program, stopOnEntry: false }, { path: source, line });
    const stopped = (await client.threadsRequest()).body.threads;
    assert.strictEqual(stopped.length, 2);
    const threadId = stopped[0].id;
    const here = (await client.stackTraceRequest({ threadId })).body.stackFrames[0].line;
    await Promise.all([client.stepInRequest({ threadId }), client.waitForEvent("stopped")]);
    await Promise.all([client.stepBackRequest({ threadId }), client.waitForEvent("stopped")]);
    assert.strictEqual((await client.stackTraceRequest({ threadId })).body.stackFrames[0].line, here);
    await Promise.all([client.reverseContinueRequest({ threadId }), client.waitForEvent("stopped")]);
  });
  for (const kernel of ["stale_tile", "off_by_one"])
    await withClient(kernel, async (client, program) => {
      await Promise.all([
        client.waitForEvent("initialized").then(() => client.configurationDoneRequest()),
        client.launch({ program }),
        client.assertStoppedLocation("entry", {}),
      ]);
      const threadId = 1;
      const seen = [];
      const look = async () =>
        (await client.stackTraceRequest({ threadId })).body.stackFrames
          .map((frame) => `${frame.name}:${frame.line}:${frame.instructionPointerReference}`)
          .join();
      seen.push(await look());
      const move = (request) => Promise.all([request, client.waitForEvent("stopped")]);
      for (let i = 0; i < 20; ++i) {
        await move(client.stepInRequest({ threadId, granularity: "instruction" }));
        seen.push(await look());
      }
      for (let i = seen.length - 2; i >= 0; --i) {
        await move(client.stepBackRequest({ threadId, granularity: "instruction" }));
        assert.strictEqual(await look(), seen[i]);
      }
    });
  console.log("all sessions are as they should be");
}

main().then(() => process.exit(0), (error) => {
  console.error(error);
  process.exit(1);
});
