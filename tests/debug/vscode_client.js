// The sessions of sessions.json with VS Code's own library for tests of debug adapters, which is not among the tests of
// CTest: npm install @vscode/debugadapter-testsupport && node vscode_client.js WARPWALK
"use strict";
const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { DebugClient } = require(require.resolve("@vscode/debugadapter-testsupport", { paths: [process.cwd()] }));

const described = JSON.parse(fs.readFileSync(path.join(__dirname, "sessions.json"), "utf8"));
const kernels = path.join(__dirname, described.kernels);
const lineOf = (kernel, text) =>
  1 + fs.readFileSync(path.join(kernels, kernel, "kernel.cu"), "utf8").split("\n").findIndex((line) => line.includes(text));

async function withClient(session) {
  const client = new DebugClient(process.argv[2], "debug", "warpwalk");
  await client.start();
  await session(client);
  await client.stop();
}

// Whether there is such a value at a path; * is any element of an array.
function has(value, steps, expected) {
  if (steps.length === 0) return typeof expected === "string" ? String(value).includes(expected) : value === expected;
  if (value === undefined || value === null) return false;
  const [first, ...rest] = steps;
  return first === "*" ? value.some((element) => has(element, rest, expected)) : has(value[first], rest, expected);
}

// One session of the file.
async function run(client, session) {
  const source = path.join(kernels, session.kernel, "kernel.cu");
  let answer = {}, thread = 1;
  const meaning = (given) => {
    if (Array.isArray(given)) return given.map(meaning);
    if (given !== null && typeof given === "object")
      return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, meaning(value)]));
    if (typeof given !== "string" || !given.startsWith("$")) return given;
    const [word] = given.split(" ", 1);
    if (word === "$line") return lineOf(session.kernel, given.slice(word.length + 1));
    return { $thread: thread, $source: source, $read: (answer.reads || []).length - 1, $data: answer.dataId }[word];
  };
  await Promise.all([
    client.waitForEvent("initialized").then(() => client.configurationDoneRequest()),
    client.launch({ program: path.join(kernels, session.kernel, "launch.json"), code: described.code }),
    client.assertStoppedLocation("entry", {}),
  ]);
  assert(session.steps.length <= 6, session.name);
  for (const step of session.steps) {
    const stopped = step.stop && client.waitForEvent("stopped");
    answer = (await client.customRequest(step.request, meaning(step.arguments || {}))).body || {};
    for (const [at, expected] of Object.entries(step.answer || {}))
      assert(has(answer, at.split("."), meaning(expected)), `${session.name}: ${at} of ${JSON.stringify(answer)}`);
    if (!step.stop) continue;
    const stop = (await stopped).body;
    thread = stop.threadId;
    assert((stop.description || "").includes(step.stop.text || ""), `${session.name}: ${stop.description}`);
    if (!step.stop.line) continue;
    const frame = (await client.stackTraceRequest({ threadId: thread })).body.stackFrames[0];
    assert.strictEqual(frame.line, meaning(step.stop.line), session.name);
    assert.strictEqual(frame.source.path, source);
  }
}

// A line breakpoint as the library sets it, and 20 steps forwards and back.
async function bothWays(client, kernel) {
  const source = path.join(kernels, kernel, "kernel.cu");
  const program = path.join(kernels, kernel, "launch.json");
  await client.hitBreakpoint({ program, stopOnEntry: false }, { path: source, line: lineOf(kernel, "BUG:") });
  const threadId = (await client.threadsRequest()).body.threads[0].id;
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
  await move(client.reverseContinueRequest({ threadId }));
}

async function main() {
  for (const session of described.sessions) {
    await withClient((client) => run(client, session));
    console.log(`${session.kernel}: ${session.name}: ${session.steps.length} requests`);
  }
  for (const kernel of ["stale_tile", "off_by_one"]) await withClient((client) => bothWays(client, kernel));
  console.log(`${described.sessions.length} sessions, and 20 steps forwards and back of two kernels`);
}

main().then(() => process.exit(0), (error) => {
  console.error(error);
  process.exit(1);
});
