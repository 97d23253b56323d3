/** The reference model of PCK, 2: the layout of structs ("Layout of a struct"), and the least sizes ("Types"). */
import {
  type DocumentField,
  type DocumentType,
  isInBits,
  isOptional,
  kindOf,
  type SchemaDocument,
  shapeOf,
} from "./shape.ts";

const RANKS = (
  "bool u64 u32 u16 u8 i64 i32 i16 i8 f64 f32 uvar uvar64 ivar ivar64 " +
  "enumeration bytes utf8 ascii ref union array map"
).split(" ");

/** More bytes than any message has. Sums of it stay exact. */
const TOO_MANY = 2 ** 40;

interface Sections {
  readonly ordered: readonly DocumentField[];
  readonly optionals: readonly DocumentField[];
  readonly bools: readonly DocumentField[];
  readonly required: readonly DocumentField[];
}

/** The layout of a document's structs. */
export class Layout {
  readonly doc: SchemaDocument;
  /** The least size of each struct; Infinity for one without a finite value. */
  readonly #least = new Map<string, number>();
  readonly #sections = new Map<string, Sections>();

  constructor(doc: SchemaDocument) {
    this.doc = doc;
    for (const name of this.structs()) this.#least.set(name, Infinity);
    // The least fixpoint, by iteration until nothing changes.
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      for (const name of this.structs()) {
        const least = Math.min(TOO_MANY, this.#sumOf(name));
        if (!Number.isFinite(this.#sumOf(name)) || least === this.#least.get(name)) continue;
        this.#least.set(name, least);
        isChanged = true;
      }
    }
  }

  structs(): readonly string[] {
    return Object.keys(this.doc.structs);
  }

  /** In the order of their declaration. */
  fields(struct: string): readonly DocumentField[] {
    return this.doc.structs[struct]!.fields;
  }

  /** In canonical order. */
  ordered(struct: string): readonly DocumentField[] {
    return this.#sectionsOf(struct).ordered;
  }

  optionals(struct: string): readonly DocumentField[] {
    return this.#sectionsOf(struct).optionals;
  }

  bools(struct: string): readonly DocumentField[] {
    return this.#sectionsOf(struct).bools;
  }

  /** The other required fields, without bools. */
  required(struct: string): readonly DocumentField[] {
    return this.#sectionsOf(struct).required;
  }

  #sectionsOf(struct: string): Sections {
    const known = this.#sections.get(struct);
    if (known !== undefined) return known;
    const groupOf = (field: DocumentField) => (isOptional(field) ? 2 : this.isOfKnownSize(field.type) ? 0 : 1);
    const ordered = this.fields(struct)
      .map((field, position) => ({
        field,
        order: [groupOf(field), RANKS.indexOf(kindOf(field.type)), position] as const,
      }))
      .sort((a, b) => a.order[0] - b.order[0] || a.order[1] - b.order[1] || a.order[2] - b.order[2])
      .map(({ field }) => field);
    const sections = {
      ordered,
      optionals: ordered.filter(isOptional),
      bools: ordered.filter((field) => field.type === "bool"),
      required: ordered.filter((field) => field.type !== "bool" && !isOptional(field)),
    };
    this.#sections.set(struct, sections);
    return sections;
  }

  /** Bytes of the bit store. */
  storeBytes(struct: string): number {
    return Math.ceil((this.optionals(struct).length + this.bools(struct).length) / 8);
  }

  /** True if every value of the type has the same number of bytes. `open`: structs that are being checked. */
  isOfKnownSize(type: DocumentType, open: readonly string[] = []): boolean {
    const shape = shapeOf(type);
    switch (shape.is) {
      case "bool":
      case "fixed":
      case "float":
        return true;
      case "bytes":
      case "ascii":
        return shape.length !== undefined;
      case "ref":
        return (
          !open.includes(shape.struct) &&
          this.fields(shape.struct).every(
            (field) => !isOptional(field) && this.isOfKnownSize(field.type, [...open, shape.struct]),
          )
        );
      case "array":
        return (
          shape.length !== undefined && kindOf(shape.element) !== "nullable" && this.isOfKnownSize(shape.element, open)
        );
      default:
        return false;
    }
  }

  /** Returns the least size of a struct; Infinity without a finite value. */
  leastOf(struct: string): number {
    return this.#least.get(struct) ?? Infinity;
  }

  /** Returns the least size of an element or map value. */
  min(type: DocumentType): number {
    const shape = shapeOf(type);
    switch (shape.is) {
      case "fixed":
      case "float":
        return shape.bytes;
      case "bytes":
      case "ascii":
        return shape.length ?? 1;
      case "ref":
        return this.leastOf(shape.struct);
      case "union":
        return 1 + Math.min(...shape.arms.map(([, struct]) => this.leastOf(struct)));
      case "array": {
        if (shape.length === undefined) return 1;
        if (isInBits(shape.element)) return Math.ceil(shape.length / 8);
        return Math.min(TOO_MANY, shape.length * this.min(shape.element));
      }
      default:
        return 1;
    }
  }

  /** Returns the bytes that a counted array reserves at its count. */
  owedBy(element: DocumentType, count: number): number {
    return isInBits(element) ? Math.ceil(count / 8) : count * this.min(element);
  }

  #sumOf(struct: string): number {
    let sum = this.storeBytes(struct);
    for (const field of this.required(struct)) {
      // TOO_MANY caps finite sizes, and must not replace Infinity.
      sum += this.#isEndless(field.type) ? Infinity : this.min(field.type);
    }
    return sum;
  }

  #isEndless(type: DocumentType): boolean {
    const shape = shapeOf(type);
    if (shape.is === "array" && shape.length !== undefined && !isInBits(shape.element))
      return this.#isEndless(shape.element);
    return this.min(type) === Infinity;
  }
}
