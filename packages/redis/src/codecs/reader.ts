/** Reading stored bytes: values, and what is not one. */

import { flagOption, invalidArgument, MoonpackError, printable } from "moonpack/bytes";
import type { DecoderOptions, EncoderOptions } from "moonpack/msgpack";
import { RedisValueError, type ValuePlace } from "../errors.js";
import { isDistinct, type ValueCodec } from "./codec.js";
import { parseJson } from "./json.js";
import { msgpackCodec } from "./msgpack.js";

/** How values of one kind are written and read. */
export interface ValueOptions {
  /** Options of the encoder of MessagePack. Not with `codec`. */
  readonly encoder?: EncoderOptions;
  /** Options of the decoder of MessagePack. Not with `codec`. */
  readonly decoder?: DecoderOptions;
  /**
   * True: values that were written as JSON are read too, as JSON.parse reads them. For moving from JSON. Needs MessagePack or a `framed`
   * codec, whose bytes can be told from text. Default false: JSON is `ERR_REDIS_TEXT`.
   */
  readonly json?: boolean;
}

/** A codec that knows JSON, and whose errors tell the place. */
export interface ValueReader {
  encode(value: unknown): Uint8Array;
  decode(bytes: Uint8Array, place: ValuePlace): unknown;
  /** The value of what JSON.parse returned, where JSON is read as well. */
  ofJSON(json: unknown, place: ValuePlace): unknown;
}

/** Checks the options of a kind of values. `ERR_INVALID_ARGUMENT` otherwise. */
export function valueReader(options: ValueOptions & { readonly codec?: ValueCodec }): ValueReader {
  const { codec: given, encoder, decoder } = options;
  const json = flagOption("json", options.json, false);
  if (given !== undefined && (typeof given?.encode !== "function" || typeof given.decode !== "function"))
    throw invalidArgument("codec must have the methods encode and decode");
  if (given !== undefined && (encoder !== undefined || decoder !== undefined))
    throw invalidArgument("encoder and decoder are options of MessagePack: leave them out, or leave out codec");
  const codec: ValueCodec = given ?? (msgpackCodec(encoder, decoder) as ValueCodec);
  const distinct = isDistinct(codec) ? codec : undefined;
  if (json && distinct === undefined)
    throw invalidArgument("bytes of this codec cannot be told from JSON: use framed(schema), or leave out json");
  return {
    encode: (value) => codec.encode(value as never),
    decode(bytes, place) {
      try {
        if (distinct?.isForeignText(bytes)) {
          if (json) return distinct.ofJSON(parsed(bytes));
          // A digit alone is MessagePack of other writers.
          if (bytes.length > 1) throw foreign();
        }
        return codec.decode(bytes);
      } catch (error) {
        throw new RedisValueError(place, bytes, error);
      }
    },
    ofJSON(value, place) {
      try {
        if (json && distinct !== undefined) return distinct.ofJSON(value);
        throw value === null || value === undefined ? nothing(value) : foreign();
      } catch (error) {
        throw new RedisValueError(place, new TextEncoder().encode(jsonText(value)), error);
      }
    },
  };
}

/** The text of data; empty for what is not JSON, such as a bigint. */
function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

function foreign(): MoonpackError {
  return new MoonpackError(
    "ERR_REDIS_TEXT",
    "is text or JSON, which something else wrote; json: true reads JSON as well",
  );
}

/** The data of a job that has none: BullMQ keeps null for a job that returns nothing. */
function nothing(value: null | undefined): MoonpackError {
  return new MoonpackError("ERR_REDIS_TEXT", `is ${value}, not packed: a job that returned nothing has no value`);
}

/** The value of JSON in valid UTF-8. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof RangeError) throw new MoonpackError("ERR_LIMIT_DEPTH", "is JSON that is nested too deep");
    // The error of JSON.parse repeats text of strangers, so it is not the cause.
    throw new MoonpackError("ERR_REDIS_TEXT", `is text, but not JSON: ${printable((error as Error).message)}`);
  }
}
