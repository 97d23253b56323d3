/** Generates code for walks over structs: the loop of walk.ts without its loop, and with constants. */
import { compileFunction } from "#engine";
import { checkDepth, readBits } from "../runtime/reader.js";
import { COUNTED, type Items, VARINT, type Walk, walkOf } from "./walk.js";

/** V8 does not optimise much larger functions. */
const MAX_ITEMS = 400;

/** Returns a walk over items; a walk in a loop where code generation is forbidden. */
export function generatedWalk(items: Items): Walk {
  const { bits, codes, presence, steps, leaves } = items;
  if (codes.length > MAX_ITEMS) return walkOf(items);
  const lines = codes.map((code, i) => {
    const bit = presence[i]!;
    const key = leaves[i]?.key;
    const call = key === undefined ? `s${i}(r, depth, out, start)` : `out[${JSON.stringify(key)}] = s${i}(r, depth)`;
    const item = itemText(code, `{ r.pos = pos; ${call}; pos = r.pos; }`);
    return bit < 0 ? item : `if (bytes[start + ${bit >> 3}] & ${1 << (bit & 7)}) { ${item} }`;
  });
  const source = `"use strict";
return (r, depth, out) => {
checkDepth(r, depth);
const start = ${bits === 0 ? 0 : `readBits(r, ${bits})`};
const { bytes, end } = r;
let { pos } = r;
let n = 0, m = 0;
${lines.join("\n")}
r.pos = pos;
};`;
  try {
    const names = ["checkDepth", "readBits", ...codes.map((_, i) => `s${i}`)];
    const make = compileFunction?.(names, source);
    return (make?.(checkDepth, readBits, ...steps.map((step, i) => leaves[i]?.get ?? step)) as Walk) ?? walkOf(items);
  } catch {
    return walkOf(items); // a security policy forbids it
  }
}

/** Returns the text that skips an item. `call` is the text of its step. */
function itemText(code: number, call: string): string {
  if (code > 0) return `if (${code} <= end - pos) pos += ${code}; else ${call}`;
  if (code === COUNTED)
    return `if (pos < end && (n = bytes[pos]) < 128 && n < end - pos) pos += n + 1;
else if (end - pos > 2 && n > 127 && (m = bytes[pos + 1]) < 128 && m > 0 && (n += m * 128 - 128) <= end - pos - 2) pos += n + 2;
else ${call}`;
  if (code !== VARINT) return call;
  return `if (pos < end && bytes[pos] < 128) pos++;
else if (end - pos > 2 && (n = bytes[pos + 1]) < 128 && n > 0) pos += 2;
else if (end - pos > 2 && n > 127 && (n = bytes[pos + 2]) < 128 && n > 0) pos += 3;
else ${call}`;
}
