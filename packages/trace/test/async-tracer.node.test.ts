/** asyncTracer: the facts about Node's asynchronous resources, and outputs of each kind. */

import { AsyncResource } from "node:async_hooks";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { asyncTracer, httpListener, id, runWithId, type ToolOutput } from "../src/index.ts";
import { installedNodes, run } from "./harness/nodes.ts";
import { get as request, serve } from "./harness/raw-request.ts";
import { collectWarnings } from "./harness/warnings.ts";

const refused = expect.objectContaining({ name: "TypeError", code: "ERR_INVALID_ARGUMENT" });

interface Event {
  readonly t: number;
  readonly e: string;
  readonly id: number;
  readonly type: string;
  readonly trigger: number;
  readonly exec: number;
  readonly class: string;
  readonly req?: unknown;
  readonly n?: number;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "moonpack-trace-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const parse = (text: string): Event[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const nodes = await installedNodes();

describe.each(nodes)("Node $version", (node) => {
  /** Runs code while the tracer is on, and 30 ms longer. Returns the events of resources whose init was traced. */
  const eventsOf = (types: string[], code: string) =>
    run(
      node,
      `
      import { executionAsyncId } from "node:async_hooks";
      import { asyncTracer } from "@moonpack/trace";
      let text = "";
      const tracer = asyncTracer({ types: ${JSON.stringify(types)}, output: (lines) => { text += lines; } });
      const here = executionAsyncId();
      ${code}
      setTimeout(() => {
        tracer.stop();
        const events = text.split("\\n").slice(0, -1).map((line) => JSON.parse(line));
        console.log(JSON.stringify({ here, events }));
      }, 60);`,
    ) as { here: number; events: Event[] };

  test("init is synchronous", () => {
    const seen = run(
      node,
      `
      import { asyncTracer } from "@moonpack/trace";
      let text = "";
      const tracer = asyncTracer({ types: ["Timeout", "Immediate", "TickObject"], output: (lines) => { text += lines; } });
      setTimeout(() => undefined, 1);
      setImmediate(() => undefined);
      process.nextTick(() => undefined);
      tracer.stop();
      console.log(JSON.stringify(text.split("\\n").slice(0, -1).map((line) => JSON.parse(line)).map(({ e, type }) => [e, type])));`,
    );
    expect(seen).toEqual([
      ["init", "Timeout"],
      ["init", "Immediate"],
      ["init", "TickObject"],
    ]);
  });

  test("a timer within a timer: its parent is the outer one, whose destroy comes before its own before", () => {
    const { here, events } = eventsOf(["Timeout"], "setTimeout(() => setTimeout(() => undefined, 1), 1);");
    const [outer, inner] = events.filter(({ e, trigger, exec }) => e === "init" && (exec !== here || trigger === here));
    expect(outer).toMatchObject({ type: "Timeout", class: "Timeout", trigger: here, exec: here });
    // The timer of the test itself is the second.
    const nested = events.find(({ e, trigger }) => e === "init" && trigger === outer!.id);
    expect(nested).toMatchObject({ type: "Timeout", exec: outer!.id });
    expect(inner).toBeDefined();
    const order = events
      .filter(({ id }) => id === outer!.id || id === nested!.id)
      .map(({ e, id }) => [e, id === outer!.id]);
    expect(order).toEqual([
      ["init", true],
      ["before", true],
      ["init", false],
      ["after", true],
      ["destroy", true],
      ["before", false],
      ["after", false],
      ["destroy", false],
    ]);
    const times = events.map(({ t }) => t);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test("a cleared timer has init and destroy only", () => {
    const { events } = eventsOf(["Timeout"], "clearTimeout(setTimeout(() => undefined, 1));");
    expect(events.filter(({ id }) => id === events[0]!.id).map(({ e }) => e)).toEqual(["init", "destroy"]);
  });

  test("Promise.resolve() has init and promiseResolve, at once", () => {
    const seen = run(
      node,
      `
      import { asyncTracer } from "@moonpack/trace";
      let text = "";
      const tracer = asyncTracer({ types: ["PROMISE"], output: (lines) => { text += lines; } });
      Promise.resolve(1);
      tracer.stop();
      console.log(JSON.stringify(text.split("\\n").slice(0, -1).map((line) => JSON.parse(line))));`,
    ) as Event[];
    expect(seen.map(({ e, type }) => [e, type])).toEqual([
      ["init", "PROMISE"],
      ["promiseResolve", "PROMISE"],
    ]);
    expect(seen[1]!.id).toBe(seen[0]!.id);
  });

  test("a rejected promise with a catch: two resources, the first is the parent of the second", () => {
    const { events } = eventsOf(["PROMISE"], "Promise.reject(new Error()).catch(() => undefined);");
    const [first, second] = events.filter(({ e }) => e === "init");
    expect(second!.trigger).toBe(first!.id);
    // The collector reports the end of a promise at any time.
    const eventsFor = (one: Event) => events.filter(({ id, e }) => id === one.id && e !== "destroy").map(({ e }) => e);
    expect(eventsFor(first!)).toEqual(["init", "promiseResolve"]);
    expect(eventsFor(second!)).toEqual(["init", "before", "promiseResolve", "after"]);
  });

  test("stop() switches everything off, counted: hooks, timers, listeners", () => {
    const program = `
      const { internalBinding } = require("internal/test/binding");
      const { async_hook_fields: fields, constants } = internalBinding("async_wrap");
      const kinds = ["kInit", "kBefore", "kAfter", "kDestroy", "kPromiseResolve"];
      const count = () => [...kinds.map((kind) => fields[constants[kind]]), process.listenerCount("exit")];
      import("@moonpack/trace").then(async ({ asyncTracer, requestProfiler, expressMiddleware }) => {
        const { EventEmitter } = await import("node:events");
        const middleware = expressMiddleware();
        const seen = { before: count() };
        const tracer = asyncTracer({ output: () => undefined });
        seen.tracer = count();
        tracer.stop();
        tracer.stop();
        seen.afterTracer = count();
        const profiler = requestProfiler({ sampleRate: 1, output: () => undefined });
        seen.idle = count();
        const message = () => Object.assign(new EventEmitter(), { headers: {}, statusCode: 200 });
        const responses = [message(), message(), message()];
        for (const response of responses) {
          const asked = message();
          middleware(asked, response, () => profiler.middleware(asked, response, () => undefined));
        }
        seen.recording = count();
        responses[0].emit("finish");
        seen.stillRecording = count();
        responses[1].emit("close");
        responses[2].emit("finish");
        seen.afterAll = count();
        const asked = message();
        middleware(asked, message(), () => profiler.middleware(asked, message(), () => undefined));
        seen.again = count();
        profiler.stop();
        profiler.stop();
        seen.afterProfiler = count();
        console.log(JSON.stringify(seen));
      });`;
    const seen = run(node, program, "commonjs", ["--expose-internals"]) as Record<string, number[]>;
    const before = seen.before!;
    const more = (...by: number[]) => before.map((value, i) => value + by[i]!);
    expect(seen).toEqual({
      before,
      tracer: more(1, 1, 1, 1, 1, 1),
      afterTracer: before,
      idle: more(0, 0, 0, 0, 0, 1),
      recording: more(1, 1, 1, 0, 1, 1),
      stillRecording: more(1, 1, 1, 0, 1, 1),
      afterAll: more(0, 0, 0, 0, 0, 1),
      again: more(1, 1, 1, 0, 1, 1),
      afterProfiler: before,
    });
  });
});

/** Traces timers while `work` runs. */
async function traced(output: ToolOutput, work: () => unknown = () => sleep(2), maxResources?: number): Promise<void> {
  const tracer = asyncTracer({
    types: ["Timeout", "TEST"],
    output,
    ...(maxResources === undefined ? {} : { maxResources }),
  });
  try {
    await work();
  } finally {
    tracer.stop();
  }
}

describe("outputs", () => {
  test("a path: lines are appended", async () => {
    const path = join(folder, "path.ndjson");
    await traced(path);
    const first = readFileSync(path, "utf8");
    await traced(path);
    const both = readFileSync(path, "utf8");
    expect(both.startsWith(first)).toBe(true);
    expect(both.length).toBeGreaterThan(first.length);
    expect(parse(both).map(({ e }) => e)).toContain("before");
  });

  test("a descriptor, which stays open", async () => {
    const path = join(folder, "descriptor.ndjson");
    const descriptor = openSync(path, "w");
    await traced(descriptor);
    closeSync(descriptor);
    expect(parse(readFileSync(path, "utf8")).length).toBeGreaterThan(1);
  });

  test("a function: whole lines, and what it begins itself does not come back", async () => {
    const parts: string[] = [];
    await traced(
      (lines) => {
        parts.push(lines);
        new AsyncResource("TEST").runInAsyncScope(() => new AsyncResource("TEST").emitDestroy());
        setTimeout(() => setTimeout(() => undefined, 1), 1);
      },
      async () => {
        for (let i = 0; i < 2000; i++) new AsyncResource("TEST").emitDestroy();
        await sleep(250);
      },
    );
    expect(parts.length).toBeGreaterThan(5);
    for (const part of parts) expect(part.endsWith("\n")).toBe(true);
    const inits = parse(parts.join("")).filter(({ e }) => e === "init");
    expect(inits.filter(({ type }) => type === "TEST").length).toBe(2000);
    expect(inits.filter(({ type }) => type === "Timeout").length).toBe(1);
  });

  test("a process that ends without stop() has written its lines", () => {
    const program = `
      import { asyncTracer } from "@moonpack/trace";
      import { openSync, readFileSync } from "node:fs";
      asyncTracer({ types: ["Timeout"], output: ${JSON.stringify(join(folder, "exit.ndjson"))} });
      setTimeout(() => console.log("0"), 1);`;
    run(nodes[0]!, program);
    expect(parse(readFileSync(join(folder, "exit.ndjson"), "utf8")).map(({ e }) => e)).toContain("before");
  });

  test("a request's id is in the line", async () => {
    let text = "";
    await traced(
      (lines) => {
        text += lines;
      },
      () => runWithId(() => new AsyncResource("TEST"), 'a\n"\u2028'),
    );
    expect(text).not.toContain("\u2028");
    expect(parse(text).find(({ type }) => type === "TEST")).toMatchObject({ e: "init", req: 'a\n"\u2028' });
  });

  test("lines have the ids of requests, though random bytes for ids are resources too", async () => {
    let text = "";
    const tracer = asyncTracer({
      output: (lines) => {
        text += lines;
      },
    });
    const ids: unknown[] = [];
    // Ids come from a pool that is filled again after 128.
    for (let i = 0; i < 300; i++)
      runWithId(() => {
        if (i % 2 === 0) ids.push(id());
        new AsyncResource("TEST");
        if (i % 2 === 1) ids.push(id());
      });
    tracer.stop();
    expect(new Set(ids).size).toBe(300);
    expect(
      parse(text)
        .filter(({ type, e }) => type === "TEST" && e === "init")
        .map(({ req }) => req),
    ).toEqual(ids);
  });

  test("types and classes of users stay in their place, and objects that fail do no harm", async () => {
    let text = "";
    const tracer = asyncTracer({
      output: (lines) => {
        text += lines;
      },
    });
    class Hostile extends AsyncResource {}
    Object.defineProperty(Hostile.prototype, "constructor", {
      get() {
        throw new Error("no");
      },
    });
    new Hostile('x"}\n{"e":"forged');
    new AsyncResource("é".repeat(5000));
    tracer.stop();
    const events = parse(text).filter(({ e }) => e === "init");
    expect(events.some(({ type, class: name }) => type === 'x"}\n{"e":"forged' && name === "")).toBe(true);
    expect(events.some(({ type }) => type === "é".repeat(1024))).toBe(true);
  });

  test("at most maxResources are traced; a line counts the dropped ones", async () => {
    let text = "";
    await traced(
      (lines) => {
        text += lines;
      },
      () => {
        const resources = Array.from({ length: 10 }, () => new AsyncResource("TEST"));
        for (const resource of resources) resource.runInAsyncScope(() => undefined);
      },
      4,
    );
    const events = parse(text);
    expect(events.filter(({ e }) => e === "before").length).toBe(4);
    expect(events.filter(({ e }) => e === "dropped").map(({ n }) => n)).toEqual([6]);
  });
});

describe("a failing output causes one warning, and breaks nothing", () => {
  const warnings = collectWarnings();

  async function answered(output: ToolOutput): Promise<string> {
    const tracer = asyncTracer({ output });
    const server = await serve(
      httpListener(async (_request, response) => {
        for (let i = 0; i < 300; i++) new AsyncResource("TEST");
        await sleep(1);
        response.end("ok");
      }),
    );
    try {
      const answers = [await request(server.port), await request(server.port)];
      return answers.map(({ status, body }) => `${status} ${body}`).join();
    } finally {
      await server.close();
      tracer.stop();
    }
  }

  test.runIf(existsSync("/dev/full"))("a full disk", async () => {
    expect(await answered("/dev/full")).toBe("200 ok,200 ok");
    expect(warnings.map(({ code }) => code)).toEqual(["MOONPACK_TRACE_OUTPUT"]);
    expect(warnings[0]!.message).toContain("ENOSPC");
  });

  test("a closed descriptor", async () => {
    // No other file may get the number meanwhile.
    const descriptor = 1_000_000;
    expect(await answered(descriptor)).toBe("200 ok,200 ok");
    expect(warnings.map(({ code, message }) => [code, message.includes("EBADF")])).toEqual([
      ["MOONPACK_TRACE_OUTPUT", true],
    ]);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("mine");
      },
    ],
    ["rejects", () => Promise.reject(new Error("mine"))],
  ])("a function that %s", async (_name, output) => {
    expect(await answered(output as ToolOutput)).toBe("200 ok,200 ok");
    await vi.waitFor(() => expect(warnings.length).toBe(1));
    expect(warnings[0]).toMatchObject({ code: "MOONPACK_TRACE_OUTPUT", message: expect.stringContaining("mine") });
  });

  test("a path that cannot be opened fails at once", () => {
    expect(() => asyncTracer({ output: join(folder, "none", "x") })).toThrow(
      expect.objectContaining({ code: "ENOENT" }),
    );
  });
});

test("bad options are refused", () => {
  const bad = [
    null,
    1,
    { types: "a" },
    { types: [1] },
    { output: -1 },
    { output: 1.5 },
    { output: "" },
    { output: {} },
    { maxResources: 0 },
  ];
  for (const options of bad) expect(() => asyncTracer(options as never)).toThrow(refused);
});
