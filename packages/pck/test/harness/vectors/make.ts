/** Makes generated vectors: a cause, a document, and the reference model's outcome of a value or of bytes. */
import type { BytesCase } from "../cases.ts";
import { encodeReference } from "../encode.ts";
import { fingerprintReference } from "../fingerprint.ts";
import { Layout } from "../layout.ts";
import { caseOf } from "../random-cases.ts";
import type { RefusedCase } from "../refusals.ts";
import type { DocumentField, DocumentType, Json, SchemaDocument } from "../shape.ts";

/** A case and its cause. */
export type OwnCase = (BytesCase | RefusedCase) & { readonly cause: string };

type Omit = readonly ("null" | "empty" | "zero")[];
type Structs = { readonly [name: string]: readonly DocumentField[] };

/** Returns a document of structs, given by their fields; the first is the root. */
export function documentOf(structs: Structs): SchemaDocument {
  return {
    pck: 1,
    root: Object.keys(structs)[0]!,
    structs: Object.fromEntries(Object.entries(structs).map(([name, fields]) => [name, { fields }] as const)),
  };
}

/** Returns a document whose root has one field, `v`. */
export function oneField(type: DocumentType, omit: Omit = [], structs: Structs = {}): SchemaDocument {
  return documentOf({ Root: [{ name: "v", type, ...(omit.length === 0 ? {} : { omit }) }], ...structs });
}

/** Collects cases. */
export class Cases {
  readonly list: OwnCase[] = [];
  readonly #layouts = new Map<SchemaDocument, Layout>();

  /** Adds a value, and returns its bytes. */
  value(cause: string, doc: SchemaDocument, given: Json): readonly number[] {
    const layout = this.#layoutOf(doc);
    const bytes = encodeReference(layout, given);
    const one = caseOf(layout, bytes, given);
    const isSame = one.kind === "value" && JSON.stringify(one.value) === JSON.stringify(given);
    const { given: _, ...plain } = { given: null, ...one };
    this.list.push({ ...(isSame ? plain : one), cause, fingerprint: fingerprintReference(layout) } as OwnCase);
    return bytes;
  }

  /** Adds bytes, valid or not. */
  bytes(cause: string, doc: SchemaDocument, bytes: readonly number[]): void {
    this.list.push({ ...caseOf(this.#layoutOf(doc), bytes), cause } as OwnCase);
  }

  /** Adds bytes that must throw this code. */
  refused(cause: string, doc: SchemaDocument, code: string, bytes: readonly number[]): void {
    const one = caseOf(this.#layoutOf(doc), bytes);
    if (one.kind !== "rejected" || one.error.code !== code) throw new Error(`${cause}: ${JSON.stringify(one)}`);
    this.list.push({ ...one, cause });
  }

  #layoutOf(doc: SchemaDocument): Layout {
    const known = this.#layouts.get(doc) ?? new Layout(doc);
    this.#layouts.set(doc, known);
    return known;
  }

  /** Adds every strict prefix of bytes, and the bytes with a trailing byte. */
  cuts(cause: string, doc: SchemaDocument, bytes: readonly number[]): void {
    for (let n = 0; n < bytes.length; n++) this.bytes(`${cause}: its first ${n} bytes`, doc, bytes.slice(0, n));
    this.refused(`${cause}: a byte more`, doc, "ERR_TRAILING_BYTES", [...bytes, 0]);
  }
}

/** Returns a list of `count` equal items. */
export function times<T>(count: number, item: T): T[] {
  return new Array<T>(count).fill(item);
}
