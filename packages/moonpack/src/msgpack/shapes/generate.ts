/**
 * Generated readers for hot object shapes. An import of its own, so that browser bundles carry it only when asked:
 * `import { codeGeneration } from "moonpack/codegen"`. Nothing here runs, or probes for `eval`, before a shape is hot.
 *
 * @module
 */
import { utf8Length } from "#utf8";
import { putFixstr } from "./fixstr.js";

/** What generated code sees of the reader that runs it. */
export interface ReaderState {
  readonly src: Uint8Array;
  readonly view: DataView;
  readonly end: number;
  pos: number;
  owed: number;
  read(): unknown;
  readString(n: number, start: number, header: number): string;
  resume(keys: readonly string[], values: readonly unknown[], owed: number, slot: number): unknown;
}

/**
 * Reads one map of the shape it was made for, whose header is read already. `owed` is what the enclosing containers
 * owe, `slot` where the shape was found; both go to `resume` when the map turns out to be of another shape.
 */
export type ShapeReader = (reader: ReaderState, owed: number, slot: number) => unknown;

/**
 * Makes a reader for a list of keys; null where code generation is forbidden or the shape does not suit it. `sample` are
 * the values of one such object: what a field held once is tried first.
 */
export type CodeGenerator = (keys: readonly string[], sample: readonly unknown[]) => ShapeReader | null;

/** Objects of more keys than this are built from a literal, not key by key; see shapes.ts. */
const MAX_STORED_KEYS = 16;

/**
 * The generator to pass as `codeGeneration` where it is not the default.
 *
 * @example
 * const decoder = new Decoder({ codeGeneration }); // in a page whose Content-Security-Policy allows eval
 */
export const codeGeneration: CodeGenerator = (keys, sample) => {
  // A fixstr holds every key of a shape worth compiling.
  for (const key of keys) if (utf8Length(key) > 31) return null;
  try {
    return new Function("keys", source(keys, sample))(keys) as ShapeReader;
  } catch {
    return null; // forbidden by policy: interpreted reading is the quiet fallback
  }
};

/**
 * For each key: compare its bytes, header included, as words; read the value, small integers and short strings in
 * line. Names from the wire get into the code only through JSON.stringify, bytes only as numbers.
 */
function source(keys: readonly string[], sample: readonly unknown[]): string {
  const n = keys.length;
  let code = "";
  for (let j = 0; j < n; j++) {
    const { size, test } = comparison(keys[j]!);
    const met = Array.from({ length: j }, (_, i) => `v${i}`).join();
    // One byte more than the key: so the value's first byte may be read unchecked.
    const v = `v${j}`;
    code += `if(p+${size}>=e||${test}){r.pos=p;return r.resume(keys,[${met}],owed,slot)}
p+=${size};let ${v}=b[p];
${likely(v, sample[j])}{r.pos=p;r.owed=owed+${2 * (n - 1 - j)};${v}=r.read();p=r.pos}
`;
  }
  return `"use strict";return(r,owed,slot)=>{const b=r.src,d=r.view,e=r.end;let p=r.pos;\n${code}r.pos=p;${construct(keys)}}`;
}

/** In-line reading of what the field held in the sample, ending in `else`. Never runs for `strict` decoders. */
function likely(v: string, sample: unknown): string {
  if (typeof sample === "string") return `if(${v}>159&&${v}<192){${v}=r.readString(${v}&31,p,1);p=r.pos}else if(${v}===217&&p+2<=e){${v}=r.readString(b[p+1],p,2);p=r.pos}else`;
  const small = `if(${v}<128)p++;else `;
  if (typeof sample !== "number") return small;
  if (!Number.isInteger(sample)) return `${small}if(${v}===203&&p+9<=e){${v}=d.getFloat64(p+1);p+=9}else`;
  return `${small}if(${v}===205&&p+3<=e){${v}=d.getUint16(p+1);p+=3}else if(${v}===206&&p+5<=e){${v}=d.getUint32(p+1);p+=5}else`;
}

function construct(keys: readonly string[]): string {
  if (keys.length > MAX_STORED_KEYS) return `return{${keys.map((key, j) => `${JSON.stringify(key)}:v${j}`).join()}}`;
  return `const o={};${keys.map((key, j) => `o[${JSON.stringify(key)}]=v${j}`).join(";")};return o`;
}

/** The condition that the bytes at `p` are not this key. */
function comparison(key: string): { size: number; test: string } {
  const bytes = putFixstr(key);
  const size = bytes.length;
  if (size < 4) return { size, test: Array.from(bytes, (byte, i) => `b[p+${i}]!==${byte}`).join("||") };
  const view = new DataView(bytes.buffer);
  const tests: string[] = [];
  for (let i = 0; i + 4 < size; i += 4) tests.push(`d.getInt32(p+${i},true)!==${view.getInt32(i, true)}`);
  tests.push(`d.getInt32(p+${size - 4},true)!==${view.getInt32(size - 4, true)}`);
  return { size, test: tests.join("||") };
}
