/** Generated readers for hot shapes (`new Function`). Nothing here runs, or probes for `eval`, before a shape is hot. */
import { utf8Length } from "#utf8";
import { CUT } from "../deep.js";
import { MAX_LITERAL_KEYS, roomFor } from "../objects.js";
import type { MessageReader } from "../read.js";
import { putFixstr } from "./fixstr.js";
import type { ShapeTable } from "./table.js";

/**
 * Reads one map of the shape it was made for, whose header is read already. `owed` is what the enclosing containers
 * owe, `slot` where the shape was found; both go to `table.resume` when the map turns out to be of another shape.
 */
export type ShapeReader = (reader: MessageReader, table: ShapeTable, owed: number, slot: number) => unknown;

/** Short texts that a field held twice (a type, a unit, a status) are compared before they are read. */
const MAX_RECURRING_UNITS = 10;

/**
 * A reader for this list of keys; null where code generation is forbidden or the shape does not suit it. `sample` are the
 * values of one such object: what a field held once is tried first. `earlier` are the texts of another, see {@link recurring}.
 */
export function generateReader(
  keys: readonly string[],
  sample: readonly unknown[],
  earlier: readonly (string | null)[],
  resumable: boolean,
): ShapeReader | null {
  // Keys of more bytes have no fixstr.
  for (const key of keys) if (utf8Length(key) > 31) return null;
  try {
    const texts = sample.map((value, j) => (value === earlier[j] ? earlier[j]! : null));
    const code = source(keys, sample, texts, resumable);
    return new Function("keys", "texts", "Room", "CUT", code)(keys, texts, roomFor(keys.length), CUT) as ShapeReader;
  } catch {
    return null; // forbidden by policy: interpreted reading is the quiet fallback
  }
}

/**
 * For each key: compare its bytes, header included, as words; read the value, what it is likely to be in line. Names from
 * the wire get into the code only through JSON.stringify, bytes only as numbers.
 */
function source(
  keys: readonly string[],
  sample: readonly unknown[],
  texts: readonly (string | null)[],
  resumable: boolean,
): string {
  const n = keys.length;
  let code = "";
  for (let j = 0; j < n; j++) {
    const { size, differs } = comparison(keys[j]!);
    const met = Array.from({ length: j }, (_, i) => `v${i}`).join();
    const v = `v${j}`;
    // One byte more than the key has to be there: so the value's first byte may be read unchecked.
    code += `if(p+${size}>=e||${differs}){r.pos=p;return t.resume(r,keys,[${met}],owed,slot)}
p+=${size};let ${v}=b[p];
${texts[j] == null ? "" : expected(v, texts[j]!, `texts[${j}]`)}${likely(v, sample[j])}{r.pos=p;r.owed=owed+${2 * (n - 1 - j)};${v}=r.read();p=r.pos}
`;
    // Only where the end of the input may cut it.
    if (resumable) code += `if(${v}===CUT)return t.cut(r,keys,[${met}],owed,slot);\n`;
  }
  return `"use strict";return(r,t,owed,slot)=>{const b=r.src,d=r.view,e=r.end;let p=r.pos;\n${code}r.pos=p;${construct(keys)}}`;
}

/** Of the values of an object those that a generated reader may expect to come again; others are not held on to. */
export function recurring(values: readonly unknown[]): (string | null)[] {
  return values.map((value) =>
    typeof value === "string" && value.length > 0 && value.length <= MAX_RECURRING_UNITS ? value : null,
  );
}

/** The text again, if its bytes are those of `text`; ending in `else`. */
function expected(v: string, text: string, name: string): string {
  const { size, differs } = comparison(text);
  return `if(p+${Math.max(size, 4)}<=e&&!(${differs})){${v}=${name};p+=${size}}else `;
}

/** In-line reading of what the field held in the sample, ending in `else`. Never runs for `strict` decoders. */
function likely(v: string, sample: unknown): string {
  if (typeof sample === "string") {
    return `if(${v}>159&&${v}<192){${v}=r.readString(${v}&31,p,1);p=r.pos}else if(${v}===217&&p+2<=e){${v}=r.readString(b[p+1],p,2);p=r.pos}else`;
  }
  const small = `if(${v}<128)p++;else `;
  if (typeof sample !== "number") return small;
  if (!Number.isInteger(sample)) return `${small}if(${v}===203&&p+9<=e){${v}=d.getFloat64(p+1);p+=9}else`;
  return `${small}if(${v}===205&&p+3<=e){${v}=d.getUint16(p+1);p+=3}else if(${v}===206&&p+5<=e){${v}=d.getUint32(p+1);p+=5}else`;
}

/** The object as objects.ts would build it, hence of the same hidden class. */
function construct(keys: readonly string[]): string {
  const begin = keys.length <= MAX_LITERAL_KEYS ? "{}" : "new Room(false)";
  return `const o=${begin};${keys.map((key, j) => `o[${JSON.stringify(key)}]=v${j}`).join(";")};return o`;
}

/** The condition that the bytes at `p` are not this text of up to 31 bytes. */
function comparison(text: string): { size: number; differs: string } {
  const bytes = putFixstr(text);
  const size = bytes.length;
  if (size < 4) return { size, differs: Array.from(bytes, (byte, i) => `b[p+${i}]!==${byte}`).join("||") };
  const view = new DataView(bytes.buffer);
  const tests: string[] = [];
  for (let i = 0; i + 4 < size; i += 4) tests.push(`d.getInt32(p+${i},true)!==${view.getInt32(i, true)}`);
  tests.push(`d.getInt32(p+${size - 4},true)!==${view.getInt32(size - 4, true)}`);
  return { size, differs: tests.join("||") };
}
