/**
 * A queue holds only its backlog, however many items have passed through. The test pushes one item and takes one, again and
 * again, and the queue never runs empty. With `CI=true` there are ten million items, or 300,000 where each is awaited.
 */

import { childResult } from "@moonpack/harness/child.ts";
import { isWhole } from "@moonpack/harness/effort.ts";
import { USED } from "@moonpack/harness/retained-memory.ts";
import { beforeAll, describe, expect, test } from "vitest";

const FULL = process.env.CI === "true" || process.env.MOONPACK_ALL === "1";
const AT_ONCE = FULL ? 10_000_000 : 100_000;
const AWAITED = FULL ? 300_000 : 100_000;
/** A queue that kept 8 bytes for each item would exceed this limit. */
const LIMIT = 600_000;

const SETUP = `
  import { Writable } from "node:stream";
  import { Socket } from "node:net";
  import { encode } from "moonpack";
  import { encodeFrame, FrameSplitter } from "moonpack/bytes";
  import { DecodeStream, EncodeStream, PipelinedWriter } from "moonpack/node";
  import { ContainerReader, ContainerWriter, schema, u8 } from "@moonpack/pck";
  import * as web from "moonpack/stream";
  const message = encode([1, 2]);
  const frame = encodeFrame(message);
  const some = (value) => { if (value === null || value === undefined) throw new Error("nothing"); };

  /** Web streams: \`ahead\` writes are under way, and a reader takes one result. */
  const webPair = ({ readable, writable }, item) => {
    const [writer, reader] = [writable.getWriter(), readable.getReader()];
    return { push: () => void writer.write(item), take: async () => some((await reader.read()).value) };
  };
  /** Node streams: what is written waits in either side's queue. */
  const nodePair = (stream, item) => {
    const wake = () => go?.();
    let go = null;
    stream.on("readable", wake);
    return {
      push: () => void stream.write(item),
      take: async () => {
        for (;;) {
          if (stream.read() !== null) return;
          await new Promise((resolve) => { go = resolve; });
        }
      },
    };
  };
  /** A writer whose sink says that a chunk is written when \`take\` is called. */
  const writerPair = (Base) => {
    const called = [];
    let isWaiting = null;
    class Slow extends Base {
      _write(chunk, encoding, callback) { isWaiting = callback; }
      _writev(chunks, callback) { isWaiting = callback; }
      _read() {}
    }
    const sink = new Slow({ highWaterMark: 1e9 });
    const writer = new PipelinedWriter(sink);
    return {
      push: () => { writer.write(1); writer.write(2); called.push(writer.flush()); },
      take: async () => {
        const done = isWaiting;
        isWaiting = null;
        done?.();
        await called.shift();
      },
    };
  };
`;

const immediate: [string, string][] = [
  ["FrameSplitter", `const s = new FrameSplitter(); return { push: () => s.push(frame), take: () => some(s.next()) };`],
  [
    "FrameSplitter, views",
    `const s = new FrameSplitter({ frames: "view" }); return { push: () => s.push(frame), take: () => some(s.next()) };`,
  ],
  [
    "StreamDecoder",
    `const d = new web.StreamDecoder(); const i = d[Symbol.iterator](); return { push: () => d.push(message), take: () => some(i.next().value) };`,
  ],
  [
    "ContainerReader",
    `const w = new ContainerWriter(schema(u8("a"))); const r = new ContainerReader(); r.push(w.take());
     w.add({ a: 1 }); const bytes = w.take();
     return { push: () => r.push(bytes), take: () => some(r.next()) };`,
  ],
];

const awaited: [string, string][] = [
  ["FrameDecoder", `return webPair(new web.FrameDecoder(), frame);`],
  ["FrameEncoder", `return webPair(new web.FrameEncoder(), message);`],
  ["Web DecodeStream", `return webPair(new web.DecodeStream(), message);`],
  ["Web EncodeStream", `return webPair(new web.EncodeStream({ flush: "each" }), 1);`],
  ["Node DecodeStream", `return nodePair(new DecodeStream(), message);`],
  ["Node EncodeStream", `return nodePair(new EncodeStream({ flush: "each" }), 1);`],
  ["PipelinedWriter, any Writable", `return writerPair(Writable);`],
  ["PipelinedWriter, a socket", `return writerPair(Socket);`],
  [
    "decodeStream, asked ahead",
    `const values = web.decodeStream((async function* () { for (;;) yield message; })());
     const asked = [];
     return { push: () => void asked.push(values.next()), take: async () => some((await asked.shift()).value) };`,
  ],
  [
    "encodeStream, asked ahead",
    `const chunks = web.encodeStream((function* () { for (;;) yield 1; })(), { flush: "each" });
     const asked = [];
     return { push: () => void asked.push(chunks.next()), take: async () => some((await asked.shift()).value) };`,
  ],
];

/** A share has one length of the queue only. */
const BACKLOGS = isWhole ? [1, 10, 1000] : [10];

/**
 * For each queue its growth in bytes with each backlog, after `count` items have passed through it, or what it threw. All in
 * one process: to start one and to load the library takes as long as a share of the items.
 */
function grown(makes: readonly string[], count: number): readonly (readonly number[] | string)[] {
  return childResult<readonly (readonly number[] | string)[]>(
    `${SETUP}
    ${USED}
    const run = async ({ push, take }, count) => {
      for (let i = 0; i < count; i++) {
        push();
        const taken = take();
        if (taken instanceof Promise) await taken;
      }
    };
    const grown = async (makeLine) => {
      const results = [];
      for (const backlog of ${JSON.stringify(BACKLOGS)}) {
        const line = makeLine();
        for (let i = 0; i < backlog; i++) line.push();
        await run(line, 10_000); // code, and what engines keep, are there then
        const before = await used();
        await run(line, ${count});
        results.push((await used()) - before);
        line.push(); // held until now
      }
      return results;
    };
    const all = [];
    for (const makeLine of [${makes.map((make) => `() => { ${make} }`).join(",\n")}])
      all.push(await grown(makeLine).catch((error) => String(error.stack)));
    console.log(JSON.stringify(all));
    process.exit();`,
    ["--expose-gc"],
    600_000,
  );
}

describe.each([
  { what: "items that are there at once", queues: immediate, count: AT_ONCE },
  { what: "items that are awaited", queues: awaited, count: AWAITED },
])("$what", ({ queues, count }) => {
  let growths: readonly (readonly number[] | string)[];
  beforeAll(() => {
    growths = grown(
      queues.map(([, make]) => make),
      count,
    );
  }, 600_000);

  test.each(queues.map(([name], i) => [name, i] as const))("%s", (_, i) => {
    expect(growths[i]).toHaveLength(BACKLOGS.length);
    for (const bytes of growths[i] as readonly number[]) expect(bytes).toBeLessThan(LIMIT);
  });
});
