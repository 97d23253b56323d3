import { deserialize, serialize } from "node:v8";
import type { Candidate } from "../types.js";
import { asBuffer } from "./buffers.js";

/** JSON from value to bytes and back, as services without a codec do it. */
export const jsonBytes: Candidate = {
  id: "json",
  title: "JSON + Buffer",
  format: "json",
  ours: false,
  note: "`Buffer.from(JSON.stringify(value))` and `JSON.parse(buffer.toString())`.",
  create: () => ({
    encode: (value) => Buffer.from(JSON.stringify(value)),
    decode: (payload) => JSON.parse(asBuffer(payload).toString()) as unknown,
  }),
};

/** JSON between values and strings: for applications that already have a string. */
export const jsonText: Candidate = {
  id: "json-text",
  title: "JSON string",
  format: "json-text",
  ours: false,
  note: "`JSON.stringify` and `JSON.parse` only: without bytes, this is a bound, not an alternative.",
  create: () => ({
    encode: (value) => JSON.stringify(value),
    decode: (payload) => JSON.parse(payload as string) as unknown,
  }),
};

/** V8's structured clone to bytes. */
export const v8: Candidate = {
  id: "v8",
  title: "v8.serialize",
  format: "v8",
  ours: false,
  note: "Only V8 can read it.",
  create: () => ({
    encode: (value) => serialize(value),
    decode: (payload) => deserialize(payload as Uint8Array) as unknown,
  }),
};
