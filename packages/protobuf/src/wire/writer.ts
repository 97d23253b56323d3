import { MoonpackError, toWellFormed } from "moonpack/bytes";
import { lookup, unsupported } from "../coerce.js";
import { type Int64Input, outOfRange } from "../int64.js";
import { FieldWriter } from "../writer/fields.js";

/** The wire types, with the names of protobuf-es. */
export const WireType = {
  /** Integers, booleans and enums. */
  Varint: 0,
  /** 8 bytes: fixed64, sfixed64, double. */
  Bit64: 1,
  /** A length and its bytes: string, bytes, messages, packed lists. */
  LengthDelimited: 2,
  /** The beginning of a group of proto2. */
  StartGroup: 3,
  /** The end of a group. */
  EndGroup: 4,
  /** 4 bytes: fixed32, sfixed32, float. */
  Bit32: 5,
} as const;
/** One of the six wire types. */
export type WireType = (typeof WireType)[keyof typeof WireType];

/**
 * The interface of `BinaryWriter` of `@bufbuild/protobuf/wire`, for the code that ts-proto 2 generates. Numbers outside their type
 * are `ERR_OUT_OF_RANGE`; lone surrogates become U+FFFD.
 *
 * @example
 * new BinaryWriter().tag(1, WireType.LengthDelimited).string("é").finish();
 */
export class BinaryWriter extends FieldWriter {
  /** A Writer that can write another message after each {@link BinaryWriter.finish}. */
  constructor() {
    super({ strict: true });
  }

  /** Returns the message and begins a new one. Open forks end with length 0. See {@link FieldWriter.finish} for its memory. */
  override finish(): Uint8Array<ArrayBuffer> {
    const result = super.finish();
    while (this.isForked) this.reset();
    this.reset();
    return result;
  }

  /** Ends a nested message. Throws `ERR_INVALID_ARGUMENT` without a `fork`. */
  join(): this {
    if (!this.isForked) throw new MoonpackError("ERR_INVALID_ARGUMENT", "`join` was called without `fork`");
    return this.ldelim();
  }

  /** Writes the tag of a field. */
  tag(field: number, type: WireType): this {
    return this.uint32(((field << 3) | type) >>> 0);
  }

  /** @internal Accepts what the original accepts: any value for a double, and text for a float. */
  protected override checkNumber(type: "float" | "double", value: unknown): void {
    if (type === "double") return;
    const n = typeof value === "string" && (value === "NaN" || !Number.isNaN(+value)) ? +value : value;
    super.checkNumber(type, n);
  }

  /** @internal Accepts integers as text in any notation of JavaScript, as the original does. */
  protected override checkInteger(type: string, n: number, value: unknown): void {
    super.checkInteger(type, n, typeof value === "string" ? Number(value) : value);
  }

  /** Writes a signed 64-bit integer as varint. Text may have any notation that `BigInt` accepts. */
  override int64(value: Int64Input): this {
    return super.int64(integerOf(value));
  }

  /** Writes an unsigned 64-bit integer as varint. */
  override uint64(value: Int64Input): this {
    return super.uint64(integerOf(value));
  }

  /** Writes a signed 64-bit integer as zigzag varint. */
  override sint64(value: Int64Input): this {
    return super.sint64(integerOf(value));
  }

  /** Writes an unsigned 64-bit integer in 8 bytes. */
  override fixed64(value: Int64Input): this {
    return super.fixed64(integerOf(value));
  }

  /** Writes a signed 64-bit integer in 8 bytes. */
  override sfixed64(value: Int64Input): this {
    return super.sfixed64(integerOf(value));
  }

  /** @internal Converts any value to text, as the original does. */
  protected override textOf(value: unknown): string {
    return String(value);
  }

  /** @internal */
  protected override replaced(value: string): string {
    return toWellFormed(value);
  }
}

/** Converts a value by `BigInt`, as the original does. It accepts `true` and any value with the text of an integer. */
function integerOf(value: Int64Input): Int64Input {
  if (typeof value === "number" || typeof value === "bigint" || hasWords(value)) return value;
  try {
    return BigInt(value as unknown as string);
  } catch (cause) {
    if (typeof value !== "string") throw unsupported("a 64-bit integer", value, cause);
    throw outOfRange(`${JSON.stringify(value.slice(0, 40))} is not an integer`);
  }
}

/** True for a Long and for an object with the same words. */
function hasWords(value: Exclude<Int64Input, number | bigint>): boolean {
  return typeof value === "object" && value !== null && lookup(value, "low") !== undefined;
}
