"""Steps a thread of a program on the simulated GPU forward and back over the Debug Adapter Protocol, and compares the
states at each place: cycle, thread, instruction, all registers of the warp in all lanes, and the memory of the buffers.

    python3 steps.py WARPWALK N PROGRAM [ARGUMENT...]

Prints the time of the first stop and the times per step, without and with the reading of the state.
"""
import base64
import hashlib
import json
import os
import statistics
import subprocess
import sys
import time


class Client:
    def __init__(self, warpwalk):
        self.adapter = subprocess.Popen([warpwalk, "debug"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.seq = 0
        self.stopped = None

    def read(self):
        length = 0
        while (line := self.adapter.stdout.readline().strip()) != b"":
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.adapter.stdout.read(length))

    def request(self, command, **arguments):
        self.seq += 1
        message = json.dumps({"seq": self.seq, "type": "request", "command": command, "arguments": arguments}).encode()
        self.adapter.stdin.write(b"Content-Length: %d\r\n\r\n" % len(message) + message)
        self.adapter.stdin.flush()
        while True:
            answer = self.read()
            if answer.get("event") == "stopped":
                self.stopped = answer["body"]
            if answer["type"] == "response" and answer["request_seq"] == self.seq:
                assert answer["success"], answer
                return answer.get("body", {})

    def wait_for_stop(self):
        while self.stopped is None:
            answer = self.read()
            if answer.get("event") == "stopped":
                self.stopped = answer["body"]
        return self.stopped

    def step(self, command, granularity):
        thread, self.stopped = self.stopped["threadId"], None
        self.request(command, threadId=thread, granularity=granularity)
        return self.wait_for_stop()


def state_of(client):
    thread = client.stopped["threadId"]
    frame = client.request("stackTrace", threadId=thread)["stackFrames"][0]
    scopes = {s["name"]: s for s in client.request("scopes", frameId=frame["id"])["scopes"]}
    digest = hashlib.sha256()
    for name in ("Registers", "Predicates"):
        rows = client.request("variables", variablesReference=scopes[name]["variablesReference"])["variables"]
        for row in rows:
            digest.update(f"{row['name']}={row['value']};".encode())
            if row.get("variablesReference"):
                for lane in client.request("variables", variablesReference=row["variablesReference"])["variables"]:
                    digest.update(lane["value"].encode())
    rows = client.request("variables", variablesReference=scopes["Arguments and memory"]["variablesReference"])
    for row in rows["variables"]:
        if row.get("memoryReference"):
            memory = client.request("readMemory", memoryReference=row["memoryReference"], offset=0, count=1 << 20)
            digest.update(base64.b64decode(memory.get("data", "")))
    cycle = client.request("evaluate", expression="$cycle")["result"]
    return (thread, frame["instructionPointerReference"], frame["line"], cycle, digest.hexdigest())


def timed(into, work):
    begin = time.perf_counter()
    result = work()
    into.append(1000 * (time.perf_counter() - begin))
    return result


def there_and_back(client, count, granularity):
    steps, reads = [], []
    states = [state_of(client)]
    while len(states) <= count:
        text = timed(steps, lambda: client.step("next", granularity)).get("text", "")
        if "ended" in text or "only these cycles" in text:
            break
        states.append(timed(reads, lambda: state_of(client)))
    if len(states) <= count:
        client.step("stepBack", granularity)
        states.pop()
        while state_of(client)[1:4] != states[-1][1:4]:
            client.step("stepBack", granularity)
    done = len(states) - 1
    for i in range(done - 1, -1, -1):
        timed(steps, lambda: client.step("stepBack", granularity))
        now = timed(reads, lambda: state_of(client))
        assert now == states[i], f"step {i} back is {now}, was {states[i]}"
    different = len(set(states))
    print(f"{done} steps by {granularity} forward and back: equal states ({different} different ones); "
          f"a step {statistics.mean(steps):.2f} ms, the longest {max(steps):.1f} ms; "
          f"its state {statistics.mean(reads):.1f} ms, the longest {max(reads):.1f} ms", flush=True)


def main():
    warpwalk, count, program = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    client = Client(warpwalk)
    begin = time.perf_counter()
    client.request("initialize", adapterID="warpwalk")
    client.request("launch", program=os.path.abspath(program), args=sys.argv[4:])
    client.request("configurationDone")
    client.wait_for_stop()
    print(f"first stop after {time.perf_counter() - begin:.1f} s", flush=True)
    there_and_back(client, count, "instruction")
    there_and_back(client, count, "line")
    client.request("disconnect")
    assert client.adapter.wait(timeout=20) == 0


if __name__ == "__main__":
    main()
