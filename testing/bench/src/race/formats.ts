import { deserialize } from "node:v8";
import { CborDecoder } from "@jsonjoy.com/json-pack/lib/cbor/CborDecoder.js";
import { decode, encode } from "@msgpack/msgpack";
import { Packr } from "msgpackr";
import type { Candidate, Codec, Payload } from "../types.js";

/**
 * The bytes that decoders race on. All standard MessagePack decoders read the same bytes, written in shortest forms by an
 * implementation that is never the fastest. Other formats read the bytes of their encoder.
 */
export function referencePayload(candidate: Candidate, codec: Codec, value: unknown): Payload {
  if (candidate.format === "msgpack") return encode(value);
  if (codec.encode === undefined) throw new TypeError(`${candidate.id} cannot write the format that it reads`);
  const payload = codec.encode(value);
  return typeof payload === "string" ? payload : payload.slice();
}

const packr = new Packr({ useRecords: false, int64AsType: "number" });

/** Decodes a candidate's output, if possible with an implementation other than its own. */
export function decodeIndependently(candidate: Candidate, codec: Codec, payload: Payload): unknown {
  if (typeof payload === "string") return JSON.parse(payload);
  switch (candidate.format) {
    case "msgpack":
      return candidate.package === "@msgpack/msgpack" ? packr.unpack(payload) : decode(payload);
    case "cbor":
      return new CborDecoder().decode(payload);
    case "v8":
      return deserialize(payload);
    case "msgpackr-records":
      return codec.decode?.(payload);
    default:
      return JSON.parse(Buffer.from(payload).toString());
  }
}
