import { Decoder } from "moonpack";
import { codeGeneration } from "moonpack/msgpack/features";
import type { Candidate } from "../../../types.js";

const writer = new TextEncoder();
const reader = new TextDecoder();

/** JSON from value to bytes and back, with TextEncoder and TextDecoder. */
export const jsonInPages: Candidate = {
  id: "json",
  title: "JSON + TextEncoder, TextDecoder",
  format: "json",
  ours: false,
  note: "`TextEncoder.encode(JSON.stringify(value))` and `JSON.parse(TextDecoder.decode(bytes))`.",
  create: () => ({
    encode: (value) => writer.encode(JSON.stringify(value)),
    decode: (payload) => JSON.parse(reader.decode(payload as Uint8Array)) as unknown,
  }),
};

/** Our decoder with generated code. In pages, it generates none by default. */
export const moonpackGenerated: Candidate = {
  id: "moonpack-generated",
  title: "moonpack with `codeGeneration`",
  package: "moonpack",
  format: "msgpack",
  ours: true,
  create: () => {
    const decoder = new Decoder({ codeGeneration });
    return { decode: (payload) => decoder.decode(payload as Uint8Array) };
  },
};
