/** Contexts: ids, values, spans; what is inherited; running code in them. */
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
  bind,
  type Context,
  context,
  get,
  id,
  parentSpanId,
  runWithContext,
  runWithId,
  runWithSpan,
  set,
  spanId,
  traceId,
  traceparent,
  tracestate,
} from "../src/index.ts";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const refused = expect.objectContaining({ name: "TypeError", code: "ERR_INVALID_ARGUMENT" });

describe("outside", () => {
  test("everything is undefined, and nothing can be set", () => {
    expect([id(), context(), traceId(), spanId(), parentSpanId(), traceparent(), tracestate(), get("a")]).toEqual(
      Array(8).fill(undefined),
    );
    expect(set("a", 1)).toBe(false);
  });

  test("it is so again after a context, also one that failed", async () => {
    expect(() =>
      runWithId(() => {
        throw new RangeError("no");
      }, 1),
    ).toThrow(RangeError);
    expect(id()).toBeUndefined();
    await expect(runWithId(() => Promise.reject(new RangeError("no")), 1)).rejects.toThrow(RangeError);
    expect(id()).toBeUndefined();
  });
});

describe("runWithId", () => {
  test("returns the result of the function", async () => {
    expect(runWithId(() => 7, "a")).toBe(7);
    expect(await runWithId(async () => id(), "a")).toBe("a");
  });

  test.each([0, "", false, null, Number.NaN, 7n, "a"])("keeps the id %s", (value) => {
    runWithId(() => expect(id()).toBe(value), value);
  });

  test("keeps an object and a function as the id", () => {
    const object = { a: 1 };
    runWithId(() => expect(id()).toBe(object), object);
    runWithId(() => expect(id()).toBe(sleep), sleep);
  });

  test("only undefined is replaced, by a UUID that stays", async () => {
    await runWithId(async () => {
      const first = id();
      expect(first).toMatch(UUID_V4);
      await sleep(1);
      expect(id()).toBe(first);
    }, undefined);
  });

  test("refuses promises and values that are not functions, and calls nothing", () => {
    const calls: string[] = [];
    const call = () => calls.push("called");
    expect(() => runWithId(call, Promise.resolve("a"))).toThrow(refused);
    // biome-ignore lint/suspicious/noThenProperty: a promise of another library
    expect(() => runWithId(call, { then: () => 1 })).toThrow(refused);
    for (const fn of [undefined, null, "a", {}]) expect(() => runWithId(fn as never, "a")).toThrow(refused);
    expect(calls).toEqual([]);
  });

  test("within another: another id, the same trace", () => {
    runWithId(() => {
      const outer = [traceId(), spanId()];
      runWithId(() => {
        expect(id()).toBe("inner");
        expect([traceId(), spanId()]).toEqual(outer);
      }, "inner");
      expect(id()).toBe("outer");
    }, "outer");
  });

  test("follows timers, promises, callbacks, microtasks", async () => {
    const seen: unknown[] = [];
    const note = () => seen.push(id());
    await runWithId(async () => {
      setTimeout(note, 1);
      setImmediate(note);
      process.nextTick(note);
      queueMicrotask(note);
      Promise.resolve().then(note);
      await sleep(5);
      note();
    }, "a");
    expect(seen).toEqual(Array(6).fill("a"));
  });
});

describe("values", () => {
  test("any key, any value", () => {
    runWithId(() => {
      const key = {};
      for (const each of ["a", "__proto__", "", 1, Symbol.iterator, key, undefined, null, Number.NaN]) {
        expect(get(each)).toBeUndefined();
        expect(set(each, each)).toBe(true);
        expect(get(each)).toBe(each);
      }
      expect(get({})).toBeUndefined();
      set("a", undefined);
      expect(get("a")).toBeUndefined();
    });
  });

  test("an inner context inherits values, and changes only its own", () => {
    runWithId(() => {
      set("a", 1);
      for (const run of [runWithId, runWithSpan])
        run(() => {
          expect(get("a")).toBe(1);
          set("a", 2);
          set("b", 3);
          run(() => {
            expect([get("a"), get("b")]).toEqual([2, 3]);
            set("b", 4);
          });
          expect([get("a"), get("b")]).toEqual([2, 3]);
        });
      expect([get("a"), get("b")]).toEqual([1, undefined]);
      set("a", 5);
      expect(get("a")).toBe(5);
    });
  });

  test("later values of the outer context do not reach an inner one", async () => {
    await runWithId(async () => {
      set("a", 1);
      const inner = runWithId(async () => {
        await sleep(1);
        return get("a");
      });
      set("a", 2);
      expect([await inner, get("a")]).toEqual([1, 2]);
    });
  });

  test("two inner contexts do not see each other's", () => {
    runWithId(() => {
      set("a", 0);
      const first = runWithId(() => context());
      const second = runWithId(() => context());
      first!.set("a", 1);
      second!.set("a", 2);
      expect([first!.get("a"), second!.get("a"), get("a")]).toEqual([1, 2, 0]);
    });
  });
});

describe("spans", () => {
  test("a trace begins when it is read, sampled and with a random id", () => {
    runWithId(() => {
      expect(traceparent()).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-03$/);
      expect(traceparent()).toBe(`00-${traceId()}-${spanId()}-03`);
      expect([parentSpanId(), tracestate()]).toEqual([undefined, undefined]);
    });
  });

  test("an inner span has the same id and trace, and the outer span as its parent", () => {
    runWithId(() => {
      const outer = { id: id(), trace: traceId(), span: spanId() };
      runWithSpan(() => {
        const inner = spanId();
        expect([id(), traceId(), parentSpanId()]).toEqual([outer.id, outer.trace, outer.span]);
        expect(inner).not.toBe(outer.span);
        runWithSpan(() => expect([id(), traceId(), parentSpanId()]).toEqual([outer.id, outer.trace, inner]));
      });
      expect(spanId()).toBe(outer.span);
    });
  });

  test("outside of a context a span begins one", () => {
    expect(runWithSpan(() => [id(), traceId(), parentSpanId()])).toEqual([
      expect.stringMatching(UUID_V4),
      expect.stringMatching(/^[0-9a-f]{32}$/),
      undefined,
    ]);
  });

  test("each begins anew outside, and needs a function", () => {
    expect(runWithId(traceId)).not.toBe(runWithId(traceId));
    expect(() => runWithSpan("a" as never)).toThrow(refused);
  });
});

describe("runWithContext", () => {
  test("comes back to a context, and leaves it", () => {
    const [here, trace] = runWithId(() => [context(), traceId()], "a") as [Context, string];
    expect(runWithContext(here, () => [id(), traceId()])).toEqual(["a", trace]);
    runWithId(() => {
      expect(runWithContext(here, id)).toBe("a");
      expect(runWithContext(undefined, id)).toBeUndefined();
      expect(id()).toBe("b");
    }, "b");
  });

  test("a context can be read from anywhere", () => {
    const here = runWithId(() => {
      set("key", "value");
      return context()!;
    }, 7);
    expect([here.id, here.get("key")]).toEqual([7, "value"]);
    expect([here.traceId, here.spanId, here.parentSpanId]).toEqual(
      runWithContext(here, () => [traceId(), spanId(), undefined]),
    );
  });

  test("refuses other values", () => {
    for (const bad of [null, {}, "a", Object.create(null)])
      expect(() => runWithContext(bad as never, id)).toThrow(refused);
    expect(() => runWithContext(undefined, 1 as never)).toThrow(refused);
  });
});

describe("bind", () => {
  test("runs in the context of where it was bound", () => {
    const bound = runWithId(() => bind(() => id()), "a");
    expect(bound()).toBe("a");
    expect(runWithId(bound, "b")).toBe("a");
    const outside = bind(() => id());
    expect(runWithId(outside, "b")).toBeUndefined();
  });

  test("keeps this, arguments, result and length", () => {
    function add(this: { base: number }, a: number, b: number): number {
      return this.base + a + b;
    }
    const bound = bind(add);
    expect(bound.call({ base: 1 }, 2, 3)).toBe(6);
    expect([bound.length, bind(() => 1).length]).toEqual([2, 0]);
  });

  test("binds to the storages of others too", () => {
    const other = new AsyncLocalStorage<number>();
    const bound = other.run(1, () => runWithId(() => bind(() => [other.getStore(), id()]), "a"));
    expect(other.run(2, () => runWithId(bound, "b"))).toEqual([1, "a"]);
  });

  test("errors pass, and the context is left", () => {
    const bound = runWithId(
      () =>
        bind(() => {
          throw new RangeError("no");
        }),
      "a",
    );
    expect(bound).toThrow(RangeError);
    expect(id()).toBeUndefined();
  });

  test("refuses values that are not functions", () => {
    for (const bad of [undefined, null, {}, "a"]) expect(() => bind(bad as never)).toThrow(refused);
  });
});

test("a job that starts itself again in a new context keeps no earlier one", async () => {
  const first = await new Promise<WeakRef<Context>[]>((resolve) => {
    const made: WeakRef<Context>[] = [];
    const job = (left: number) =>
      runWithId(() => {
        set("turn", left);
        runWithSpan(() => {
          made.push(new WeakRef(context()!));
          if (left > 0) setImmediate(job, left - 1);
          else resolve(made);
        });
      });
    job(50);
  });
  await sleep(10);
  global.gc!();
  expect(first.filter((made) => made.deref() !== undefined).length).toBeLessThan(5);
});
