/** Getters, proxies and nested calls: their errors have a path and leave no trace in the codec. */

import { caught } from "@moonpack/harness/caught.ts";
import { toHex } from "@moonpack/harness/hex.ts";
import * as pck from "@moonpack/pck";
import { codec, EncodeError } from "@moonpack/pck";
import { describe, expect, test } from "vitest";
import { endpointOf, engines } from "./harness/engines.ts";

const { ARRAY, REF, U8, UTF8 } = pck;
const Inner = pck.schema("Inner", pck.u8("x"), pck.omitEmpty(pck.utf8("t")));
const Root = pck.schema(
  "Root",
  pck.u8("n"),
  pck.ref("inner", Inner),
  pck.array("list", REF(Inner)),
  pck.map("map", UTF8, REF(Inner)),
  pck.union("arm", { inner: Inner }),
  pck.bool("flag"),
  pck.omitZero(pck.u16("z")),
  pck.array("rows", ARRAY(U8)),
);

function value(): Record<string, unknown> {
  return {
    n: 1,
    inner: { x: 2, t: "t" },
    list: [{ x: 3 }, { x: 4 }],
    map: new Map([["k", { x: 5 }]]),
    arm: { kind: "inner", x: 6 },
    flag: true,
    z: 7,
    rows: [[8], [9, 10]],
  };
}

const boom = new Error("boom");
function throwing<T extends object>(target: T, name: string): T {
  return Object.defineProperty(target, name, {
    get() {
      throw boom;
    },
    enumerable: true,
  });
}

for (const engine of engines()) {
  describe(engine.name, () => {
    const root = endpointOf(engine, Root);
    const want = toHex(root.encode(value()));

    test("an error of a getter is ERR_USER_CODE with path and cause, at any place", () => {
      for (const [path, make] of [
        ["$.n", () => throwing(value(), "n")],
        ["$.flag", () => throwing(value(), "flag")],
        ["$.z", () => throwing(value(), "z")],
        ["$.inner", () => throwing(value(), "inner")],
        ["$.inner.x", () => ({ ...value(), inner: throwing({}, "x") })],
        ["$.inner.t", () => ({ ...value(), inner: throwing({ x: 1 }, "t") })],
        ["$.list[1].x", () => ({ ...value(), list: [{ x: 1 }, throwing({}, "x")] })],
        ["$.list[0]", () => ({ ...value(), list: throwing([] as unknown[], "0") })],
        ['$.map["k"].x', () => ({ ...value(), map: new Map([["k", throwing({}, "x")]]) })],
        ["$.arm.kind", () => ({ ...value(), arm: throwing({ x: 1 }, "kind") })],
        ["$.arm.x", () => ({ ...value(), arm: throwing({ kind: "inner" }, "x") })],
        ["$.rows[1][0]", () => ({ ...value(), rows: [[1], throwing([] as unknown[], "0")] })],
      ] as const) {
        const error = caught(() => root.encode(make()));
        expect(error).toBeInstanceOf(EncodeError);
        const { code, path: at, cause } = error as EncodeError;
        expect(`${code} ${at}`).toBe(`ERR_USER_CODE ${path}`);
        expect(cause).toBe(boom);
        expect(toHex(root.encode(value()))).toBe(want);
      }
    });

    test("any thrown value", () => {
      for (const thrown of [undefined, null, "text", 5, Symbol("s"), { code: "ERR_LIMIT_DEPTH" }]) {
        const get = () => {
          throw thrown;
        };
        const error = caught(() => root.encode(Object.defineProperty(value(), "n", { get })));
        expect((error as EncodeError).code).toBe("ERR_USER_CODE");
        expect((error as EncodeError).cause).toBe(thrown);
      }
    });

    test("an error of a codec that a getter uses is the getter's error", () => {
      const inner = endpointOf(engine, Inner);
      const broken = {
        ...value(),
        inner: {
          get x() {
            return inner.encode({ x: 256 }).length;
          },
        },
      };
      const error = caught(() => root.encode(broken)) as EncodeError;
      expect(`${error.code} ${error.path}`).toBe("ERR_USER_CODE $.inner.x");
      expect(`${(error.cause as EncodeError).code} ${(error.cause as EncodeError).path}`).toBe("ERR_OUT_OF_RANGE $.x");
    });

    test("a getter uses the same codec, in both directions, at any depth", () => {
      let calls = 0;
      const nested = (depth: number): Record<string, unknown> =>
        Object.defineProperty(value(), "n", {
          get() {
            calls++;
            const bytes = root.encode(depth === 0 ? value() : nested(depth - 1));
            expect(toHex(bytes)).toBe(want);
            return (root.decode(bytes) as { readonly n: number }).n;
          },
        });
      expect(toHex(root.encode(nested(20)))).toBe(want);
      expect(calls).toBe(21);
    });

    test("a getter that changes the length of the list that is being written", () => {
      const list: object[] = [];
      list.push(
        {
          get x() {
            list.length = 1;
            return 1;
          },
        },
        { x: 2 },
      );
      const error = caught(() => root.encode({ ...value(), list })) as EncodeError;
      expect(`${error.code} ${error.path}`).toBe("ERR_UNSUPPORTED_TYPE $.list[1]");
      const growing: object[] = [];
      growing.push({
        get x() {
          growing.push({ x: 9 });
          return 1;
        },
      });
      expect((root.decode(root.encode({ ...value(), list: growing })) as { list: unknown[] }).list.length).toBe(1);
      expect(growing.length).toBe(2);
    });

    test("a getter that changes the map that is being written", () => {
      const map = new Map<string, object>();
      map.set("a", {
        get x() {
          map.delete("b");
          map.set("c", { x: 3 });
          return 1;
        },
      });
      map.set("b", { x: 2 });
      const back = root.decode(root.encode({ ...value(), map })) as { map: Map<string, unknown> };
      expect([...back.map.keys()].join()).toBe("a,b");
    });

    test("a getter is called once for each written value", () => {
      const counts = new Map<string, number>();
      const counting = (target: object): object =>
        new Proxy(target, {
          get(of, name, receiver) {
            counts.set(String(name), (counts.get(String(name)) ?? 0) + 1);
            return Reflect.get(of, name, receiver) as unknown;
          },
        });
      root.encode({ ...value(), inner: counting({ x: 2, t: "t" }), arm: counting({ kind: "inner", x: 6, t: "u" }) });
      expect(
        [...counts]
          .map(([name, count]) => `${name} ${count}`)
          .sort()
          .join(),
      ).toBe("kind 1,t 2,x 2");
    });
  });
}

test("revoked proxies, and proxies that throw", () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const schema = codec(Root as pck.AnySchema as pck.Schema<unknown, unknown>);
  for (const inner of [
    proxy,
    new Proxy([], {
      get: () => {
        throw boom;
      },
    }),
    new Proxy(
      {},
      {
        get: () => {
          throw boom;
        },
      },
    ),
  ]) {
    const error = caught(() => schema.encode({ ...value(), inner })) as EncodeError;
    expect(error).toBeInstanceOf(EncodeError);
    expect(error.path.startsWith("$.inner")).toBe(true);
  }
  expect(caught(() => schema.encode(proxy))).toBeInstanceOf(EncodeError);
});
