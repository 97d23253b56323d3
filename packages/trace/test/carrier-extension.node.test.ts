/** Carriers as an extension of MessagePack: their bytes, their limits, damage. */
import { decode, Extensions, encode } from "moonpack";
import { describe, expect, test } from "vitest";
import {
  carrier,
  carrierExtension,
  id,
  newTraceId,
  parentSpanId,
  runWithCarrier,
  runWithId,
  TraceCarrier,
  traceparent,
} from "../src/index.ts";
import { full, TRACEPARENT } from "./harness/carriers.ts";
import { installedNodes, run } from "./harness/nodes.ts";
import { collectWarnings } from "./harness/warnings.ts";

// Of what carriers leave out.
collectWarnings();

const CODE = "MOONPACK_TRACE_CARRIER";
const refused = expect.objectContaining({ name: "TypeError", code: "ERR_INVALID_ARGUMENT" });
const nodes = await installedNodes();
const { encode: toBytes, decode: fromBytes } = carrierExtension();

describe("the extension", () => {
  test("has type 116, or another", () => {
    expect([carrierExtension().type, carrierExtension({ type: 1 }).type]).toEqual([116, 1]);
    for (const bad of [null, 1, { type: -1 }, { type: 128 }, { type: 1.5 }, { type: "1" }])
      expect(() => carrierExtension(bad as never)).toThrow(refused);
  });

  test("goes through moonpack", () => {
    const extensions = new Extensions().register(carrierExtension());
    const made = runWithId(() => carrier(), "job-1")!;
    const bytes = encode({ job: 1, trace: made }, { extensions });
    expect(decode(bytes, { extensions })).toEqual({ job: 1, trace: made });
    expect((decode(bytes, { extensions }) as { trace: unknown }).trace).toBeInstanceOf(TraceCarrier);
  });

  test("the bytes match the documentation", () => {
    const carried = new TraceCarrier("id", TRACEPARENT, "a=1", { a: null, b: false, c: true, d: 0.5, e: "é" });
    expect(Buffer.from(toBytes(carried)).toString("hex")).toBe(
      [
        "010f",
        "0af7651916cd43dd8448eb211c80319c",
        "b7ad6b7169203331",
        "01",
        "026964",
        "0003613d31",
        "05",
        "016100",
        "016201",
        "016302",
        "0164033fe0000000000000",
        "0165040002c3a9",
      ].join(""),
    );
    expect(Buffer.from(toBytes(new TraceCarrier(1.5))).toString("hex")).toBe("01113ff8000000000000");
    expect(Buffer.from(toBytes(new TraceCarrier())).toString("hex")).toBe("0100");
  });

  test.each([
    full,
    new TraceCarrier(),
    new TraceCarrier(0),
    new TraceCarrier(-1.5, TRACEPARENT),
    new TraceCarrier("a".repeat(128), undefined, undefined, { a: "x".repeat(1024), ["k".repeat(255)]: -0 }),
    new TraceCarrier("a", TRACEPARENT, "a=1", Object.fromEntries([["__proto__", "a"]])),
  ])("carriers are read back (%#)", (carried) => {
    expect(fromBytes(toBytes(carried))).toStrictEqual(carried);
  });

  test("invalid parts of a carrier are not written", () => {
    for (const bad of [{ id: "a b" }, { traceparent: "x" }, { tracestate: "a=1" }, { values: { a: {} } }, null])
      expect(toBytes(bad as never)).toEqual(new Uint8Array([1, 0]));
  });

  test("only a key or a value that is too long is left out", () => {
    const values = {
      ["é".repeat(128)]: 1,
      b: 2,
      ["日".repeat(86)]: 3,
      c: "x".repeat(1025),
      d: 4,
      "\ud800": 5,
      e: "\udc00",
    };
    const all = { ...values, ["k".repeat(255)]: 6, ["é".repeat(127)]: 7 };
    expect(fromBytes(toBytes(new TraceCarrier("a", undefined, undefined, all as never)))).toStrictEqual(
      new TraceCarrier("a", undefined, undefined, { b: 2, d: 4, ["k".repeat(255)]: 6, ["é".repeat(127)]: 7 }),
    );
  });

  test("takes at most 255 values", () => {
    const values = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`v${i}`, i]));
    const read = fromBytes(toBytes(new TraceCarrier(1, undefined, undefined, values))).values!;
    expect(Object.keys(read)).toEqual(Object.keys(values).slice(0, 255));
  });

  test("an id of 128 characters goes, a longer one does not", () => {
    for (const [length, kept] of [
      [128, true],
      [129, false],
    ] as const)
      expect(fromBytes(toBytes(new TraceCarrier("a".repeat(length)))).id !== undefined).toBe(kept);
  });

  const warned = (action: string): unknown =>
    run(
      nodes[0]!,
      `import { carrier, carrierExtension, expressMiddleware, runWithId, set, TraceCarrier } from "@moonpack/trace";
      const inFactory = () => expressMiddleware({ requestIdFactory: () => encode(carrier()) })({}, {}, () => undefined);
      const warned = [];
      process.emitWarning = (text, { code }) => warned.push(code, text);
      const { encode } = carrierExtension();
      const encodeValues = (values) => encode(new TraceCarrier(1, undefined, undefined, values));
      const withValue = (value) => runWithId(() => (set("a", value), carrier({ values: ["a", "none"] })), "a-1");
      for (let i = 0; i < 3; i++) ${action};
      console.log(JSON.stringify(warned));`,
    );

  test.each([
    ['encode(withValue("x"))', []],
    ["encode(new TraceCarrier())", []],
    ["inFactory()", []], // before there is an id
    ["encode(new TraceCarrier(Number.NaN))", []],
    ['runWithId(carrier, "job 12")', [CODE, expect.not.stringContaining("job 12")]],
    ['encode(new TraceCarrier("job 12"))', [CODE, expect.not.stringContaining("job 12")]],
    ["withValue({})", [CODE, expect.stringContaining('key "a"')]],
    ['encodeValues({ ["k".repeat(256)]: 1 })', [CODE, expect.stringContaining("a value")]],
    [
      'encodeValues(Object.fromEntries([..."abcde"].map((key) => [key, "x".repeat(1024)])))',
      [CODE, expect.stringContaining("a value")],
    ],
  ])("missing parts cause one warning: %s", (action, expected) => {
    expect(warned(action)).toEqual(expected);
  });

  test("has at most 4,096 bytes: only a value that does not fit is left out", () => {
    const values = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`v${i}`, String(i).repeat(1000)]));
    const bytes = toBytes(new TraceCarrier("a", TRACEPARENT, undefined, values));
    expect(bytes.length).toBeLessThanOrEqual(4096);
    expect(Object.keys(fromBytes(bytes).values!)).toEqual(["v0", "v1", "v2", "v3"]);
    const mixed = { ...values, small: 1, none: null };
    const read = fromBytes(toBytes(new TraceCarrier("a", TRACEPARENT, "a=1", mixed)));
    expect(Object.keys(read.values!)).toEqual(["v0", "v1", "v2", "v3", "small", "none"]);
    expect([read.id, read.traceparent, read.tracestate]).toEqual(["a", TRACEPARENT, "a=1"]);
  });

  test("each prefix, and each byte more, is an empty carrier", () => {
    const bytes = toBytes(full);
    for (let length = 0; length < bytes.length; length++)
      expect(fromBytes(bytes.subarray(0, length)), `${length} bytes`).toStrictEqual(new TraceCarrier());
    expect(fromBytes(new Uint8Array([...bytes, 0]))).toStrictEqual(new TraceCarrier());
  });

  test.each([
    ["another version", [2, 0]],
    ["unknown flags", [1, 32]],
    ["a number without an id", [1, 16]],
    ["an unknown kind", [1, 8, 1, 1, 97, 5]],
    ["text that is not UTF-8", [1, 1, 1, 0xff]],
    ["more than 4,096 bytes", [1, 0, ...Array(4095).fill(0)]],
  ])("%s: an empty carrier", (_name, bytes) => {
    expect(fromBytes(new Uint8Array(bytes))).toStrictEqual(new TraceCarrier());
  });

  test("any change of any byte never throws, and never gives an invalid carrier", () => {
    const bytes = toBytes(full);
    for (let at = 0; at < bytes.length; at++)
      for (let value = 0; value < 256; value++) {
        const damaged = bytes.slice();
        damaged[at] = value;
        const read = fromBytes(damaged);
        runWithCarrier(read, () => {
          if (typeof id() === "string") expect(id()).toMatch(/^[A-Za-z0-9\-._~:;/+=@|]{1,128}$/);
          expect(traceparent()).toMatch(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-0[0-3]$/);
        });
      }
  });

  test("a trace of zeros is not continued", () => {
    const bytes = toBytes(new TraceCarrier(undefined, `00-${newTraceId()}-b7ad6b7169203331-01`)).fill(0, 2, 18);
    runWithCarrier(fromBytes(bytes), () => expect(parentSpanId()).toBeUndefined());
  });
});

/** Bytes of the heap for each byte of the smallest carrier that has one value, with this key. */
const PROGRAM = `
  import { carrierExtension } from "@moonpack/trace";
  const { decode } = carrierExtension();
  const taken = (key) => {
    const bytes = Uint8Array.of(1, 8, 1, key.length, ...Buffer.from(key), 0);
    const kept = Array.from({ length: 5000 }, () => undefined);
    gc();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < kept.length; i++) kept[i] = decode(bytes);
    gc();
    return (process.memoryUsage().heapUsed - before) / kept.length / bytes.length;
  };
  console.log(JSON.stringify(["1023", "999", "17", "a"].map(taken)));`;

test.each(nodes)("Node $version: a value allocates no empty array, for any key", (node) => {
  for (const taken of run(node, PROGRAM, "module", ["--expose-gc"]) as number[]) expect(taken).toBeLessThan(100);
});

test("keys may be array indices", () => {
  const values = { 0: 1, 1023: "a", 4294967294: true, 4294967295: null, b: 2, ["__proto__"]: 3 };
  const read = fromBytes(toBytes(new TraceCarrier("id", undefined, undefined, values)));
  expect(Object.entries(read.values!)).toEqual(Object.entries(values));
  expect(Object.getPrototypeOf(read.values)).toBe(Object.prototype);
  expect(Object.keys(fromBytes(toBytes(full)).values!)).not.toContain("4294967294");
});
