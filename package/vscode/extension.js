// Starts `warpwalk debug` as the debug adapter, and offers its own requests as commands.
"use strict";
const fs = require("fs");
const path = require("path");
const vscode = require("vscode");
const picture = require("./picture");

function session() {
  const active = vscode.debug.activeDebugSession;
  if (active && active.type === "warpwalk") return active;
  vscode.window.showInformationMessage("Nothing is debugged with warpwalk.");
  return undefined;
}

async function ask(command, args) {
  const active = session();
  try {
    return active && (await active.customRequest(command, args));
  } catch {
    return undefined; // VS Code shows the adapter's line
  }
}

// The selection of the editor, or the word at the cursor.
function selected() {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const word = editor.selection.isEmpty ? editor.document.getWordRangeAtPosition(editor.selection.active) : editor.selection;
  return word && editor.document.getText(word);
}

// From the menu of a variable, or with an expression that is asked for.
async function whoWrote(item) {
  const variable = item && item.variable;
  const expression = variable
    ? variable.evaluateName || variable.name
    : await vscode.window.showInputBox({ prompt: "An element or a register: a[3], R4", value: selected() });
  if (expression) await goBack(expression, { expression });
}

// Asks, says what was found, and goes on with what it was computed from, if that is chosen.
async function goBack(what, question) {
  const answer = await ask("warpwalk/whoWrote", question);
  if (!answer) return;
  if (!answer.written) {
    const later = answer.later ? `; ${answer.later.thread} writes it later, in line ${answer.later.line}` : "";
    vscode.window.showInformationMessage(`${what}: ${answer.before}${later}`);
    return;
  }
  const line = answer.line ? `, line ${answer.line}` : "";
  const text = `${what}: written by ${answer.thread}${line}: ${answer.instruction}`;
  // A loop reads the same place several times; the last one counts.
  const reads = new Map(answer.reads.map((read, number) => [read.expression, { ...read, number }]));
  const from = [...reads.values()].map((read) => `; from ${read.expression}${read.value ? " = " + read.value : ""}`).join("");
  const choices = [...reads.values()].slice(-3).map((read) => ({ title: `Who wrote ${read.expression}?`, read }));
  const chosen = await vscode.window.showInformationMessage(text + from, ...choices);
  if (chosen) await goBack(chosen.read.expression, { read: chosen.read.number });
}

async function goToCycle() {
  const text = await vscode.window.showInputBox({ prompt: "The cycle of the launch" });
  if (text) await ask("warpwalk/goToCycle", { cycle: Number(text) });
}

async function focus() {
  const text = await vscode.window.showInputBox({ prompt: "Block and thread: 1,0,0 37,0,0" });
  if (!text) return;
  const [block, thread] = text.trim().split(/\s+/).map((part) => part.split(",").map(Number));
  await ask("warpwalk/focus", thread ? { block, thread } : { block });
}

// The program, or undefined if it is not there: VS Code says nothing of an adapter that cannot be started.
function program() {
  const given = vscode.workspace.getConfiguration("warpwalk").get("path");
  const folders = path.isAbsolute(given) ? [""] : (process.env.PATH || "").split(path.delimiter);
  const files = folders.map((folder) => path.join(folder, given));
  return files.find((file) => {
    try {
      fs.accessSync(file, fs.constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

// Before a session begins.
async function resolve(folder, configuration) {
  if (!configuration.type) {
    // F5 without a launch.json.
    const file = vscode.window.activeTextEditor && vscode.window.activeTextEditor.document.fileName;
    configuration = { type: "warpwalk", request: "launch", name: "Kernel, both ways", program: file };
  }
  if (program()) return configuration;
  const settings = "Open Settings";
  const chosen = await vscode.window.showErrorMessage(
    "The program warpwalk was not found. Install it (pip install, or the .deb), or name it in the setting warpwalk.path.",
    settings);
  if (chosen === settings) vscode.commands.executeCommand("workbench.action.openSettings", "warpwalk.path");
  return undefined;
}

exports.activate = (context) => {
  picture.register(context, program);
  context.subscriptions.push(
    vscode.debug.registerDebugConfigurationProvider("warpwalk", { resolveDebugConfiguration: resolve }),
    vscode.debug.registerDebugAdapterDescriptorFactory("warpwalk", {
      createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable(program(), ["debug"]),
    }),
    vscode.commands.registerCommand("warpwalk.whoWrote", whoWrote),
    vscode.commands.registerCommand("warpwalk.goToCycle", goToCycle),
    vscode.commands.registerCommand("warpwalk.focus", focus)
  );
};

exports.deactivate = () => {};
