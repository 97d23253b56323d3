import { deserialize } from "node:v8";
import { CborDecoder } from "@jsonjoy.com/json-pack/lib/cbor/CborDecoder.js";
import { decode, encode } from "@msgpack/msgpack";
import { Packr } from "msgpackr";
import type { Codec, Payload, Player } from "../types.js";

/**
 * The bytes of a value that decoders race on. Standard MessagePack decoders all read the same ones, written in shortest
 * forms by an implementation that does not lead any table; other formats read what their own encoder wrote.
 */
export function referencePayload(player: Player, codec: Codec, value: unknown): Payload {
  if (player.format === "msgpack") return encode(value);
  if (codec.encode === undefined) throw new TypeError(`${player.id} cannot write the format that it reads`);
  const payload = codec.encode(value);
  return typeof payload === "string" ? payload : payload.slice();
}

/** Decodes what a player encoded with an implementation other than its own, where the format has another. */
export function decodeIndependently(player: Player, codec: Codec, payload: Payload): unknown {
  if (typeof payload === "string") return JSON.parse(payload);
  switch (player.format) {
    case "msgpack":
      return player.package === "@msgpack/msgpack" ? new Packr({ useRecords: false }).unpack(payload) : decode(payload);
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
