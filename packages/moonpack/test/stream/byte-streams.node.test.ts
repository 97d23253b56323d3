/** Byte streams fill the reader's buffer: one buffer for the whole stream, however many chunks there are. */

import { childResult } from "@moonpack/harness/child.ts";
import { isWhole } from "@moonpack/harness/effort.ts";
import { type CaseOutcome, retainedIn, retainedInCases } from "@moonpack/harness/retained-memory.ts";
import { beforeAll, describe, expect, test } from "vitest";

/** Endless streams with one message in each chunk. */
const SETUP = `
  import { encode } from "moonpack";
  import { decodeFrames, decodeStream } from "moonpack/stream";
  const payload = encode({ id: 1, text: "a message alone in a chunk" });
  const MESSAGE = new Uint8Array([payload.length, ...payload]); // a number and a map, or a frame
  const streams = {
    enqueue: () => new ReadableStream({ type: "bytes", pull(controller) { controller.enqueue(MESSAGE.slice()); } }),
    respond: () => new ReadableStream({
      type: "bytes",
      pull({ byobRequest }) {
        byobRequest.view.set(MESSAGE);
        byobRequest.respond(MESSAGE.length);
      },
    }),
  };
  const take = async (iterator, count) => {
    for (let i = 0; i < count; i++) if ((await iterator.next()).done) throw new Error("no value");
    return iterator;
  };
`;

const KINDS = ["enqueue", "respond"];
/** A share takes the last one. */
const READERS = (
  [
    ["decodeStream", "decodeStream"],
    ["decodeStream, with a signal", "(stream) => decodeStream(stream, { signal: new AbortController().signal })"],
    ["decodeFrames", "decodeFrames"],
  ] as const
).slice(isWhole ? 0 : -1);
/** All of them in one process: to start one and to load the library takes longer than each. */
const CASES = KINDS.flatMap((kind) =>
  READERS.map(([name, open]) => ({
    name: `a source that calls ${kind}, ${name}`,
    opened: `(${open})(streams.${kind}())`,
  })),
);
const named = CASES.map(({ name }, i) => [name, i] as const);

describe("no memory is held for chunks that were read", () => {
  const chunks = 1000;
  let outcomes: readonly CaseOutcome<"few" | "many">[];
  beforeAll(() => {
    const steps = CASES.map(({ opened }) => ({
      few: `() => take(${opened}, 10)`,
      many: `(iterator) => take(iterator, ${chunks})`,
    }));
    outcomes = retainedInCases(SETUP, steps, { count: 10 });
  });

  test.each(named)("%s", (_, i) => {
    const { few, many } = retainedIn(outcomes[i]!);
    // A reaction on a long-lived promise, or a view of the chunk, would take more.
    expect(many - few).toBeLessThan(50 * chunks);
  });
});

describe("no buffer is allocated for each chunk", () => {
  let allocated: readonly { readonly few: number; readonly many: number }[];
  beforeAll(() => {
    allocated = childResult(`
      // Counts every new buffer with an explicit size.
      let bytes = 0;
      const counted = (Original) => new Proxy(Original, {
        construct(target, args, newTarget) {
          if (typeof args[0] === "number") bytes += args[0];
          return Reflect.construct(target, args, newTarget);
        },
      });
      globalThis.ArrayBuffer = counted(ArrayBuffer);
      globalThis.Uint8Array = counted(Uint8Array);
      const { decodeFrames, decodeStream } = await import("moonpack/stream");
      const { encode } = await import("moonpack");
      ${SETUP.replace(/import .*/g, "")}
      const run = async (open, count) => {
        const before = bytes;
        await take(open(), count);
        return bytes - before;
      };
      const all = [];
      for (const open of [${CASES.map(({ opened }) => `() => ${opened}`).join(", ")}]) {
        await run(open, 10);
        all.push({ few: await run(open, 10), many: await run(open, 1000) });
      }
      console.log(JSON.stringify(all));
    `);
  });

  test.each(named)("%s", (_, i) => {
    const { few, many } = allocated[i]!;
    expect(few).toBeGreaterThanOrEqual(65_536);
    expect(few).toBeLessThan(2 * 65_536);
    // The frames, which are copies.
    expect(many - few).toBeLessThan(990 * 100);
  });
});
