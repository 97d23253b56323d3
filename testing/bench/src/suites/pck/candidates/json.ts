import type { Candidate } from "./candidate.js";

/** JSON to bytes and back: with Node's Buffer, which is faster there, otherwise with the Encoding API. */
export const json: Candidate = {
  id: "json",
  title: "JSON + Buffer",
  create: () => (hasBuffers() ? buffered() : { encode: encodeText, decode: decodeText }),
};

function hasBuffers(): boolean {
  return (globalThis as { Buffer?: unknown }).Buffer !== undefined;
}

function buffered() {
  return {
    encode: (message: object): Uint8Array => Buffer.from(JSON.stringify(message)),
    // Where there are Buffers, the inputs of decoders are Buffers: inputs.ts.
    decode: (bytes: Uint8Array): object => JSON.parse((bytes as Buffer).toString()),
  };
}

const encoder = /* @__PURE__ */ new TextEncoder();
const decoder = /* @__PURE__ */ new TextDecoder();

function encodeText(message: object): Uint8Array {
  return encoder.encode(JSON.stringify(message));
}

function decodeText(bytes: Uint8Array): object {
  return JSON.parse(decoder.decode(bytes));
}
