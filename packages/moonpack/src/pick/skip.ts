/**
 * Walks over items without reading them (MessagePack specification, "Formats"). Checks their structure: first bytes, declared bytes and
 * items, depth. Text, extensions and numbers are not looked at.
 *
 * Branches, not a table of sizes: with a table each position waits for two loads, 3.8 ns an item instead of 2.3.
 */

import { tooManyElements } from "../bytes/elements.js";
import { DecodeError } from "../bytes/errors.js";
import { emptyInput, truncated } from "../bytes/input.js";

/** For each open container, the items that are missing when the current one ends. Its length is `maxDepth`. */
export type SkipStack = Int32Array;

/** The items of a container that fit into a counter. More need gigabytes of input. */
const MAX_ITEMS = 2 ** 30;

/**
 * Returns the end of `count` items at `pos`. `depth`: the containers that are open around them, at most `stack.length`.
 */
export function skipItems(
  src: Uint8Array,
  pos: number,
  end: number,
  count: number,
  depth: number,
  stack: SkipStack,
): number {
  const bottom = depth;
  // An int32: as a float64 the loop takes 1.8 times the time.
  let left = count | 0;
  while (left > 0 || depth > bottom) {
    if (left === 0) {
      left = stack[--depth]!;
      continue;
    }
    left--;
    if (pos >= end) throw ended(pos, end);
    const token = src[pos]!;
    let n = 0;
    if (token >= 0xa0 && token < 0xc0) {
      pos += token - 0x9f;
      continue;
    }
    if (token < 0x80 || token >= 0xe0) {
      pos++;
      continue;
    }
    if (token < 0xa0) {
      n = token < 0x90 ? (token & 15) << 1 : token & 15;
      pos++;
    } else {
      switch (token) {
        case 0xc0:
        case 0xc2:
        case 0xc3:
          pos++;
          continue;
        case 0xc1:
          throw new DecodeError("ERR_INVALID_BYTE", "0xc1 is not a valid first byte", pos);
        case 0xcc:
        case 0xd0:
          pos += 2;
          continue;
        case 0xcd:
        case 0xd1:
        case 0xd4:
          pos += 3;
          continue;
        case 0xd5:
          pos += 4;
          continue;
        case 0xca:
        case 0xce:
        case 0xd2:
          pos += 5;
          continue;
        case 0xd6:
          pos += 6;
          continue;
        case 0xcb:
        case 0xcf:
        case 0xd3:
          pos += 9;
          continue;
        case 0xd7:
          pos += 10;
          continue;
        case 0xd8:
          pos += 18;
          continue;
        case 0xc4:
        case 0xd9:
          pos += 2 + (src[pos + 1]! | 0); // beyond the input: undefined, so 0
          continue;
        case 0xc5:
        case 0xda:
          pos += 3 + ((src[pos + 1]! << 8) | src[pos + 2]!);
          continue;
        case 0xc7:
          pos += 3 + (src[pos + 1]! | 0);
          continue;
        case 0xc8:
          pos += 4 + ((src[pos + 1]! << 8) | src[pos + 2]!);
          continue;
        case 0xc6:
        case 0xdb:
          pos = over(pos, 5, uint32(src, pos + 1), end);
          continue;
        case 0xc9:
          pos = over(pos, 6, uint32(src, pos + 1), end);
          continue;
        case 0xdc:
        case 0xde:
          n = (src[pos + 1]! << 8) | src[pos + 2]!;
          if (token === 0xde) n <<= 1;
          pos += 3;
          break;
        default: {
          const items = uint32(src, pos + 1) * (token === 0xdf ? 2 : 1);
          if (items > end - pos - 5) throw truncated(pos, items - (end - pos - 5));
          if (items > MAX_ITEMS) throw tooManyElements(pos);
          n = items;
          pos += 5;
        }
      }
    }
    if (pos > end) break;
    if (depth >= stack.length) throw tooDeep(stack.length, pos);
    if (n > end - pos) throw truncated(pos, n - (end - pos));
    stack[depth++] = left;
    left = n | 0;
  }
  if (pos > end) throw truncated(end, pos - end);
  return pos;
}

/** The four bytes at `at`, as a uint32. Bytes beyond the input count as 0: the caller's position is beyond it then, and it throws. */
function uint32(src: Uint8Array, at: number): number {
  return ((src[at]! << 24) | (src[at + 1]! << 16) | (src[at + 2]! << 8) | src[at + 3]!) >>> 0;
}

/** The position after `n` bytes; throws if they are missing, so that positions stay int32. */
function over(pos: number, header: number, n: number, end: number): number {
  if (n > end - pos - header) throw truncated(pos, n - (end - pos - header));
  return pos + header + n;
}

/** The error for input that ends where an item begins, or inside the item before it. */
export function ended(pos: number, end: number): DecodeError {
  return end === 0 ? emptyInput() : truncated(Math.min(pos, end), pos - end + 1);
}

/** The error for a container that is deeper than the limit. */
export function tooDeep(maxDepth: number, pos: number): DecodeError {
  return new DecodeError("ERR_LIMIT_DEPTH", `nested deeper than maxDepth (${maxDepth})`, pos);
}
