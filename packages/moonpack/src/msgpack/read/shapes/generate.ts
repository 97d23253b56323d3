/** Generates readers for hot shapes (`new Function`). Nothing here runs, or tests for `eval`, before a shape is hot. */
import { INCOMPLETE } from "../incomplete.js";
import { MAX_LITERAL_KEYS, sizedConstructor } from "../objects.js";
import type { ShapeReader } from "./hot-shape.js";
import { fixstrOf } from "./key-bytes.js";

/** If a field held the same short text twice (a type, a unit, a status), the bytes are compared with it before they are decoded. */
const MAX_RECURRING_UNITS = 10;

/**
 * Generates a reader for a list of keys with fixstr headers; null if code generation is forbidden. `sample`: the values of one such
 * object, whose types are tried first. `earlier`: the texts of another one, see {@link recurringTexts}. `inParts`: the input may
 * end inside a message.
 */
export function generateReader(
  keys: readonly string[],
  sample: readonly unknown[],
  earlier: readonly (string | null)[],
  inParts: boolean,
): ShapeReader | null {
  try {
    const texts = sample.map((value, j) => (value === earlier[j] ? earlier[j]! : null));
    const code = source(keys, sample, texts, inParts);
    const make = new Function("texts", "Sized", "INCOMPLETE", code);
    return make(texts, sizedConstructor(keys.length), INCOMPLETE) as ShapeReader;
  } catch {
    return null; // forbidden by a policy
  }
}

/**
 * The code compares the bytes of each key, header included, word by word, and reads the value after it, likely types inline.
 * Names from the wire enter the code only through JSON.stringify, bytes only as numbers.
 */
function source(
  keys: readonly string[],
  sample: readonly unknown[],
  texts: readonly (string | null)[],
  inParts: boolean,
): string {
  const n = keys.length;
  let code = "";
  for (let j = 0; j < n; j++) {
    const { size, differs } = comparison(keys[j]!);
    const read = Array.from({ length: j }, (_, i) => `v${i}`).join();
    const v = `v${j}`;
    // One byte more than the key must be present: the value's first byte is then read unchecked.
    code += `if(p+${size}>=e||${differs}){r.pos=p;return t.fallBack(r,s,[${read}],reserved)}
p+=${size};let ${v}=b[p];
${texts[j] == null ? "" : expected(v, texts[j]!, `texts[${j}]`)}${likely(v, sample[j])}{r.pos=p;r.reserved=reserved+${2 * (n - 1 - j)};${v}=r.read();p=r.pos}
`;
    if (inParts) code += `if(${v}===INCOMPLETE)return t.suspend(r,s,[${read}],reserved);\n`;
  }
  return `"use strict";return(r,t,s,reserved)=>{const b=r.src,d=r.view,e=r.end;let p=r.pos;\n${code}r.pos=p;${construct(keys)}}`;
}

/** The short texts among the values of an object, null for other values. A generated reader may expect these texts to recur. */
export function recurringTexts(values: readonly unknown[]): (string | null)[] {
  return values.map((value) =>
    typeof value === "string" && value.length > 0 && value.length <= MAX_RECURRING_UNITS ? value : null,
  );
}

/** Code that takes `text` if the value's bytes are equal; ends with `else`. */
function expected(v: string, text: string, name: string): string {
  const { size, differs } = comparison(text);
  return `if(p+${Math.max(size, 4)}<=e&&!(${differs})){${v}=${name};p+=${size}}else `;
}

/** Code that reads a value of the sample's type inline; ends with `else`. Strict decoders never run it. */
function likely(v: string, sample: unknown): string {
  if (typeof sample === "string") {
    return `if(${v}>159&&${v}<192){${v}=r.readString(${v}&31,p,1);p=r.pos}else if(${v}===217&&p+2<=e){${v}=r.readString(b[p+1],p,2);p=r.pos}else`;
  }
  const small = `if(${v}<128)p++;else `;
  if (typeof sample !== "number") return small;
  if (!Number.isInteger(sample)) return `${small}if(${v}===203&&p+9<=e){${v}=d.getFloat64(p+1);p+=9}else`;
  return `${small}if(${v}===205&&p+3<=e){${v}=d.getUint16(p+1);p+=3}else if(${v}===206&&p+5<=e){${v}=d.getUint32(p+1);p+=5}else`;
}

/** Code that builds the object as objects.ts does, so that it has the same hidden class. */
function construct(keys: readonly string[]): string {
  const begin = keys.length <= MAX_LITERAL_KEYS ? "{}" : "new Sized(false)";
  return `const o=${begin};${keys.map((key, j) => `o[${JSON.stringify(key)}]=v${j}`).join(";")};s.hits++;return o`;
}

/** The size of a text of up to 31 bytes with its header, and the condition that the bytes at `p` differ from it. */
function comparison(text: string): { size: number; differs: string } {
  const bytes = fixstrOf(text);
  const size = bytes.length;
  if (size < 4) return { size, differs: Array.from(bytes, (byte, i) => `b[p+${i}]!==${byte}`).join("||") };
  const view = new DataView(bytes.buffer);
  const tests: string[] = [];
  for (let i = 0; i + 4 < size; i += 4) tests.push(`d.getInt32(p+${i},true)!==${view.getInt32(i, true)}`);
  tests.push(`d.getInt32(p+${size - 4},true)!==${view.getInt32(size - 4, true)}`);
  return { size, differs: tests.join("||") };
}
