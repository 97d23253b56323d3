import { toWellFormed } from "#utf8";
import { MoonpackError } from "../../bytes/errors.js";
import { FieldWriter } from "../fields.js";
import { type Int64Input, outOfRange } from "../int64.js";
import { lookup, unsupported } from "../loose.js";

/** The wire types by name, as protobuf-es has them. */
export const WireType = {
  /** Integers, booleans and enums. */
  Varint: 0,
  /** 8 bytes: fixed64, sfixed64, double. */
  Bit64: 1,
  /** A length and as many bytes: string, bytes, messages, packed lists. */
  LengthDelimited: 2,
  /** Where a group of proto2 begins. */
  StartGroup: 3,
  /** Where it ends. */
  EndGroup: 4,
  /** 4 bytes: fixed32, sfixed32, float. */
  Bit32: 5,
} as const;
/** One of the six wire types. */
export type WireType = (typeof WireType)[keyof typeof WireType];

/**
 * The face of `BinaryWriter` of `@bufbuild/protobuf/wire`, which code of ts-proto 2 writes with: numbers outside their type
 * are `ERR_OUT_OF_RANGE`, lone surrogates become U+FFFD.
 *
 * @example
 * new BinaryWriter().tag(1, WireType.LengthDelimited).string("é").finish();
 */
export class BinaryWriter extends FieldWriter {
  /** A writer of one message, and of the next after each {@link BinaryWriter.finish}. */
  constructor() {
    super({ strict: true });
  }

  /** What was written, in memory of its own or cut from a slab; the writer begins anew, forks that are open are forgotten. */
  override finish(): Uint8Array<ArrayBuffer> {
    const result = super.finish();
    while (this.isForked) this.reset();
    this.reset();
    return result;
  }

  /** Ends a nested message. `ERR_INVALID_ARGUMENT` without a `fork`. */
  join(): this {
    if (!this.isForked) throw new MoonpackError("ERR_INVALID_ARGUMENT", "join without a fork");
    return this.ldelim();
  }

  /** The tag of a field. */
  tag(field: number, type: WireType): this {
    return this.uint32(((field << 3) | type) >>> 0);
  }

  /** As the original: any double, and a float as text. */
  protected override checkNumber(type: "float" | "double", value: unknown): void {
    if (type === "double") return;
    const n = typeof value === "string" && (value === "NaN" || !Number.isNaN(+value)) ? +value : value;
    super.checkNumber(type, n);
  }

  /** As the original: integers as text, in any of JavaScript's notations. */
  protected override checkInteger(type: string, n: number, value: unknown): void {
    super.checkInteger(type, n, typeof value === "string" ? Number(value) : value);
  }

  /** A signed 64-bit integer as varint; of text also what `BigInt` takes. */
  override int64(value: Int64Input): this {
    return super.int64(integerOf(value));
  }

  /** An unsigned 64-bit integer as varint. */
  override uint64(value: Int64Input): this {
    return super.uint64(integerOf(value));
  }

  /** A signed 64-bit integer as zigzag varint. */
  override sint64(value: Int64Input): this {
    return super.sint64(integerOf(value));
  }

  /** An unsigned 64-bit integer in 8 bytes. */
  override fixed64(value: Int64Input): this {
    return super.fixed64(integerOf(value));
  }

  /** A signed 64-bit integer in 8 bytes. */
  override sfixed64(value: Int64Input): this {
    return super.sfixed64(integerOf(value));
  }

  /** As the original, whatever has a text. */
  protected override textOf(value: unknown): string {
    return String(value);
  }

  protected override replaced(value: string): string {
    return toWellFormed(value);
  }
}

/** What the original gives to `BigInt`, which takes `true` and whatever else has an integer's text or value. */
function integerOf(value: Int64Input): Int64Input {
  if (typeof value === "number" || typeof value === "bigint" || hasWords(value)) return value;
  try {
    return BigInt(value as unknown as string);
  } catch (cause) {
    if (typeof value !== "string") throw unsupported("a 64-bit integer", value, cause);
    throw outOfRange(`${JSON.stringify(value.slice(0, 40))} is no integer`);
  }
}

/** A Long, or the like of it. */
function hasWords(value: Exclude<Int64Input, number | bigint>): boolean {
  return typeof value === "object" && value !== null && lookup(value, "low") !== undefined;
}
