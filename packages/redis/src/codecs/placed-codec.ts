/**
 * Encodes and decodes stored values with a codec. With the option `json`, it also reads JSON. Errors have the place of the
 * value.
 */
import { asValueReader, flagOption, invalidArgument, MoonpackError, printable } from "moonpack/bytes";
import type { DecoderOptions, EncoderOptions } from "moonpack/msgpack";
import { RedisValueError, type ValuePlace } from "../errors.js";
import { differsFromText, type ValueCodec } from "./codec.js";
import { parseJson } from "./json.js";
import { msgpackCodec, pickingCodec } from "./msgpack.js";

/** Options of values. */
export interface ValueOptions {
  /** Options of the encoder of MessagePack. Not with `codec`. */
  readonly encoder?: EncoderOptions;
  /** Options of the decoder of MessagePack. Not with `codec`. */
  readonly decoder?: DecoderOptions;
  /**
   * With true, JSON is read too, as by JSON.parse: for migration from JSON. Requires MessagePack or a `framed` codec, whose bytes differ
   * from text. Default false: JSON is `ERR_REDIS_TEXT`.
   */
  readonly json?: boolean;
}

/** A codec whose errors have the place of the value. With the option `json`, it also reads JSON. */
export interface PlacedCodec {
  encode(value: unknown): Uint8Array;
  decode(bytes: Uint8Array, place: ValuePlace): unknown;
  /** Returns the value of parsed JSON. Throws without the option `json`. */
  ofJSON(json: unknown, place: ValuePlace): unknown;
  /** Returns the codec that reads only some parts of values. Throws `ERR_INVALID_ARGUMENT` unless the values are MessagePack. */
  picking(picker: unknown): PlacedCodec;
}

/** Checks options and returns the codec. Throws `ERR_INVALID_ARGUMENT`. */
export function placedCodec(options: ValueOptions & { readonly codec?: ValueCodec }): PlacedCodec {
  const { codec: given, encoder, decoder } = options;
  const json = flagOption("json", options.json, false);
  if (given !== undefined && (typeof given?.encode !== "function" || typeof given.decode !== "function"))
    throw invalidArgument("codec must have the methods encode and decode");
  if (given !== undefined && (encoder !== undefined || decoder !== undefined))
    throw invalidArgument("encoder and decoder are options of MessagePack: remove them, or remove codec");
  const msgpack = given === undefined ? msgpackCodec(encoder, decoder) : undefined;
  const codec: ValueCodec = given ?? (msgpack as ValueCodec);
  const distinct = differsFromText(codec) ? codec : undefined;
  if (json && distinct === undefined)
    throw invalidArgument(
      "json: true requires a codec whose bytes differ from JSON: use framed(schema), or remove json",
    );
  return {
    encode: (value) => codec.encode(value as never),
    decode(bytes, place) {
      try {
        if (distinct?.isForeignText(bytes)) {
          if (json) return distinct.ofJSON(parsed(bytes));
          // The byte of a digit, such as "5", may also be an integer that another MessagePack encoder wrote, so it is decoded below. Our
          // encoder writes such integers in two bytes.
          if (bytes.length > 1) throw foreignText();
        }
        return codec.decode(bytes);
      } catch (error) {
        throw new RedisValueError(place, bytes, error);
      }
    },
    picking(picker) {
      const reader = asValueReader(picker);
      if (reader === undefined) throw invalidArgument("pick needs a Picker of moonpack/pick");
      if (msgpack === undefined)
        throw invalidArgument("pick reads MessagePack, but these values have a codec or a Picker");
      return placedCodec({ codec: pickingCodec(msgpack, reader) as ValueCodec, json });
    },
    ofJSON(value, place) {
      try {
        if (json && distinct !== undefined) return distinct.ofJSON(value);
        throw value === null || value === undefined ? missingResult(value) : foreignText();
      } catch (error) {
        throw new RedisValueError(place, new TextEncoder().encode(jsonText(value)), error);
      }
    },
  };
}

/** Returns the JSON of data; an empty text for data without JSON, such as a bigint. */
function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

function foreignText(): MoonpackError {
  return new MoonpackError("ERR_REDIS_TEXT", "is text or JSON of another writer; json: true also reads JSON");
}

/** Returns the error for a missing result: BullMQ stores null for a job that returns undefined. */
function missingResult(value: null | undefined): MoonpackError {
  return new MoonpackError(
    "ERR_REDIS_TEXT",
    `is ${value} instead of a packed value: a job that returned nothing has no value`,
  );
}

/** Returns the value of JSON in UTF-8. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof RangeError) throw new MoonpackError("ERR_LIMIT_DEPTH", "is JSON that is nested too deep");
    // The message of JSON.parse repeats untrusted text: `printable` makes it safe. The error itself is not kept as the cause.
    throw new MoonpackError("ERR_REDIS_TEXT", `is text, but not JSON: ${printable((error as Error).message)}`);
  }
}
