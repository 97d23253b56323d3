/** The example in examples/trace-gateway: one id in the lines of all its processes; a signal ends all of them. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const script = fileURLToPath(new URL("../../../examples/trace-gateway/start.js", import.meta.url));
const started: ChildProcess[] = [];

afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
});

interface Line {
  service: string;
  requestId: string;
  traceId: string;
  spanId: string;
}

test("concurrent requests have their id in five lines of four services; all processes end with the first", async () => {
  const child = spawn(process.execPath, [script, "0"], { stdio: ["ignore", "pipe", "inherit"] });
  started.push(child);
  const output = createInterface(child.stdout!);
  const lines: Line[] = [];
  let tellUrl: (url: string) => void;
  const url = new Promise<string>((resolve) => {
    tellUrl = resolve;
  });
  output.on("line", (line) => (line.startsWith("http") ? tellUrl(line) : lines.push(JSON.parse(line) as Line)));

  const base = await url;
  const ids = Array.from({ length: 20 }, (_, index) => `test-${index}`);
  await Promise.all(
    ids.map(async (id) => {
      const response = await fetch(base, { headers: { "X-Request-Id": id } });
      expect(response.headers.get("x-request-id")).toBe(id);
      expect(await response.json()).toEqual({ order: 7, sum: 7, price: 3.5 });
    }),
  );
  const forged = await fetch(base, { headers: { "X-Request-Id": "a b" } });
  const made = forged.headers.get("x-request-id")!;
  expect(made).toMatch(/^[0-9a-f-]{36}$/);

  await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(5 * (ids.length + 1));
  const traces = new Set<string>();
  for (const id of [...ids, made]) {
    const own = lines.filter(({ requestId }) => requestId === id);
    const services = own.map(({ service }) => service).sort();
    expect(services).toEqual(["gateway", "gateway", "orders", "prices", "worker"]);
    expect(new Set(own.map(({ traceId }) => traceId)).size).toBe(1);
    expect(new Set(own.map(({ spanId }) => spanId)).size).toBe(4);
    traces.add(own[0]!.traceId);
  }
  expect(traces.size).toBe(ids.length + 1);

  child.kill("SIGINT");
  // The pipe ends when the last process that writes to it has ended.
  const [[code]] = await Promise.all([once(child, "exit"), once(output, "close")]);
  expect(code).toBe(0);
});
