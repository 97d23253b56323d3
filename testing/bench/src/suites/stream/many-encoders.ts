import { once } from "node:events";
import { Readable, type Transform } from "node:stream";
import { EncodeStream } from "moonpack/node";
import { encodeStream, EncodeStream as WebEncodeStream } from "moonpack/stream";
import { encodeIter, PackrStream } from "msgpackr";
import type { Take } from "./many-decoders.js";
import { pullStream, readAll } from "./web.js";

/** A writer of many messages. */
export interface ManyEncoder {
  readonly id: string;
  readonly title: string;
  /** Writes all values with a new encoder. `take` receives the chunks. */
  write(values: readonly unknown[], take: Take): unknown;
}

/** Options for standard MessagePack in msgpackr; new each time, since its streams change them. */
const standard = () => ({ useRecords: false });

/** The same work in every form of a stream of values. */
export const manyEncoders: readonly ManyEncoder[] = [
  {
    id: "encode-stream",
    title: "moonpack `encodeStream`",
    async write(values, take) {
      for await (const chunk of encodeStream(values)) take(chunk);
    },
  },
  {
    id: "msgpackr-iter",
    title: "msgpackr `encodeIter`",
    async write(values, take) {
      // Its types wrongly declare that values are Buffers and that it returns a promise.
      const source = later(values) as AsyncIterable<Buffer>;
      for await (const chunk of await encodeIter(source, standard())) take(chunk);
    },
  },
  {
    id: "encode-stream-later",
    title: "moonpack `encodeStream`, values from an async iterable",
    async write(values, take) {
      for await (const chunk of encodeStream(later(values))) take(chunk);
    },
  },
  {
    id: "node-data",
    title: "moonpack `EncodeStream` of Node, `data`",
    write: (values, take) => byData(values, new EncodeStream(), take),
  },
  {
    id: "msgpackr-data",
    title: "msgpackr `PackrStream`, `data`",
    write: (values, take) => byData(values, new PackrStream(standard()), take),
  },
  {
    id: "node-iteration",
    title: "moonpack `EncodeStream` of Node, `for await`",
    async write(values, take) {
      for await (const chunk of Readable.from(values).pipe(new EncodeStream())) take(chunk);
    },
  },
  {
    id: "msgpackr-iteration",
    title: "msgpackr `PackrStream`, `for await`",
    async write(values, take) {
      for await (const chunk of Readable.from(values).pipe(new PackrStream(standard()))) take(chunk);
    },
  },
  {
    id: "web",
    title: "moonpack Web `EncodeStream`, read by a reader",
    write: (values, take) => {
      let index = 0;
      return readAll(pullStream(() => values[index++]).pipeThrough(new WebEncodeStream()), take);
    },
  },
];

/** Pairs of the same kind. */
export const encoderPairs = [
  ["encode-stream-later", "msgpackr-iter", "async iteration: `encodeStream` / msgpackr `encodeIter`"],
  ["encode-stream", "msgpackr-iteration", "async iteration: `encodeStream` / `PackrStream`"],
  ["node-data", "msgpackr-data", "Node Transform, `data`: `EncodeStream` / `PackrStream`"],
  ["node-iteration", "msgpackr-iteration", "Node Transform, `for await`: `EncodeStream` / `PackrStream`"],
] as const;

/** Values as an async iterable. Written by hand: an async generator takes longer than some encoders. */
function later(values: readonly unknown[]): AsyncIterable<unknown> {
  let index = 0;
  const next = () =>
    Promise.resolve(
      index < values.length ? { done: false, value: values[index++] } : ({ done: true, value: undefined } as const),
    );
  return { [Symbol.asyncIterator]: () => ({ next }) as AsyncIterator<unknown> };
}

/** Writes as fast as the stream accepts values. */
async function byData(values: readonly unknown[], stream: Transform, take: Take): Promise<void> {
  const ended = once(stream, "end");
  stream.on("data", take);
  for (const value of values) if (!stream.write(value)) await once(stream, "drain");
  stream.end();
  await ended;
}
