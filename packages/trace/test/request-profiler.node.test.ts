/** requestProfiler: its recordings, its limits, and that it never breaks requests. */
import { AsyncResource } from "node:async_hooks";
import { EventEmitter } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { httpListener, id, type RequestProfilerOptions, requestProfiler, runWithId } from "../src/index.ts";
import { TimeBudget } from "../src/tools/time-budget.ts";
import { get as request, serve } from "./harness/raw-request.ts";
import { collectWarnings } from "./harness/warnings.ts";

const refused = expect.objectContaining({ name: "TypeError", code: "ERR_INVALID_ARGUMENT" });

type Line = Record<string, unknown> & { k: string; op: number; parent: number; type: string; runs: [number, number][] };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "moonpack-trace-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A server with a profiler that records every request, unless options say otherwise; and its lines. */
async function profiled(handler: Handler, options: RequestProfilerOptions = {}, useHeader = false) {
  let text = "";
  const output = (lines: string) => {
    text += lines;
  };
  const profiler = requestProfiler({ sampleRate: 1, dutyCycle: 1, output, ...options });
  const listener: Handler = (asked, response) => profiler.middleware(asked, response, () => handler(asked, response));
  const server = await serve(httpListener(listener, { useHeader }));
  ending.push(
    () => profiler.stop(),
    () => server.close(),
  );
  return {
    port: server.port,
    stop: () => profiler.stop(),
    /** Stops, and returns the lines. */
    lines(): Line[] {
      profiler.stop();
      const lines = text.split("\n").slice(0, -1);
      return lines.map((line) => JSON.parse(line) as Line);
    },
  };
}

const answer: Handler = async (_request, response) => {
  await sleep(2);
  response.end(String(id()));
};

/** A request and a response without a server. */
const message = () => Object.assign(new EventEmitter(), { headers: {}, method: "GET", url: "/", statusCode: 200 });

describe("lines", () => {
  test("the request and its operations, with their parents and times", async () => {
    const { port, lines } = await profiled(async (_request, response) => {
      await readFile(import.meta.filename);
      setTimeout(() => setTimeout(() => response.end(String(id())), 2), 2);
    });
    const before = Date.now();
    const { body } = await request(port, [], "/a/b?secret=1");
    const [head, ...operations] = lines();
    expect(head).toMatchObject({ k: "request", id: body, method: "GET", url: "/a/b", status: 200, end: "finish" });
    expect(head).toMatchObject({ ops: operations.length, truncated: false });
    expect(head!.start).toBeGreaterThanOrEqual(before);
    const duration = head!.dur as number;
    expect(operations.map(({ op }) => op)).toEqual(operations.map((_, i) => i + 1));
    for (const { k, id, op, parent, at, runs } of operations) {
      expect([k, id]).toEqual(["op", body]);
      expect(parent).toBeLessThan(op);
      expect(at).toBeLessThanOrEqual(duration);
      for (const [start, length] of runs) expect(start + length).toBeLessThanOrEqual(duration);
    }
    const [outer, inner] = operations.filter(({ type }) => type === "Timeout");
    expect(inner!.parent).toBe(outer!.op);
    expect(outer!.runs.length).toBe(1);
    expect(operations.some(({ type }) => type === "FSREQPROMISE")).toBe(true);
  });

  test("each request has its own operations only", async () => {
    const { port, lines } = await profiled(
      async (asked, response) => {
        new AsyncResource("DIRECT");
        await sleep(2);
        new AsyncResource(`OF ${id()}`);
        answer(asked, response);
      },
      { maxConcurrent: 20 },
    );
    await Promise.all(Array.from({ length: 20 }, () => request(port)));
    const all = lines();
    const heads = all.filter(({ k }) => k === "request");
    expect(new Set(heads.map((head) => head.id)).size).toBe(20);
    for (const { id: own, ops } of heads) {
      const mine = all.filter((line) => line.k === "op" && line.id === own);
      expect(mine.length).toBe(ops);
      const types = mine.map(({ type }) => type).filter((type) => /^(OF|DIRECT)/.test(type));
      expect(types).toEqual(["DIRECT", `OF ${own}`]);
    }
  });

  test("a client that goes away: abort", async () => {
    const closed: unknown[] = [];
    const { port, lines } = await profiled((_request, response) => {
      response.on("close", () => closed.push(1));
      response.write("a");
    });
    const socket = connect(port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    socket.once("data", () => socket.destroy());
    await vi.waitFor(() => expect(closed.length).toBe(1));
    expect(lines()[0]).toMatchObject({ end: "abort" });
  });

  test("a request that is not answered in time: maxDuration; stop() ends others", async () => {
    const held: ServerResponse[] = [];
    const long = await profiled((_request, response) => held.push(response), { maxDuration: "20ms" });
    const pending = request(long.port);
    await vi.waitFor(() => expect(held.length).toBe(1));
    await sleep(60);
    held[0]!.end("late");
    expect((await pending).body).toBe("late");
    expect(long.lines()[0]).toMatchObject({ end: "maxDuration" });
    const stopped = await profiled((_request, response) => held.push(response));
    const other = request(stopped.port);
    await vi.waitFor(() => expect(held.length).toBe(2));
    expect(stopped.lines()[0]).toMatchObject({ end: "stop" });
    held[1]!.end("still answered");
    expect((await other).body).toBe("still answered");
  });
});

describe("bounds", () => {
  test("maxOperations: more are not kept, nor more runs", async () => {
    const { port, lines } = await profiled(
      async (_request, response) => {
        for (let i = 0; i < 100; i++) await undefined;
        response.end();
      },
      { maxOperations: 10 },
    );
    await request(port);
    const [head, ...operations] = lines();
    expect(head).toMatchObject({ ops: 10, truncated: true, end: "finish" });
    expect(operations.length).toBe(10);
    expect(operations.flatMap(({ runs }) => runs).length).toBeLessThanOrEqual(10);
  });

  test("maxConcurrent: others pass", async () => {
    const held: ServerResponse[] = [];
    const { port, lines } = await profiled(
      (_request, response) => {
        if (held.push(response) === 6) for (const each of held) each.end();
      },
      { maxConcurrent: 2 },
    );
    const answers = await Promise.all(Array.from({ length: 6 }, () => request(port)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(lines().filter(({ k }) => k === "request").length).toBe(2);
  });

  test.each([{ sampleRate: 0 }, { dutyCycle: 0 }])("%j: nothing is recorded", async (options) => {
    const { port, lines } = await profiled(answer, options);
    expect((await request(port)).status).toBe(200);
    expect(lines()).toEqual([]);
  });

  test("a share of the requests", () => {
    const random = vi.spyOn(Math, "random");
    const profiler = requestProfiler({ sampleRate: 0.25, dutyCycle: 1, output: () => undefined });
    const recorded = [0, 0.2499, 0.25, 0.9].map((value) => {
      random.mockReturnValue(value);
      const response = message();
      httpListener(() => profiler.middleware(message(), response, () => undefined))(
        message() as never,
        response as never,
      );
      return response.listenerCount("finish");
    });
    random.mockRestore();
    profiler.stop();
    expect(recorded).toEqual([1, 1, 0, 0]);
  });

  test("the hooks are disabled during a long request, which is marked", async () => {
    const { port, lines } = await profiled(
      async (_request, response) => {
        await sleep(600);
        for (let i = 0; i < 10; i++) await undefined;
        response.end();
      },
      { dutyCycle: 0.05 },
    );
    await request(port);
    expect(lines()[0]).toMatchObject({ k: "request", truncated: true, end: "finish" });
  });

  test("the time budget: at most a quarter of a second, half of it needed, never more than the share", () => {
    const budget = new TimeBudget(0.05, 0);
    expect(budget.isEnough(0)).toBe(true);
    expect(budget.switchOn(0)).toBeCloseTo(250 / 0.95);
    budget.switchOff(250 / 0.95);
    expect([budget.isEnough(300), budget.isEnough(2700)]).toEqual([false, false]);
    expect(budget.isEnough(2800)).toBe(true);
    expect(budget.isEnough(1e6)).toBe(true);
    expect(budget.switchOn(1e6)).toBeCloseTo(250 / 0.95);
    // The event loop was blocked for 10 s, which the budget must make up for.
    budget.switchOff(1e6 + 10_000);
    expect(budget.isEnough(1e6 + 100_000)).toBe(false);
    expect(new TimeBudget(1, 0).switchOn(0)).toBe(Number.POSITIVE_INFINITY);
    expect(new TimeBudget(0, 0).isEnough(1e9)).toBe(false);
  });
});

describe("never breaks requests", () => {
  const warnings = collectWarnings();

  const failing: [string, RequestProfilerOptions["output"]][] = [
    ["a closed descriptor", 1_000_000],
    [
      "a function that throws",
      () => {
        throw new Error("mine");
      },
    ],
  ];
  if (existsSync("/dev/full")) failing.push(["a full disk", "/dev/full"]);

  test.each(failing)("%s", async (_name, output) => {
    const { port, stop } = await profiled(answer, { output: output! });
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push((await request(port)).status);
    stop();
    await vi.waitFor(() => expect(warnings.map(({ code }) => code)).toEqual(["MOONPACK_TRACE_OUTPUT"]));
    expect(answers).toEqual([200, 200, 200]);
  });

  test("a page that cannot be written", async () => {
    const { port, stop } = await profiled(answer, { html: join(folder, "none", "page.html") });
    expect((await request(port)).status).toBe(200);
    stop();
    await vi.waitFor(() => expect(warnings.map(({ code }) => code)).toEqual(["MOONPACK_TRACE_OUTPUT"]));
  });

  test("in front of the tracer it records nothing, and says so once", async () => {
    const profiler = requestProfiler({ sampleRate: 1, output: () => undefined });
    let count = 0;
    for (let i = 0; i < 2; i++) profiler.middleware(message(), message(), () => count++);
    runWithId(() => profiler.middleware(message(), message(), () => count++));
    profiler.stop();
    await vi.waitFor(() => expect(warnings.map(({ code }) => code)).toEqual(["MOONPACK_TRACE_PROFILER"]));
    expect(count).toBe(3);
  });

  test("what a handler throws reaches the caller", async () => {
    const { stop } = await profiled(answer);
    const profiler = requestProfiler({ sampleRate: 1, dutyCycle: 1, output: () => undefined });
    const handler = httpListener((asked, response) =>
      profiler.middleware(asked, response, () => {
        throw new RangeError("handler");
      }),
    );
    expect(() => handler(message() as never, message() as never)).toThrow(RangeError);
    profiler.stop();
    stop();
  });
});

describe("the page", () => {
  test("is one file: no script, nothing loaded, and what requests sent is text", async () => {
    const html = join(folder, "hostile.html");
    const { port, stop } = await profiled(answer, { html }, true);
    const urls = ["/<script>alert(1)</script>", '/"onload="alert(1)', "/'x'&amp;", "/%3Cimg%20src=x%3E", "/a?<b>"];
    for (const url of urls) expect((await request(port, [["X-Request-Id", "id:1"]], url)).status).toBe(200);
    stop();
    const page = readFileSync(html, "utf8");
    expect(page.match(/<(\w+)/g)!.filter((tag) => /script|img|link|iframe|object|use|image/.test(tag))).toEqual([]);
    expect(page).not.toMatch(/\s(on\w+|src|href)=/);
    expect(page).toContain("GET /&#60;script&#62;alert(1)&#60;/script&#62;");
    expect(page).toContain("GET /&#34;onload=&#34;alert(1)");
    expect(page).toContain("GET /&#39;x&#39;&#38;amp;");
    expect(page).not.toContain("<b>");
    expect(page.match(/<svg/g)!.length).toBe(urls.length);
    expect(page).toContain("default-src 'none'");
    for (const [, path] of page.matchAll(/ d="([^"]*)"/g)) expect(path).toMatch(/^(M[\d.]+ \d+h[\d.]+v12h-[\d.]+z)+$/);
  });

  test("has the last 50 requests, and 300 operations of each", async () => {
    const html = join(folder, "many.html");
    const { port, stop } = await profiled(
      async (_request, response) => {
        for (let i = 0; i < 400; i++) await undefined;
        response.end();
      },
      { html },
    );
    for (let i = 0; i < 55; i++) await request(port, [], `/${i}`);
    stop();
    const page = readFileSync(html, "utf8");
    const urls = Array.from(page.matchAll(/<summary>GET \/(\d+)</g), ([, url]) => Number(url));
    expect(urls).toEqual(Array.from({ length: 50 }, (_, i) => 54 - i));
    const pictures = page.split("<svg").slice(1);
    for (const picture of pictures) expect(picture.match(/<title>/g)!.length).toBe(301);
    expect(pictures[0]).toMatch(/and \d+ more, which only the output has/);
  });

  test("without requests it says so; with html alone no lines are written", () => {
    const html = join(folder, "empty.html");
    requestProfiler({ html }).stop();
    expect(readFileSync(html, "utf8")).toContain("0 requests");
  });
});

test("bad options are refused", () => {
  const bad = [null, 1, { sampleRate: 2 }, { sampleRate: -1 }, { dutyCycle: Number.NaN }, { maxConcurrent: 0 }];
  const others = [
    { maxOperations: 1.5 },
    { maxDuration: "1" },
    { maxDuration: 0 },
    { maxDuration: Infinity },
    { html: "" },
    { html: 1 },
    { output: {} },
  ];
  for (const options of [...bad, ...others]) expect(() => requestProfiler(options as never)).toThrow(refused);
});
