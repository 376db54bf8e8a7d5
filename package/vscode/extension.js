// Starts `warpwalk debug` as the debug adapter, and offers its own requests as commands.
"use strict";
const vscode = require("vscode");

function session() {
  const active = vscode.debug.activeDebugSession;
  if (active && active.type === "warpwalk") return active;
  vscode.window.showInformationMessage("Nothing is debugged with warpwalk.");
  return undefined;
}

async function ask(command, args) {
  const active = session();
  if (!active) return undefined;
  try {
    return await active.customRequest(command, args);
  } catch (error) {
    vscode.window.showErrorMessage(error.message);
    return undefined;
  }
}

// From the menu of a variable, or with an expression that is asked for.
async function whoWrote(item) {
  let expression = item && item.variable ? item.variable.evaluateName || item.variable.name : undefined;
  if (!expression)
    expression = await vscode.window.showInputBox({ prompt: "An element or a register: a[3], R4" });
  if (!expression) return;
  const answer = await ask("warpwalk/whoWrote", { expression });
  if (!answer) return;
  const text = answer.written
    ? `${expression}: written by ${answer.thread}, ${answer.instruction}` +
      (answer.line ? `, line ${answer.line}` : "") +
      answer.reads.map((read) => `; from ${read.expression}${read.value ? " = " + read.value : ""}`).join("")
    : `${expression}: ${answer.before}`;
  vscode.window.showInformationMessage(text);
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

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("warpwalk", {
      createDebugAdapterDescriptor: () =>
        new vscode.DebugAdapterExecutable(vscode.workspace.getConfiguration("warpwalk").get("path"), ["debug"]),
    }),
    vscode.commands.registerCommand("warpwalk.whoWrote", whoWrote),
    vscode.commands.registerCommand("warpwalk.goToCycle", goToCycle),
    vscode.commands.registerCommand("warpwalk.focus", focus)
  );
};

exports.deactivate = () => {};
