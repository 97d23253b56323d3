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
