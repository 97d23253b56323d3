/** Programs with sockets, timers or loggers, in Node 20, 22 and 24: http2, https, pino, winston, the tools. */
import { describe, expect, test } from "vitest";
import { installedNodes } from "./harness/nodes.ts";
import { runProgram } from "./harness/programs.ts";

describe.each(await installedNodes())("Node $version", (node) => {
  test("http2 and https: bodies, events, aborted streams; https is another origin than http", async () => {
    const over2 = { right: 100, events: true, wrong: 0, aborted: true };
    expect(await runProgram(node, "protocols.mjs")).toEqual({
      http2: over2,
      "http2 over TLS": over2,
      https: { right: 100, events: true, wrong: 0, refused: false },
    });
  });

  test("pino and winston: lines of 200 requests, also behind a slow transport", async () => {
    expect(await runProgram(node, "logs.mjs")).toEqual({
      counts: { pino: 200, json: 200, text: 200 },
      wrong: [],
      lines: [2],
    });
  });

  test("requestProfiler and asyncTracer", async () => {
    expect(await runProgram(node, "profiler.mjs")).toEqual({
      all: true,
      ended: true,
      counted: true,
      parents: true,
      timers: true,
      page: 10,
      tracer: { before: 0, inits: 3, nested: true, cleared: ["init", "destroy"] },
    });
  });
});
