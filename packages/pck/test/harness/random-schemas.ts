/**
 * Random schemas: all types, nesting, modifiers, unions, recursion. The same seed gives the same schemas everywhere.
 */
import { Layout } from "./layout.ts";
import { type DocumentField, type DocumentType, isOptional, kindOf, type SchemaDocument, shapeOf } from "./shape.ts";

/** A seeded random source: returns an integer from 0 to `below - 1`. */
export type Random = (below: number) => number;

/**
 * `plain`: identifiers that are valid in any language. `any`: also names that are special in JavaScript, or not
 * identifiers.
 */
export type Names = "plain" | "any";

const WEIRD = [
  ...[
    "__proto__",
    "constructor",
    "toString",
    "valueOf",
    "hasOwnProperty",
    "prototype",
    "then",
    "toJSON",
    "length",
    "0",
  ],
  ...[
    "a b",
    "é",
    "日本",
    "😀",
    "\u2028",
    '"]);throw 1//',
    "*/",
    "\0",
    "\ufeff",
    "class",
    "default",
    "null",
    "-1",
    "$&",
  ],
];
const WORDS = "id name x y size list owner at next kids text flags score tag left right data value mode item".split(
  " ",
);
const NUMBER_TYPES = "u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 uvar ivar uvar64 ivar64".split(" ");
const KEY_TYPES = "u8 u16 u32 u64 i8 i16 i32 i64 uvar ivar uvar64 ivar64 utf8 ascii".split(" ");

/** Returns one item of a list. */
export function pick<T>(random: Random, list: readonly T[]): T {
  return list[random(list.length)]!;
}

/** Returns a valid schema whose smallest message is small. */
export function randomSchema(random: Random, names: Names): SchemaDocument {
  for (;;) {
    const doc = new SchemaMaker(random, names).document();
    if (isUsable(doc)) return doc;
  }
}

class SchemaMaker {
  readonly #random: Random;
  readonly #names: Names;
  readonly #structs: readonly string[];

  constructor(random: Random, names: Names) {
    this.#random = random;
    this.#names = names;
    this.#structs = this.#different(random(10) === 0 ? 12 : 1 + random(5), "Struct");
  }

  document(): SchemaDocument {
    const structs = Object.fromEntries(this.#structs.map((name) => [name, { fields: this.#fields() }] as const));
    return { pck: 1, root: this.#structs[0]!, structs };
  }

  #chance(percent: number): boolean {
    return this.#random(100) < percent;
  }

  /** Returns unique names; plain names also differ when case is ignored. */
  #different(count: number, stem: string): string[] {
    const names = new Set<string>();
    for (let i = 0; names.size < count; i++) {
      if (this.#names === "any" && this.#chance(20)) names.add(pick(this.#random, WEIRD));
      else names.add(stem === "" ? `${pick(this.#random, WORDS)}${i}` : `${stem}${i}`);
    }
    return [...names];
  }

  #fields(): DocumentField[] {
    const many = this.#random(20);
    const count = many === 0 ? 9 + this.#random(16) : many === 1 ? 0 : 1 + this.#random(7);
    return this.#different(count, "").map((name) => {
      const type = this.#type(1, true);
      const omit = this.#omit(type);
      return { name, type, ...(omit.length === 0 ? {} : { omit }) };
    });
  }

  #omit(type: DocumentType): ("null" | "empty" | "zero")[] {
    const shape = shapeOf(type);
    if (shape.is === "bool") return [];
    const isCounted =
      shape.is === "utf8" ||
      shape.is === "map" ||
      ((shape.is === "bytes" || shape.is === "ascii" || shape.is === "array") && shape.length === undefined);
    const isNumber = shape.is === "fixed" || shape.is === "varint" || shape.is === "float";
    return [
      ...(isNumber && this.#chance(25) ? (["zero"] as const) : []),
      ...(this.#chance(25) ? (["null"] as const) : []),
      ...(isCounted && this.#chance(25) ? (["empty"] as const) : []),
    ];
  }

  #type(depth: number, isField: boolean): DocumentType {
    const random = this.#random;
    const kinds = ["bool", "number", "number", "number", "text", "bytes", "enumeration"];
    if (depth < 5) kinds.push("ref", "ref", "union", "array", "array", "map");
    if (!isField && depth < 5) kinds.push("nullable");
    const kind = pick(random, kinds);
    switch (kind) {
      case "number":
        return pick(random, NUMBER_TYPES);
      case "text":
        return pick<DocumentType>(random, ["utf8", "utf8", "ascii", { ascii: 1 + random(9) }]);
      case "bytes":
        return this.#chance(50) ? "bytes" : { bytes: 1 + random(9) };
      case "enumeration":
        return this.#enumeration();
      case "ref":
        return { ref: pick(random, this.#structs) };
      case "union": {
        const arms = this.#different(1 + random(4), "arm").map((arm) => [arm, pick(random, this.#structs)] as const);
        return { union: arms, ...(this.#chance(30) ? { discriminator: pick(random, ["type", "is", "~"]) } : {}) };
      }
      case "array":
        return {
          array: this.#element(depth),
          ...(this.#chance(35) ? { length: 1 + random(this.#chance(80) ? 3 : 19) } : {}),
        };
      case "map":
        return {
          map: [this.#chance(10) ? this.#enumeration() : this.#key(), this.#element(depth)],
        };
      default:
        return kind === "nullable" ? { nullable: this.#notNullable(depth) } : "bool";
    }
  }

  #element(depth: number): DocumentType {
    return this.#chance(20) ? { nullable: this.#notNullable(depth + 1) } : this.#type(depth + 1, false);
  }

  #notNullable(depth: number): DocumentType {
    return this.#type(depth + 1, true);
  }

  #key(): DocumentType {
    return this.#chance(5) ? { ascii: 1 + this.#random(3) } : pick(this.#random, KEY_TYPES);
  }

  #enumeration(): DocumentType {
    const count = this.#chance(5) ? 130 + this.#random(20) : 1 + this.#random(5);
    return { enumeration: this.#different(count, "value") };
  }
}

/** Limit of the smallest message: larger ones cost time and test nothing more. */
const LARGE = 1500;

function isUsable(doc: SchemaDocument): boolean {
  const layout = new Layout(doc);
  const names = layout.structs();
  return (
    names.every((name) => layout.leastOf(name) < LARGE) &&
    names.every((name) => layout.fields(name).every((field) => isFieldOk(layout, field)))
  );
}

function isFieldOk(layout: Layout, field: DocumentField): boolean {
  const shape = shapeOf(field.type);
  if (shape.is === "ref" && !isOptional(field) && layout.fields(shape.struct).length === 0) return false;
  return isTypeOk(layout, field.type);
}

function isTypeOk(layout: Layout, type: DocumentType): boolean {
  const shape = shapeOf(type);
  switch (shape.is) {
    case "array":
      return (
        (kindOf(shape.element) === "bool" || kindOf(shape.element) === "nullable" || layout.min(shape.element) > 0) &&
        isTypeOk(layout, shape.element)
      );
    case "map":
    case "nullable":
      return isTypeOk(layout, shape.value);
    case "union":
      return shape.arms.every(([, struct]) => layout.fields(struct).every(({ name }) => name !== shape.discriminator));
    default:
      return true;
  }
}
