/** Byte streams fill the reader's buffer: one buffer for the whole stream, however many chunks there are. */
import { describe, expect, test } from "vitest";
import { childResult } from "../harness/child.ts";
import { heldByEach } from "../harness/held.ts";

/** Endless streams with one message in each chunk. */
const SETUP = `
  import { encode } from "moonpack";
  import { decodeFrames, decodeStream } from "moonpack/stream";
  const payload = encode({ id: 1, text: "a message of its own in a chunk" });
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

const readers = [
  ["decodeStream", "(stream) => decodeStream(stream)"],
  ["decodeStream, with a signal", "(stream) => decodeStream(stream, { signal: new AbortController().signal })"],
  ["decodeFrames", "(stream) => decodeFrames(stream)"],
] as const;

describe.each(["enqueue", "respond"])("a source that calls %s", (kind) => {
  test.each(readers)("%s: no memory is held for chunks that were read", (_, open) => {
    const chunks = 1000;
    const held = heldByEach(
      `${SETUP} const open = ${open};`,
      {
        few: `() => take(open(streams.${kind}()), 10)`,
        many: `(iterator) => take(iterator, ${chunks})`,
      },
      10,
    );
    // A reaction on a long-lived promise, or a view of the chunk, would take more.
    expect(held.many - held.few).toBeLessThan(50 * chunks);
  });

  test.each(readers)("%s: no buffer is allocated for each chunk", (_, open) => {
    const allocated = childResult<{ few: number; many: number }>(`
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
      const open = ${open};
      const run = async (count) => {
        const before = bytes;
        await take(open(streams.${kind}()), count);
        return bytes - before;
      };
      await run(10);
      console.log(JSON.stringify({ few: await run(10), many: await run(1000) }));
    `);
    expect(allocated.few).toBeGreaterThanOrEqual(65_536);
    expect(allocated.few).toBeLessThan(2 * 65_536);
    // The frames, which are copies.
    expect(allocated.many - allocated.few).toBeLessThan(990 * 100);
  });
});
