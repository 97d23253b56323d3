import { DecodeError } from "moonpack/bytes";
import { OutOfRange } from "../errors.js";
import { FieldReader } from "../reader/fields.js";
import { WireType } from "./writer.js";

/** How deep groups may be nested in a field that is skipped. */
const MAX_GROUPS = 100;

/**
 * The interface of `BinaryReader` of `@bufbuild/protobuf/wire`, for the code that ts-proto 2 generates. 64-bit integers are
 * bigints. Errors have a code and an offset, like the errors of `Reader`. For bytes that end too early they are RangeErrors, too, as in
 * the original: programs that read from streams then wait for more bytes.
 *
 * @example
 * const reader = new BinaryReader(bytes);
 * const [field, type] = reader.tag();
 */
export class BinaryReader extends FieldReader {
  /** Throws `ERR_INVALID_ARGUMENT` if `buffer` is not a Uint8Array. */
  constructor(buffer: Uint8Array) {
    super(buffer, { int64: "bigint" });
  }

  /** @internal */
  override failure(error: DecodeError): Error {
    if (error.code !== "ERR_TRUNCATED") return error;
    return new OutOfRange(error.message, error);
  }

  /** Reads a tag: field number and wire type. Throws `ERR_INVALID_BYTE` for field number 0 and for wire types 6 and 7. */
  tag(): [number, WireType] {
    const start = this.pos;
    const tag = this.fieldTag();
    this.checkTag(tag, start);
    return [tag >>> 3, (tag & 7) as WireType];
  }

  /** Skips the content of a field and returns its bytes. `field` is its number, which the end of a group has to repeat. */
  skip(type: WireType, field?: number, limit = MAX_GROUPS): Uint8Array {
    const start = this.pos;
    // Only the end of a group has a field number to compare.
    this.skipField(type, type === WireType.StartGroup ? field : undefined, 0, limit);
    return this.raw(start, this.pos);
  }

  /** @internal Counts groups, as the original does, not the fields in them. */
  protected override skipField(type: number, field: number | undefined, depth: number, limit: number): void {
    if (type === WireType.StartGroup && depth >= limit) {
      throw new DecodeError("ERR_LIMIT_DEPTH", `groups are nested deeper than ${limit}`, this.pos);
    }
    super.skipField(type, field, depth, limit);
  }

  /** Reads a varint as unsigned 64-bit integer. */
  override uint64(): bigint {
    return super.uint64() as bigint;
  }

  /** Reads a varint as signed 64-bit integer. */
  override int64(): bigint {
    return super.int64() as bigint;
  }

  /** Reads a zigzag varint as signed 64-bit integer. */
  override sint64(): bigint {
    return super.sint64() as bigint;
  }

  /** Reads an unsigned 64-bit integer of 8 bytes. */
  override fixed64(): bigint {
    return super.fixed64() as bigint;
  }

  /** Reads a signed 64-bit integer of 8 bytes. */
  override sfixed64(): bigint {
    return super.sfixed64() as bigint;
  }

  /** Reads text after its length. Malformed UTF-8 becomes U+FFFD; with `strict` it is `ERR_INVALID_UTF8`. */
  override string(strict = false): string {
    return strict ? this.stringVerify() : super.string();
  }
}
