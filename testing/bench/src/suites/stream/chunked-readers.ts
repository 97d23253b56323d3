import type { Transform } from "node:stream";
import { decodeAsync as rivalDecodeAsync } from "@msgpack/msgpack";
import { decode } from "moonpack";
import { DecodeStream } from "moonpack/node";
import { decodeAsync, StreamDecoder } from "moonpack/stream";
import { UnpackrStream } from "msgpackr";
import type { Chunks } from "./chunks.js";

/** A reader of one message that arrives in chunks. */
export interface Reader {
  readonly id: string;
  readonly title: string;
  readonly ours: boolean;
  /** Reads the message. Each message has a new decoder, as each connection has, unless noted otherwise. */
  create(): (chunks: Chunks) => unknown;
}

/** Decodes the whole message in one call: the reference for the others. */
export const whole: Reader = {
  id: "decode",
  title: "moonpack `decode`",
  ours: true,
  create: () => (chunks) => decode(chunks.next()[0]!),
};

/** All readers of chunks. */
export const readers: readonly Reader[] = [
  {
    id: "stream-decoder",
    title: "moonpack `StreamDecoder`",
    ours: true,
    create: () => (chunks) => {
      const decoder = new StreamDecoder();
      let result: unknown;
      for (let group = chunks.next(); group.length > 0; group = chunks.next()) {
        for (const chunk of group) for (const value of decoder.push(chunk)) result = value;
      }
      decoder.end();
      return result;
    },
  },
  {
    id: "stream-decoder-kept",
    title: "moonpack `StreamDecoder` with options, kept",
    ours: true,
    create: () => {
      const decoder = new StreamDecoder({});
      return (chunks) => {
        let result: unknown;
        for (let group = chunks.next(); group.length > 0; group = chunks.next()) {
          for (const chunk of group) for (const value of decoder.push(chunk)) result = value;
        }
        return result;
      };
    },
  },
  { id: "decode-async", title: "moonpack `decodeAsync`", ours: true, create: () => (chunks) => decodeAsync(chunks) },
  {
    id: "node",
    title: "moonpack `DecodeStream` of Node",
    ours: true,
    create: () => (chunks) => transformed(chunks, new DecodeStream()),
  },
  {
    id: "msgpack-javascript",
    title: "@msgpack/msgpack `decodeAsync`",
    ours: false,
    create: () => (chunks) => rivalDecodeAsync(chunks),
  },
  {
    id: "msgpackr",
    title: "msgpackr `UnpackrStream`",
    ours: false,
    create: () => (chunks) => transformed(chunks, new UnpackrStream({ useRecords: false })),
  },
];

/** The last value of a Transform. */
function transformed(chunks: Chunks, transform: Transform): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let result: unknown;
    chunks
      .readable()
      .pipe(transform)
      .on("data", (value) => {
        result = value;
      })
      .on("error", reject)
      .on("end", () => resolve(result));
  });
}
