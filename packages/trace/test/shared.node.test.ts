/** The property of the global object with the state that copies share: found safely, and never changed without a new number. */
import { describe, expect, test } from "vitest";
import { installedNodes, run } from "./harness/nodes.ts";

const nodes = await installedNodes();
const KEY = `Symbol.for("@moonpack/trace.1")`;
const DESCRIPTORS = `["get", "set", "configurable", "storage", "Context"]`;
/** Loads both forms after some code, and prints an id in a context of each, then one that the other form reads. */
const loads = (before: string, after = ""): string => `
  (async () => {
    ${before}
    const one = require("@moonpack/trace");
    ${after}
    const two = await import("@moonpack/trace");
    const ids = [one, two].map(({ runWithId, id }) => runWithId(id, 7));
    console.log(JSON.stringify([...ids, one.runWithId(two.id, 7) ?? null]));
  })();`;

describe.each(nodes)("Node $version", (node) => {
  test.each([
    ["nothing before", ""],
    ["a polluted prototype", `Object.prototype[${KEY}] = { storage: 1 };`],
    // Node's own code does not run with these.
    [
      "a prototype with parts of descriptors, for require(): import() of Node fails",
      `for (const key of ${DESCRIPTORS})
        Object.defineProperty(Object.prototype, key, { __proto__: null, value: () => true, configurable: true });`,
      `for (const key of ${DESCRIPTORS}) delete Object.prototype[key];`,
    ],
  ])("%s: both forms share", (_title, before, after?: string) => {
    expect(run(node, loads(before, after), "commonjs")).toEqual([7, 7, 7]);
  });

  test.each([
    ["a number", `globalThis[${KEY}] = 7;`],
    ["an object that anybody can replace", `globalThis[${KEY}] = { __proto__: null, storage: 1 };`],
    ["an object with a prototype", `Object.defineProperty(globalThis, ${KEY}, { value: { storage: 1 } });`],
    ["null", `Object.defineProperty(globalThis, ${KEY}, { value: null });`],
    ["a getter", `Object.defineProperty(globalThis, ${KEY}, { get() { throw new Error("read"); } });`],
    // Node adds undici's dispatcher when the first of its classes is used.
    ["a global object that is not extensible", "void Response; Object.preventExtensions(globalThis);"],
  ])("%s: each form works alone", (_title, before) => {
    expect(run(node, loads(before), "commonjs")).toEqual([7, 7, null]);
  });

  test("the property is not enumerable, and cannot be changed", () => {
    const program = `require("@moonpack/trace");
      const { value, ...flags } = Object.getOwnPropertyDescriptor(globalThis, ${KEY});
      console.log(JSON.stringify([flags, Object.getPrototypeOf(value)]));`;
    const flags = { writable: false, enumerable: false, configurable: false };
    expect(run(node, program, "commonjs")).toEqual([flags, null]);
  });
});

test("its parts, and the members that copies read of each other: a change needs a new number in src/shared.ts", () => {
  const program = `
    const trace = require("@moonpack/trace");
    const { value: state } = Object.getOwnPropertyDescriptor(globalThis, ${KEY});
    const members = (value) => [...Object.keys(value), ...Object.getOwnPropertyNames(Object.getPrototypeOf(value))].sort();
    const outgoing = trace.propagate({ to: "any" });
    const [propagation] = state.propagations.active;
    outgoing.stop();
    trace.runWithId(() => {
      const { EventEmitter } = require("node:events");
      const request = Object.assign(new EventEmitter(), { headers: {} });
      trace.httpListener(() => {})(request, new EventEmitter());
      const [key] = Object.getOwnPropertySymbols(request).filter((each) => String(each).includes("binding"));
      console.log(JSON.stringify({
        parts: Object.keys(state).sort(),
        context: members(trace.context()),
        contexts: Object.getOwnPropertyNames(state.Context).sort(),
        span: members(trace.context().span),
        propagations: Object.keys(state.propagations).sort(),
        propagation: Object.keys(propagation).sort(),
        uuidv7: Object.keys(state.uuidv7).sort(),
        binding: Object.keys(request[key]).sort(),
        owner: members(request[key].owner),
      }));
    });`;
  expect(run(nodes[0]!, program, "commonjs")).toEqual({
    parts: [
      "Context",
      "TraceArgumentError",
      "TraceCarrier",
      "TraceFactoryError",
      "dispatchers",
      "propagations",
      "spanSource",
      "storage",
      "uuidv7",
      "warnings",
    ],
    context: [
      "become",
      "constructor",
      "copy",
      "get",
      "id",
      "isShared",
      "nested",
      "nestedSpan",
      "newTraceFlags",
      "ownSpan",
      "parentSpanId",
      "request",
      "requestId",
      "set",
      "span",
      "spanId",
      "startTrace",
      "traceId",
      "values",
    ],
    contexts: ["empty", "length", "name", "prototype", "root"],
    span: ["child", "constructor", "flags", "parentSpanId", "spanId", "traceId", "traceparent", "tracestate"],
    propagations: ["active", "restore"],
    propagation: ["headerName", "isAllowed"],
    uuidv7: ["counter", "high", "low", "time"],
    binding: ["addListener", "end", "isForeign", "on", "owner", "prependListener", "removals", "write"],
    owner: ["constructor", "context", "resource"],
  });
});
