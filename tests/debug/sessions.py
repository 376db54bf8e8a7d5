#!/usr/bin/env python3
"""Sessions with the program: sessions.py WARPWALK. The Debug Adapter Protocol on stdin and stdout and on a port, and
the commands. Only Python's own library is needed."""
import base64
import contextlib
import json
import os
import pathlib
import re
import socket
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
KERNELS = TESTS / "history/wrong_output"


class Client:
    """Writes requests to one stream and reads messages from another."""

    def __init__(self, out, into):
        self.out, self.into, self.sequence, self.events = out, into, 0, []

    def read(self):
        length = None
        while line := self.into.readline().strip():
            name, value = line.split(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(self.into.read(length))

    def request(self, command, **arguments):
        self.sequence += 1
        text = json.dumps({"seq": self.sequence, "type": "request", "command": command,
                           "arguments": arguments}).encode()
        self.out.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.out.flush()
        self.events = []
        while True:
            message = self.read()
            if message["type"] == "event":
                self.events.append(message)
            elif message["request_seq"] == self.sequence:
                return message

    def stopped(self):
        """The next event `stopped`."""
        while True:
            message = self.read()
            if message.get("event") == "stopped":
                return message["body"]


def line_with(kernel, text):
    lines = (KERNELS / kernel / "kernel.cu").read_text().splitlines()
    return 1 + next(i for i, line in enumerate(lines) if text in line)


def bug_line(kernel):
    return line_with(kernel, "BUG:")


class Session:
    """One of sessions.json."""

    def __init__(self, client, described, code):
        self.client, self.described, self.kernel = client, described, described["kernel"]
        self.answer, self.thread = {}, 1
        launched = client.request("launch", program=str(KERNELS / self.kernel / "launch.json"), code=code)
        assert launched["success"], launched
        client.request("configurationDone")
        self.thread = client.stopped()["threadId"]

    def value(self, given):
        """What a value of the file stands for."""
        if isinstance(given, dict):
            return {name: self.value(value) for name, value in given.items()}
        if isinstance(given, list):
            return [self.value(value) for value in given]
        if not isinstance(given, str) or not given.startswith("$"):
            return given
        word, _, text = given.partition(" ")
        return {"$thread": lambda: self.thread, "$source": lambda: str(KERNELS / self.kernel / "kernel.cu"),
                "$line": lambda: line_with(self.kernel, text), "$read": lambda: len(self.answer["reads"]) - 1,
                "$data": lambda: self.answer["dataId"]}[word]()

    def run(self):
        assert len(self.described["steps"]) <= 6, self.described
        for step in self.described["steps"]:
            response = self.client.request(step["request"], **self.value(step.get("arguments", {})))
            assert response["success"], (step, response)
            self.answer = response.get("body", {})
            for path, expected in step.get("answer", {}).items():
                assert has(self.answer, path.split("."), self.value(expected)), (self.described["name"], path, response)
            if "stop" in step:
                self.check_stop(step["stop"])

    def check_stop(self, expected):
        stop = self.client.stopped()
        self.thread = stop["threadId"]
        assert expected.get("text", "") in stop.get("description", ""), (self.described["name"], stop)
        if "line" in expected:
            frames = self.client.request("stackTrace", threadId=self.thread)["body"]["stackFrames"]
            assert frames[0]["line"] == self.value(expected["line"]), (self.described["name"], frames)
            assert frames[0]["source"]["path"] == str(KERNELS / self.kernel / "kernel.cu"), frames


def has(value, path, expected):
    """Whether there is such a value at a path; `*` is any element of an array."""
    if not path:
        return expected in value if isinstance(expected, str) else value == expected
    if path[0] == "*":
        return any(has(element, path[1:], expected) for element in value)
    return path[0] in value and has(value[path[0]], path[1:], expected)


def all_sessions(client_of, most=None):
    """Each session, or the first ones, with a client of its own."""
    described = json.loads((TESTS / "debug/sessions.json").read_text())
    assert {session["kernel"] for session in described["sessions"]} == {folder.name for folder in KERNELS.iterdir()}
    for session in described["sessions"][:most]:
        with client_of() as client:
            assert client.request("initialize", adapterID="warpwalk")["body"]["supportsStepBack"]
            Session(client, session, described["code"]).run()
            client.request("disconnect")


@contextlib.contextmanager
def adapter_on_pipes(program):
    with subprocess.Popen([program, "debug"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as adapter:
        yield Client(adapter.stdin, adapter.stdout)
        assert adapter.wait(60) == 0


def over_a_port(program):
    """One client after another."""
    with subprocess.Popen([program, "debug", "--port", "0"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as adapter:
        port = int(re.search(rb":(\d+)", adapter.stderr.readline()).group(1))

        @contextlib.contextmanager
        def connected():
            with socket.create_connection(("127.0.0.1", port)) as connection:
                stream = connection.makefile("rwb")
                yield Client(stream, stream)
                stream.close()

        all_sessions(connected, 2)
        adapter.kill()


def pictures(program):
    """A picture of the moment of a stop shows the instruction that the thread stands at."""
    with adapter_on_pipes(program) as client:
        client.request("initialize", adapterID="warpwalk")
        stop = Session(client, {"kernel": "stale_tile", "steps": [
            {"request": "setBreakpoints", "arguments": {"source": {"path": "$source"}, "breakpoints": [
                {"line": "$line sum +=", "condition": "threadIdx.x == 37 && blockIdx.x == 1"}]}},
            {"request": "continue", "stop": {"line": "$line sum +="}}]}, "ptx")
        stop.run()
        moment = client.request("warpwalk/moment", threadId=stop.thread)["body"]
        assert (moment["block"], moment["warp"], moment["lane"]) == (1, 1, 5), moment
        frame = client.request("stackTrace", threadId=stop.thread)["body"]["stackFrames"][0]
        code = client.request("disassemble", memoryReference=frame["instructionPointerReference"], instructionCount=1)
        client.request("disconnect")
    instruction = code["body"]["instructions"][0]["instruction"]
    asked = [{"id": 7, **{name: moment[name] for name in ("cycle", "block", "warp", "lane")}}, {"id": 8, "block": 99}, []]
    drawn = subprocess.run([program, *moment["pictures"]], input="".join(json.dumps(line) + "\n" for line in asked),
                           capture_output=True, text=True)
    assert drawn.returncode == 0, drawn
    ready, answer, *refused = map(json.loads, drawn.stdout.splitlines())
    assert ready["cycles"] > 0 and answer["id"] == 7, (ready, answer)
    schedulers, lanes = answer["pictures"]
    assert schedulers["title"] == f"Cycle {moment['cycle']:,}: warp 1 of block 1", schedulers["title"]
    assert lanes["title"] == f"Cycle {moment['cycle']:,}: 32 lanes of warp 1 of block 1", lanes["title"]
    assert lanes["text"] == instruction, (lanes["text"], instruction)
    assert all(base64.b64decode(picture["png"]).startswith(b"\x89PNG") for picture in answer["pictures"])
    assert len(refused) == 2 and all("error" in line for line in refused), refused
    walk = TESTS.parent / "assets/walks/h200_relu_matmul_inside.json.gz"
    bad = subprocess.run([program, "render", "--moments", "--launch", "9", walk], capture_output=True, text=True)
    assert bad.returncode == 2 and bad.stderr.endswith("there is no launch 9\n"), bad


def commands(program):
    def run(kernel, *lines):
        options = [word for line in lines for word in ("--command", line)]
        return subprocess.run([program, "debug", str(KERNELS / kernel / "launch.json"), *options],
                              capture_output=True, text=True, stdin=subprocess.DEVNULL)

    done = run("stale_tile", f"break kernel.cu:{bug_line('stale_tile')} if threadIdx.x == 37 && blockIdx.x == 1", "run",
               "bt", "info warps", "print x[3]", "step", "reverse-step", "info line")
    assert done.returncode == 0, done
    assert "block (1,0,0), thread (37,0,0)" in done.stdout, done.stdout
    assert "x[3] = 3\n" in done.stdout, done.stdout
    assert done.stdout.count("BUG:") >= 3, done.stdout
    done = run("stale_tile", "watch y[0]", "run", "continue")
    assert "y[0] changes from 0 to 315" in done.stdout, done.stdout
    bad = run("stale_tile", "break other.cu:1", "run")
    assert bad.returncode == 2 and bad.stderr.count("\n") == 1, bad
    assert run("no_such_kernel", "run").returncode == 2
    dump = [program, "debug", str(TESTS / "crash/data/shared.core.gz"), "--command"]
    done = subprocess.run([*dump, "bt"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0 and done.stdout.startswith("#0  scatter at "), done
    bad = subprocess.run([*dump, "step"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert bad.returncode == 2 and "can only be looked at" in bad.stderr and bad.stderr.count("\n") == 1, bad

    # Words behind -- are the program's own, with a - too.
    bad = subprocess.run([program, "debug", "--command", "run", "--", "/bin/echo", "-x"], capture_output=True, text=True,
                         stdin=subprocess.DEVNULL)
    assert bad.returncode == 2 and bad.stderr.startswith("-x\n") and "no launch to debug" in bad.stderr, bad


def main():
    program = os.path.abspath(sys.argv[1])
    all_sessions(lambda: adapter_on_pipes(program))
    over_a_port(program)
    pictures(program)
    commands(program)


if __name__ == "__main__":
    main()
