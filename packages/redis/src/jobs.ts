/** Values as data of jobs, in queues that keep JSON, such as BullMQ. */
import { DecodeError } from "moonpack/bytes";
import { asBuffer } from "./clients/client.js";
import type { ValueCodec } from "./codecs/codec.js";
import { type ValueOptions, valueReader } from "./codecs/reader.js";
import { RedisValueError } from "./errors.js";
import { valuesOptions } from "./options.js";

/** A value in data that becomes JSON: its bytes in base64. */
export interface PackedJob {
  readonly $moonpack: string;
}

/** Packs and unpacks the data of one kind of jobs. */
export interface JobValues<Out = unknown, In = never> {
  /** The data to add a job with, or to return from one. Throws an `EncodeError` with the path of what cannot be written. */
  pack(value: In): PackedJob;
  /** The value in a job's data, or in its return value. Throws a `RedisValueError`, also for null and undefined: a job that returned nothing. */
  unpack(data: unknown): Out;
}

/**
 * Returns the functions that put values into the data of jobs and take them out. BullMQ keeps data as JSON, so the bytes are base64, a third
 * longer than they are. `ERR_INVALID_ARGUMENT` for an invalid option.
 *
 * @example
 * const mails = jobValues({ codec: framed(Mail) });
 * await queue.add("mail", mails.pack({ to: "ada@example.org", sendAt: new Date() }));
 * new Worker("mails", async (job) => send(mails.unpack(job.data)));
 */
export function jobValues<Out, In>(options: ValueOptions & { readonly codec: ValueCodec<Out, In> }): JobValues<Out, In>;
/** The same as MessagePack, for values of a type that the caller names. */
export function jobValues<T = unknown>(options?: ValueOptions): JobValues<T, T>;
export function jobValues(options?: ValueOptions & { readonly codec?: ValueCodec }): JobValues {
  const reader = valueReader(valuesOptions(options as typeof options & { undecodable?: never }));
  return {
    pack: (value) => ({ $moonpack: asBuffer(reader.encode(value)).toString("base64") }),
    unpack(data) {
      const text = packedText(data);
      if (text === undefined) return reader.ofJSON(data, PLACE);
      const bytes = Buffer.from(text, "base64");
      // Node skips what is not base64.
      if (bytes.toString("base64") !== text) throw new RedisValueError(PLACE, bytes, notBase64());
      return reader.decode(bytes, PLACE);
    },
  };
}

const PLACE = { key: undefined, field: undefined, entry: undefined };

/** The base64 of packed data; undefined for other data. */
function packedText(data: unknown): string | undefined {
  if (typeof data !== "object" || data === null || !Object.hasOwn(data, "$moonpack")) return undefined;
  const { $moonpack } = data as PackedJob;
  return typeof $moonpack === "string" ? $moonpack : undefined;
}

function notBase64(): DecodeError {
  return new DecodeError("ERR_INVALID_BYTE", "is not base64", 0);
}
