/** Carriers: what goes along, what is accepted, the bytes of the MessagePack extension. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import {
  carrier,
  context,
  get,
  id,
  parentSpanId,
  runWithCarrier,
  runWithId,
  set,
  spanId,
  traceId,
  traceparent,
  tracestate,
} from "../src/index.ts";
import { full, TRACEPARENT } from "./harness/carriers.ts";
import { collectWarnings } from "./harness/warnings.ts";

// Of values that are left out.
collectWarnings();

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const refused = expect.objectContaining({ name: "TypeError", code: "ERR_INVALID_ARGUMENT" });

describe("carrier", () => {
  test("is undefined outside", () => {
    expect(carrier()).toBeUndefined();
  });

  test("is plain data: the id, the trace, named values that are plain", () => {
    runWithId(() => {
      for (const [key, value] of Object.entries({ a: null, b: true, c: 1.5, d: "text", e: "x".repeat(1024) }))
        set(key, value);
      for (const [key, value] of Object.entries({ f: {}, g: "x".repeat(1025), h: undefined, i: 1n })) set(key, value);
      const made = carrier({ values: ["a", "b", "c", "d", "e", "f", "g", "h", "i", "none"] });
      const plain = {
        id: "a",
        traceparent: traceparent(),
        tracestate: undefined,
        values: { a: null, b: true, c: 1.5, d: "text", e: "x".repeat(1024) },
      };
      expect(made).toEqual(plain);
      expect(structuredClone(made)).toEqual(plain);
      expect(JSON.parse(JSON.stringify(made))).toEqual(JSON.parse(JSON.stringify(plain)));
      expect(carrier()!.values).toBeUndefined();
    }, "a");
  });

  test("a value of the key __proto__ is a value", () => {
    runWithId(() => {
      set("__proto__", "a");
      const { values } = carrier({ values: ["__proto__"] })!;
      expect(Object.entries(values!)).toEqual([["__proto__", "a"]]);
      expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
      runWithCarrier(carrier({ values: ["__proto__"] }), () => expect(get("__proto__")).toBe("a"));
    });
  });

  test.each([
    [7, 7],
    ["any text", "any text"],
    [7n, "7"],
    [true, "true"],
    ["é", undefined],
    [{}, undefined],
    [null, undefined],
  ])("the id %s is carried as %s", (value, carried) => {
    expect(runWithId(() => carrier()!.id, value)).toBe(carried);
  });

  test("bad options and keys are refused", () => {
    const many = Array.from({ length: 256 }, (_, i) => `k${i}`);
    const long = ["k".repeat(256), "é".repeat(128), "日".repeat(86)];
    for (const bad of [null, "a", { values: "a" }, { values: [1] }, { values: many }])
      expect(() => carrier(bad as never)).toThrow(refused);
    for (const key of [...long, "\ud800"]) expect(() => carrier({ values: ["a", key] })).toThrow(refused);
    expect(carrier({ values: [...many.slice(1), "k".repeat(255), "é".repeat(127)].slice(2) })).toBeUndefined();
  });
});

describe("runWithCarrier", () => {
  test("continues: the id, the values, a new span of the trace", () => {
    const result = runWithCarrier(full, () => {
      expect([id(), get("text"), get("none")]).toEqual(["id-1", "é日本", null]);
      expect([traceId(), parentSpanId(), tracestate()]).toEqual([
        "0af7651916cd43dd8448eb211c80319c",
        "b7ad6b7169203331",
        "a=1,b=2",
      ]);
      expect(spanId()).not.toBe("b7ad6b7169203331");
      return 7;
    });
    expect(result).toBe(7);
  });

  test("works after JSON or a clone, and inherits nothing of the current context", () => {
    const made = runWithId(() => {
      set("a", 1);
      return carrier({ values: ["a"] })!;
    }, 7);
    runWithId(() => {
      set("b", 2);
      for (const data of [made, JSON.parse(JSON.stringify(made)), structuredClone(made)])
        runWithCarrier(data, () => {
          expect([id(), get("a"), get("b")]).toEqual([7, 1, undefined]);
          expect(made.traceparent).toContain(`${traceId()}-${parentSpanId()}`);
        });
    });
  });

  test.each([
    undefined,
    null,
    1,
    "carrier",
    [],
    {},
    { id: "a b" },
    { id: "a\nb" },
    { id: "" },
    { id: "a".repeat(129) },
    { id: {} },
    { id: ["a"] },
    { traceparent: "00-0-0-0" },
    { traceparent: 1, tracestate: "a=1" },
    { values: "text" },
    { values: [] },
    { values: null },
    Object.create({ id: "inherited", values: { a: 1 } }),
    {
      get id() {
        throw new RangeError("no");
      },
    },
    new Proxy(
      {},
      {
        getOwnPropertyDescriptor() {
          throw new RangeError("no");
        },
      },
    ),
  ])("invalid data is ignored (%#)", (data) => {
    runWithCarrier(data, () => {
      expect(id()).toMatch(UUID_V4);
      expect([parentSpanId(), tracestate(), get("a")]).toEqual([undefined, undefined, undefined]);
      expect(traceId()).toMatch(/^[0-9a-f]{32}$/);
    });
  });

  test("invalid values, and values over the limit, are ignored", () => {
    const bad = { a: {}, b: "x".repeat(1025), c: 1n, e: "\ud800", [`k${"x".repeat(255)}`]: 1, ["é".repeat(128)]: 1 };
    const values: Record<string, unknown> = { ...bad, "\udc00": 1, d: 1 };
    for (let i = 0; i < 300; i++) values[`v${i}`] = i;
    runWithCarrier({ values }, () => {
      expect([...Object.keys(bad), "\udc00", "d", "v0", "v253", "v254"].map(get)).toEqual([
        ...Array(7).fill(undefined),
        1,
        0,
        253,
        undefined,
      ]);
    });
  });

  test("a tracestate alone is ignored, an invalid one does not affect the trace", () => {
    runWithCarrier({ tracestate: "a=1" }, () => expect(tracestate()).toBeUndefined());
    runWithCarrier({ traceparent: TRACEPARENT, tracestate: "A=1" }, () => {
      expect([tracestate(), parentSpanId()]).toEqual([undefined, "b7ad6b7169203331"]);
    });
  });

  test("needs a function", () => {
    expect(() => runWithCarrier({}, undefined as never)).toThrow(refused);
    expect(context()).toBeUndefined();
  });

  test("in a worker, which begins with no context", async () => {
    const source = `
      const { parentPort, workerData } = require("node:worker_threads");
      const { id, get, runWithCarrier, traceId } = require(${JSON.stringify(
        new URL("../build/index.js", import.meta.url).pathname,
      )});
      parentPort.postMessage([id(), ...runWithCarrier(workerData, () => [id(), get("a"), traceId()])]);`;
    await runWithId(async () => {
      set("a", 1);
      const worker = new Worker(source, { eval: true, workerData: carrier({ values: ["a"] }) });
      const [answer] = await once(worker, "message");
      expect(answer).toEqual([undefined, "mine", 1, traceId()]);
    }, "mine");
  });
});

describe("a queue", () => {
  test("of a worker: each job has the id, the values and the trace of who sent it", async () => {
    const source = `
      const { parentPort } = require("node:worker_threads");
      const { id, get, parentSpanId, runWithCarrier, traceId } = require(${JSON.stringify(
        new URL("../build/index.js", import.meta.url).pathname,
      )});
      parentPort.on("message", ({ job, trace }) => runWithCarrier(trace, () => {
        setTimeout(() => parentPort.postMessage([job, id(), get("user"), traceId(), parentSpanId()]), (job * 7) % 5);
      }));`;
    const worker = new Worker(source, { eval: true });
    const expected = Array.from({ length: 50 }, (_, job) =>
      runWithId(() => {
        set("user", `user-${job}`);
        worker.postMessage({ job, trace: carrier({ values: ["user"] }) });
        return [job, `id-${job}`, `user-${job}`, traceId(), spanId()];
      }, `id-${job}`),
    );
    const answers: unknown[][] = [];
    worker.on("message", (answer: unknown[]) => answers.push(answer));
    while (answers.length < expected.length) await once(worker, "message");
    await worker.terminate();
    expect(answers.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual(expected);
  });

  test("of JSON texts, read by another context", () => {
    const queue: string[] = [];
    runWithId(() => queue.push(JSON.stringify({ job: 1, trace: carrier() })), "sender");
    runWithId(() => {
      const { trace } = JSON.parse(queue.shift()!);
      expect(runWithCarrier(trace, id)).toBe("sender");
      expect(id()).toBe("reader");
    }, "reader");
  });
});
