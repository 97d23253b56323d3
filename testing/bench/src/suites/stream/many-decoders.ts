import type { Transform } from "node:stream";
import { decodeMultiStream } from "@msgpack/msgpack";
import { DecodeStream } from "moonpack/node";
import { decodeStream, StreamDecoder, DecodeStream as WebDecodeStream } from "moonpack/stream";
import { decodeIter, UnpackrStream } from "msgpackr";
import type { Chunks } from "./chunks.js";
import { readAll } from "./web.js";

/** Takes each value, so that no loop is empty. */
export type Take = (value: unknown) => void;

/** A reader of many messages. */
export interface ManyDecoder {
  readonly id: string;
  readonly title: string;
  /** Reads all messages with a new decoder. */
  read(chunks: Chunks, take: Take): unknown;
}

const STANDARD = { useRecords: false };

/** The same work in every form of a stream of values. */
export const manyDecoders: readonly ManyDecoder[] = [
  {
    id: "stream-decoder",
    title: "moonpack `StreamDecoder`",
    read(chunks, take) {
      const decoder = new StreamDecoder();
      for (let group = chunks.next(); group.length > 0; group = chunks.next()) {
        for (const chunk of group) for (const value of decoder.push(chunk)) take(value);
      }
      decoder.end();
    },
  },
  {
    id: "decode-stream",
    title: "moonpack `decodeStream`",
    async read(chunks, take) {
      for await (const value of decodeStream(chunks)) take(value);
    },
  },
  {
    id: "msgpackr-iter",
    title: "msgpackr `decodeIter`",
    async read(chunks, take) {
      for await (const value of decodeIter(chunks, STANDARD)) take(value);
    },
  },
  {
    id: "msgpack-javascript",
    title: "@msgpack/msgpack `decodeMultiStream`",
    async read(chunks, take) {
      for await (const value of decodeMultiStream(chunks)) take(value);
    },
  },
  {
    id: "node-data",
    title: "moonpack `DecodeStream` of Node, `data`",
    read: (chunks, take) => byData(chunks, new DecodeStream(), take),
  },
  {
    id: "msgpackr-data",
    title: "msgpackr `UnpackrStream`, `data`",
    read: (chunks, take) => byData(chunks, new UnpackrStream(STANDARD), take),
  },
  {
    id: "node-iteration",
    title: "moonpack `DecodeStream` of Node, `for await`",
    async read(chunks, take) {
      for await (const value of chunks.readable().pipe(new DecodeStream())) take(value);
    },
  },
  {
    id: "msgpackr-iteration",
    title: "msgpackr `UnpackrStream`, `for await`",
    async read(chunks, take) {
      for await (const value of chunks.readable().pipe(new UnpackrStream(STANDARD))) take(value);
    },
  },
  {
    id: "web",
    title: "moonpack Web `DecodeStream`, read by a reader",
    read: (chunks, take) => readAll(chunks.web().pipeThrough(new WebDecodeStream()), take),
  },
];

/** Pairs of the same kind. */
export const decoderPairs = [
  ["decode-stream", "msgpackr-iter", "async iteration: `decodeStream` / msgpackr `decodeIter`"],
  ["decode-stream", "msgpackr-iteration", "async iteration: `decodeStream` / `UnpackrStream`"],
  ["decode-stream", "msgpack-javascript", "async iteration: `decodeStream` / `decodeMultiStream`"],
  ["node-data", "msgpackr-data", "Node Transform, `data`: `DecodeStream` / `UnpackrStream`"],
  ["node-iteration", "msgpackr-iteration", "Node Transform, `for await`: `DecodeStream` / `UnpackrStream`"],
] as const;

function byData(chunks: Chunks, transform: Transform, take: Take): Promise<void> {
  return new Promise((resolve, reject) => {
    chunks.readable().pipe(transform).on("data", take).on("error", reject).on("end", resolve);
  });
}
