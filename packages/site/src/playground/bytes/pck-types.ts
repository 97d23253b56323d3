// The type of each item of a PCK container, by its schema document: bytes do not name their types.
import type { DocumentType, SchemaDocument } from "@moonpack/pck";
import { type ItemStore, NONE } from "./item-store.ts";
import { varint } from "./part-writer.ts";

/** The order of types in a struct (docs/pck-format.md, "Layout of a struct"). */
const RANKS: readonly string[] =
  "bool u64 u32 u16 u8 i64 i32 i16 i8 f64 f32 uvar uvar64 ivar ivar64 enumeration bytes utf8 ascii ref union array map".split(
    " ",
  );

/** The name of a type: `u8`, `array`. */
export function kindOf(type: DocumentType): string {
  if (typeof type === "string") return type;
  // `length` and `discriminator` belong to the kind beside them.
  return Object.keys(type).find((key) => key !== "length" && key !== "discriminator")!;
}

/** A type, and whether a byte before its value says that it is there. */
export interface TypeAt {
  readonly type: DocumentType;
  readonly isFlagged: boolean;
}

/** The bits of a struct, in their order: presence of optional fields, then booleans. */
export interface StructBits {
  readonly optionals: readonly string[];
  readonly bools: readonly string[];
}

/** The types of the items of one container. */
export class PckTypes {
  readonly #bytes: Uint8Array;
  readonly #document: SchemaDocument;
  readonly #store: ItemStore;
  readonly #bits = new Map<string, StructBits>();

  /** `bytes`: a container whose schema was read without an error; its schema is the item `schema`. */
  constructor(bytes: Uint8Array, store: ItemStore, schema: number) {
    const { end } = varint(bytes, store.offset(schema), store.end(schema));
    this.#document = JSON.parse(new TextDecoder().decode(bytes.subarray(end, store.end(schema)))) as SchemaDocument;
    this.#bytes = bytes;
    this.#store = store;
  }

  /** The type of a value's item. */
  at(item: number): TypeAt {
    const chain: number[] = [];
    for (let at = item; at !== NONE; at = this.#store.parent(at)) chain.push(at);
    // The container itself has no type; its values are root structs.
    chain.pop();
    let found: TypeAt = { type: { ref: this.#document.root }, isFlagged: false };
    for (let at = chain.pop()!; chain.length > 0; ) {
      const inner = chain.pop()!;
      found = this.#inside(found, at, inner);
      at = inner;
    }
    return found;
  }

  #inside(outer: TypeAt, around: number, item: number): TypeAt {
    const { type } = outer;
    if (typeof type === "string") throw new Error(`${type} has no content`);
    if ("array" in type) return { type: withoutNull(type.array), isFlagged: false };
    if ("map" in type) {
      const [key, value] = type.map;
      if (this.#store.isKey(item)) return { type: key, isFlagged: false };
      return { type: withoutNull(value), isFlagged: kindOf(value) === "nullable" };
    }
    const name = nameIn(this.#store.texts(item)!.path.slice(this.#store.texts(around)!.path.length));
    const field = this.#struct(this.structOf(outer, around)).find((one) => one.name === name)!;
    return { type: field.type, isFlagged: false };
  }

  /** The name of the struct of an item: of a `ref`, or of the arm of a union, whose index comes first. */
  structOf({ type, isFlagged }: TypeAt, item: number): string {
    if (typeof type === "object" && "ref" in type) return type.ref;
    const { union } = type as { readonly union: readonly (readonly [string, string])[] };
    const start = this.#store.offset(item) + (isFlagged ? 1 : 0);
    return union[Number(varint(this.#bytes, start, this.#store.end(item)).value)]![1];
  }

  /** The bits of a struct by its name. */
  bitsOf(struct: string): StructBits {
    const known = this.#bits.get(struct);
    if (known !== undefined) return known;
    const fields = this.#struct(struct);
    const optionals = fields.filter(({ omit = [] }) => omit.length > 0);
    // Sorting is stable: equal ranks keep the order of their declaration.
    optionals.sort((a, b) => RANKS.indexOf(kindOf(a.type)) - RANKS.indexOf(kindOf(b.type)));
    const bits = {
      optionals: optionals.map(({ name }) => name),
      bools: fields.filter(({ type }) => type === "bool").map(({ name }) => name),
    };
    this.#bits.set(struct, bits);
    return bits;
  }

  #struct(name: string): SchemaDocument["structs"][string]["fields"] {
    return Object.hasOwn(this.#document.structs, name) ? this.#document.structs[name]!.fields : [];
  }
}

function withoutNull(type: DocumentType): DocumentType {
  return typeof type === "object" && "nullable" in type ? type.nullable : type;
}

/** The name in the step of a path: `.name`, `["a name"]`. */
function nameIn(step: string): string {
  return step.startsWith(".") ? step.slice(1) : (JSON.parse(step.slice(1, -1)) as string);
}
