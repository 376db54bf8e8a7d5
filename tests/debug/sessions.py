#!/usr/bin/env python3
"""Sessions with the program: sessions.py WARPWALK. The Debug Adapter Protocol on stdin and stdout and on a port, and
the commands. Only Python's own library is needed."""
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


def bug_line(kernel):
    lines = (KERNELS / kernel / "kernel.cu").read_text().splitlines()
    return 1 + next(i for i, line in enumerate(lines) if "BUG:" in line)


def hunt(client):
    """The planted bug of a kernel, from its first wrong element, in at most six requests."""
    assert client.request("initialize", adapterID="warpwalk")["body"]["supportsStepBack"]
    launched = client.request("launch", program=str(KERNELS / "stale_tile/launch.json"))
    assert launched["success"], launched
    client.request("configurationDone")
    assert client.stopped()["reason"] == "entry"
    client.request("continue", threadId=1)
    assert client.stopped()["description"] == "the launch has ended"
    answer = client.request("warpwalk/whoWrote", expression="y[0]")["body"]
    client.stopped()
    back = client.request("warpwalk/whoWrote", read=len(answer["reads"]) - 1)["body"]
    stop = client.stopped()
    assert back["line"] == bug_line("stale_tile"), back
    frame = client.request("stackTrace", threadId=stop["threadId"])["body"]["stackFrames"][0]
    assert frame["line"] == bug_line("stale_tile"), frame
    assert frame["source"]["path"] == str(KERNELS / "stale_tile/kernel.cu"), frame
    client.request("disconnect")


def over_stdio(program):
    with subprocess.Popen([program, "debug"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as adapter:
        hunt(Client(adapter.stdin, adapter.stdout))
        assert adapter.wait(60) == 0


def over_a_port(program):
    with subprocess.Popen([program, "debug", "--port", "0"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as adapter:
        port = int(re.search(rb":(\d+)", adapter.stderr.readline()).group(1))
        for _ in range(2):  # one client after another
            with socket.create_connection(("127.0.0.1", port)) as connection:
                stream = connection.makefile("rwb")
                hunt(Client(stream, stream))
                stream.close()
        adapter.kill()


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
    over_stdio(program)
    over_a_port(program)
    commands(program)


if __name__ == "__main__":
    main()
