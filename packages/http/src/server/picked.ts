/** Bodies of which a route reads only some values. */
import { asValueReader, invalidArgument } from "moonpack/bytes";
import { encode } from "moonpack/msgpack";
import type { MsgpackFormat } from "../formats/msgpack.js";

/** The part of a Picker of `moonpack/pick` that reads bodies. */
export interface BodyPicker<Out = unknown> {
  /** Returns the values of a body in MessagePack. Throws a `DecodeError`. */
  decode(bytes: Uint8Array): Out;
}

/** Throws `ERR_INVALID_ARGUMENT` for anything but a Picker, and for one beside a schema. */
export function checkPicker(pick: BodyPicker | undefined, pck: object | undefined): void {
  if (pick === undefined) return;
  if (asValueReader(pick) === undefined) throw invalidArgument("pick must be a Picker of moonpack/pick");
  if (pck !== undefined) throw invalidArgument("pick and pck cannot be combined: a schema checks the whole body");
}

/**
 * Picks from a value of JSON or of another parser, as from its MessagePack: a `Raw` has the same form for every client. `format`: the
 * one of `bodies`, whose extensions the value may have.
 */
export function pickFrom<Out>(pick: BodyPicker<Out>, value: unknown, format?: MsgpackFormat): Out {
  return pick.decode(format === undefined ? encode(value) : format.encode(value));
}
