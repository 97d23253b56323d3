/** What a bound function is bound to, as V8's inspector tells it. */
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { partsOfBound } from "../src/outgoing/bound-function.ts";

function dispatch(this: unknown): unknown {
  return this;
}

test("the function and its receiver, also of another realm; no trap of a proxy runs", () => {
  const trap = (): never => expect.unreachable("a trap ran");
  const receiver = new Proxy({}, { get: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap });
  const parts = partsOfBound(dispatch.bind(receiver))!;
  expect(Object.is(parts.target, dispatch)).toBe(true);
  expect(Object.is(parts.receiver, receiver)).toBe(true);
  const other = runInNewContext("const o = { f() {} }; o.bound = o.f.bind(o); o") as Record<string, unknown>;
  expect(partsOfBound(other.bound)).toEqual({ target: other.f, receiver: other });
});

test.each([
  ["a function that is not bound", dispatch],
  ["one with bound arguments", dispatch.bind({}, ...([1] as unknown as []))],
  ["a proxy of one", new Proxy(dispatch.bind({}), {})],
  ["no function", {}],
  ["nothing", undefined],
])("%s: undefined", (_, value) => {
  expect(partsOfBound(value)).toBeUndefined();
});
