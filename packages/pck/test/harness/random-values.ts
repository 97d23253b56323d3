/** Random values of a schema, in the JSON form, often at the limits of their types. */
import type { Layout } from "./layout.ts";
import { floatJson, floatOf } from "./numbers.ts";
import { pick, type Random } from "./random-schemas.ts";
import { type DocumentField, type DocumentType, isOptional, isWide, type Json, type Shape, shapeOf } from "./shape.ts";
import { base64Of } from "./text.ts";

const FLOATS = [0, -0, 1, -1, 0.5, 0.1, 1e-50, 1e-40, 3.4e38, 16777217, Number.NaN, Infinity, -Infinity, 123456.789];
const CHARACTERS = [
  "a",
  "b",
  "é",
  "\u07ff",
  "\u0800",
  "日",
  "\ud7ff",
  "\ue000",
  "\uffff",
  "😀",
  "\u{10ffff}",
  "\0",
  "\ufeff",
  '"',
];
/** Numbers around which varints get one byte more. */
const BITS = [0, 1, 6, 7, 8, 13, 14, 15, 16, 20, 21, 27, 28, 31, 32, 34, 35, 42, 48, 49, 53, 55, 56, 62, 63];

/** Returns a value of the layout's root: fields may be missing, maps are in any order, floats are not rounded. */
export function randomValue(random: Random, layout: Layout, budget: number): Json {
  return new ValueMaker(random, layout, budget).struct(layout.doc.root, []);
}

class ValueMaker {
  readonly #random: Random;
  readonly #layout: Layout;
  /** Number of values that may still be made where there is a choice. */
  #budget: number;

  constructor(random: Random, layout: Layout, budget: number) {
    this.#random = random;
    this.#layout = layout;
    this.#budget = budget;
  }

  struct(name: string, first: readonly (readonly [string, Json])[]): Json {
    return Object.fromEntries([...first, ...this.#layout.fields(name).flatMap((field) => this.#field(field))]);
  }

  #chance(percent: number): boolean {
    return this.#budget > 0 && this.#random(100) < percent;
  }

  #field(field: DocumentField): (readonly [string, Json])[] {
    this.#budget--;
    if (!isOptional(field) || this.#chance(60)) return [[field.name, this.value(field.type)]];
    return field.omit!.includes("null") && this.#random(2) === 0 ? [[field.name, null]] : [];
  }

  value(type: DocumentType): Json {
    this.#budget--;
    const random = this.#random;
    const shape = shapeOf(type);
    switch (shape.is) {
      case "bool":
        return random(2) === 1;
      case "fixed":
      case "varint":
        return this.#integer(shape);
      case "float": {
        const value = random(3) > 0 ? pick(random, FLOATS) : this.#anyFloat(shape.bytes);
        return floatJson(value);
      }
      case "enumeration":
        return pick(random, shape.values);
      case "bytes":
        return base64Of(Array.from({ length: shape.length ?? this.#length() }, () => random(256)));
      case "ascii":
        return this.#text(shape.length ?? this.#length(), true);
      case "utf8":
        return this.#text(this.#length(), this.#chance(50));
      case "ref":
        return this.struct(shape.struct, []);
      case "union": {
        const least = Math.min(...shape.arms.map(([, struct]) => this.#layout.leastOf(struct)));
        const [arm, struct] = pick(
          random,
          this.#budget > 0 ? shape.arms : shape.arms.filter(([, name]) => this.#layout.leastOf(name) === least),
        );
        return this.struct(struct, [[shape.discriminator, arm]]);
      }
      case "array":
        return Array.from({ length: shape.length ?? this.#count() }, () => this.value(shape.element));
      case "map":
        return this.#map(shape.key, shape.value);
      case "nullable":
        return this.#chance(60) ? this.value(shape.value) : null;
    }
  }

  #count(): number {
    if (this.#budget <= 0) return 0;
    return this.#chance(5) ? 10 + this.#random(10) : this.#random(4);
  }

  #length(): number {
    if (this.#budget <= 0) return this.#random(2);
    return this.#chance(4) ? pick(this.#random, [42, 43, 126, 127, 128, 129, 200]) : this.#random(7);
  }

  #text(length: number, isAscii: boolean): string {
    return Array.from({ length }, () =>
      isAscii ? String.fromCharCode(this.#random(128)) : pick(this.#random, CHARACTERS),
    ).join("");
  }

  #integer(shape: Extract<Shape, { readonly is: "fixed" | "varint" }>): Json {
    const random = this.#random;
    const size = BigInt(8 * shape.bytes);
    let value = (1n << BigInt(pick(random, BITS))) + BigInt(random(3) - 1);
    if (random(4) === 0) value = BigInt(random(2 ** 31)) * BigInt(random(2 ** 31)) + BigInt(random(2 ** 20));
    if (random(2) === 0) value = shape.isSigned ? -value : -1n - value;
    const fitting = shape.isSigned ? BigInt.asIntN(Number(size), value) : BigInt.asUintN(Number(size), value);
    return isWide(shape) ? String(fitting) : Number(fitting);
  }

  /** Returns a float of random bits; an f32 may need rounding. */
  #anyFloat(size: 4 | 8): number {
    const value = floatOf(Array.from({ length: 8 }, () => this.#random(256)));
    return size === 4 && Number.isFinite(value) && !Number.isFinite(Math.fround(value)) ? 1 / value : value;
  }

  #map(key: DocumentType, value: DocumentType): Json {
    const pairs = new Map<Json, readonly [Json, Json]>();
    for (let n = this.#count(); n > 0; n--) {
      const next = this.value(key);
      pairs.set(next, [next, this.value(value)]);
    }
    return [...pairs.values()];
  }
}
