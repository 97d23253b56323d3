/** Values as job data, in queues that store JSON, such as BullMQ. */
import { DecodeError } from "moonpack/bytes";
import { asBuffer } from "./clients/client.js";
import type { ValueCodec } from "./codecs/codec.js";
import { placedCodec, type ValueOptions } from "./codecs/placed-codec.js";
import { RedisValueError } from "./errors.js";
import { copyOptions } from "./options.js";

/** A value as JSON data: its bytes in base64. */
export interface PackedJob {
  /** The bytes of the value in base64. */
  readonly $moonpack: string;
}

/** Packs and unpacks the data of jobs. */
export interface JobValues<Out = unknown, In = never> {
  /** Returns the data for a new job, or for a job's result. Throws an `EncodeError` with the path of an unsupported value. */
  pack(value: In): PackedJob;
  /**
   * Returns the value in a job's data or result. Throws a `RedisValueError` for data that cannot be decoded. Without the option `json` this
   * includes null and undefined, the result of a job that returned nothing.
   */
  unpack(data: unknown): Out;
}

/**
 * Returns functions that pack values into job data and unpack them. BullMQ stores data as JSON, so the bytes are base64, which is a third
 * longer. Throws `ERR_INVALID_ARGUMENT` for an invalid or unknown option.
 *
 * @example
 * const mails = jobValues({ codec: framed(Mail) });
 * await queue.add("mail", mails.pack({ to: "ada@example.org", sendAt: new Date() }));
 * new Worker("mails", async (job) => send(mails.unpack(job.data)));
 */
export function jobValues<Out, In>(options: ValueOptions & { readonly codec: ValueCodec<Out, In> }): JobValues<Out, In>;
/** Returns functions that pack and unpack values of the type `T` as MessagePack. */
export function jobValues<T = unknown>(options?: ValueOptions): JobValues<T, T>;
export function jobValues(options?: ValueOptions & { readonly codec?: ValueCodec }): JobValues {
  const codec = placedCodec(copyOptions(options, ["codec", "encoder", "decoder", "json"]));
  return {
    pack: (value) => ({ $moonpack: asBuffer(codec.encode(value)).toString("base64") }),
    unpack(data) {
      const text = packedText(data);
      if (text === undefined) return codec.ofJSON(data, PLACE);
      const bytes = Buffer.from(text, "base64");
      // Node ignores characters that are not base64.
      if (bytes.toString("base64") !== text) throw new RedisValueError(PLACE, bytes, notBase64());
      return codec.decode(bytes, PLACE);
    },
  };
}

const PLACE = { key: undefined, field: undefined, entry: undefined };

/** Returns the base64 of packed data; undefined for other data. */
function packedText(data: unknown): string | undefined {
  if (typeof data !== "object" || data === null || !Object.hasOwn(data, "$moonpack")) return undefined;
  const { $moonpack } = data as PackedJob;
  return typeof $moonpack === "string" ? $moonpack : undefined;
}

function notBase64(): DecodeError {
  return new DecodeError("ERR_INVALID_BYTE", "is not base64", 0);
}
