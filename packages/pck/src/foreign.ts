/**
 * Values that came in another format, encoded and decoded again. The bytes of PCK do not show how much was sent: `{}` is
 * one byte of MessagePack, and 13 bytes of PCK in a schema of 100 optional texts, which decode to 832 bytes of memory. So
 * the elements of a large value are granted by the least bytes that it took where it came from.
 */
import {
  DecodeError,
  type ElementBudget,
  FREE_ELEMENTS,
  grantElements,
  leastBytes,
  textWithoutPlace,
} from "moonpack/bytes";
import { GrowingPackWriter, refuse } from "./runtime/writer.js";

const FIRST_BYTES = 1024;
/** Values of up to this many bytes of PCK are not measured. Their absent fields take at most 8 MB. */
const UNMEASURED_BYTES = 0x20000;
/** Bytes that only absent fields can take: their elements, two each, exceed what any message may create. */
const UNPAID_BYTES = FREE_ELEMENTS / 2;
/** Most bytes of PCK for a byte of another format, besides absent fields: an `f64` of 8 for an integer below 128, and room. */
const MAX_EACH = 16;

/** The memory that a foreign value is encoded to. It stops growing at a size that only absent fields can reach. */
export class ForeignWriter extends GrowingPackWriter {
  /** The value or JSON as it was sent. undefined: no limit. */
  source: unknown = undefined;

  constructor(maxDepth: number) {
    super(FIRST_BYTES, maxDepth);
  }

  override grow(n: number): void {
    const need = this.pos + n - UNPAID_BYTES;
    if (need > 0 && this.source !== undefined && need > MAX_EACH * leastBytes(this.source, need))
      throw refuse("ERR_LIMIT_ELEMENTS", "more absent fields than the value pays for");
    super.grow(n);
  }
}

/** Returns the elements that a foreign value of `size` bytes of PCK may make; null if its bytes may grant them as usual. */
export function foreignBudget(source: unknown, size: number, maxElements: number): ElementBudget | null {
  if (size <= UNMEASURED_BYTES || source === undefined) return null;
  const least = leastBytes(source, size);
  if (least >= size) return null;
  const budget = { elementsLeft: 0, elementsSpare: 0 };
  grantElements(budget, maxElements, least);
  return budget;
}

/** Returns a decoder's error as one of the value: its offset is in bytes that the caller has never seen. */
export function errorOfValue(error: unknown): unknown {
  if (!(error instanceof DecodeError) || error.code !== "ERR_LIMIT_ELEMENTS") return error;
  return refuse(error.code, textWithoutPlace(error));
}
