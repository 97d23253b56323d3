/**
 * A module while its code is written: the names of its functions and constants, and its imports from the run
 * time.
 */

import { jsonText } from "../json/text.js";
import { isBounded } from "../model/bounded.js";
import type { Member, Node, Struct, UnionNode } from "../model/model.js";
import { Weights } from "../model/weights.js";
import type * as runtime from "../runtime/functions.js";
import type * as picks from "../runtime/picks.js";
import type { CodecSettings } from "../settings.js";
import { quoted } from "./code.js";
import { camel, capitalized, type Names } from "./names.js";
import type { StructTraits } from "./struct-traits.js";
import { structsWithInputType } from "./types.js";

/** A function of the run time that generated or emitted code may use. */
export type RuntimeName = keyof typeof runtime | keyof typeof picks;

/** The settings of the code. */
export interface Target
  extends Pick<CodecSettings, "int64" | "maps" | "typedArrays" | "binary" | "validate" | "absent" | "maxElements"> {
  /** Whether the code has types. */
  readonly isTyped: boolean;
  /** Whether numbers are checked in place, and not by functions of the run time, which V8 would have to inline. */
  readonly checksInPlace: boolean;
  /** True for a name that also exists on Object.prototype: such a property is read only if it is an own property. */
  isOwnOnly(name: string): boolean;
  /** Returns the expression of the prototype for a struct's objects; null for plain objects. */
  prototypeOf(struct: Struct): string | null;
  /** Returns the class that represents a struct in the emitted file; null for plain objects. */
  classOf(struct: Struct): OwnClass | null;
}

/** A class with the name of its struct. `new Player(health, jumping)` takes the fields in the order of declaration. */
export interface OwnClass {
  /** Whether the class has a method `pck` that writes it. */
  readonly hasPck: boolean;
  /** The name of the function that reads an instance; null for none. */
  readonly reader: string | null;
}

/** A function that has a name but no text yet. */
export type PendingFunction =
  | { readonly kind: "struct"; readonly name: string; readonly struct: Struct }
  | { readonly kind: "union"; readonly name: string; readonly union: UnionNode }
  | { readonly kind: "arm"; readonly name: string; readonly union: UnionNode; readonly arm: number };

/** The names and imports of one module. */
export class Module {
  readonly target: Target;
  readonly traits: StructTraits;
  /** The names of the module's scope. */
  readonly names: Names;
  /** The names that the module imports from the run time. */
  readonly uses = new Set<RuntimeName>();
  /** Constants, in the order of first use. */
  readonly constants: string[] = [];
  /** How many elements a value counts for `maxElements`. */
  readonly weights: Weights;
  /** Whether readers count elements. They do not if no message can make more elements than every message may. */
  readonly counts: boolean;
  readonly #typeNames: ReadonlyMap<Struct, string>;
  readonly #functions = new Map<string, string>();
  readonly #lists = new Map<string, string>();
  readonly #wanted: PendingFunction[] = [];
  #withInputType: ReadonlySet<Struct> | null = null;

  /** `makesLists`: whether paths of picks make more lists than messages contain. */
  constructor(
    target: Target,
    traits: StructTraits,
    typeNames: ReadonlyMap<Struct, string>,
    names: Names,
    makesLists = false,
  ) {
    this.target = target;
    this.traits = traits;
    this.names = names;
    this.#typeNames = typeNames;
    this.weights = new Weights(target);
    this.counts = makesLists || !isBounded(traits.roots, this.weights, target.maxElements);
  }

  /** Marks a name of the run time as imported, and returns it. */
  use(name: RuntimeName): RuntimeName {
    this.uses.add(name);
    return name;
  }

  /** Returns the name of a struct in the module. */
  nameOf(struct: Struct): string {
    return this.#typeNames.get(struct)!;
  }

  /**
   * Whether the type for values to encode accepts more than the type of decoded values. See {@link
   * structsWithInputType}.
   */
  hasInputType(struct: Struct): boolean {
    return (this.#withInputType ??= structsWithInputType(
      this.traits.structs.filter((one) => this.classOf(one) === null),
    )).has(struct);
  }

  /** Returns the class that represents a struct; null for none. */
  classOf(struct: Struct): OwnClass | null {
    return this.target.classOf(struct);
  }

  /** Returns `text` in typed code, "" otherwise. */
  typed(text: string): string {
    return this.target.isTyped ? text : "";
  }

  /** Returns the name of the function that writes or reads a struct. */
  structFunction(verb: "write" | "read", struct: Struct): string {
    if (verb === "read") {
      const reader = this.classOf(struct)?.reader ?? null;
      if (reader !== null) return reader;
    }
    return this.#function(`${verb}${struct.index}`, camel(verb, this.nameOf(struct)), (name) => ({
      kind: "struct",
      name,
      struct,
    }));
  }

  /** Returns the call that writes a struct. `depth`: the text of that argument, or "". */
  writeCall(struct: Struct, value: string, depth: string): string {
    if (this.classOf(struct)?.hasPck !== true) return `${this.structFunction("write", struct)}(w, ${value}${depth})`;
    const object = this.target.validate ? `${this.use("objectOf")}(${value})` : value;
    return `${object}.pck(w${depth})`;
  }

  /** Returns an expression for a function that writes a struct. */
  writerOf(struct: Struct): string {
    if (this.classOf(struct)?.hasPck !== true) return this.structFunction("write", struct);
    const [parameters, depth] = this.traits.isDeep(struct) ? ["w, one, depth", ", depth"] : ["w, one", ""];
    return `(${parameters}) => ${this.writeCall(struct, "one", depth)}`;
  }

  /** Returns the name of the function that writes or reads a union. `of`: the field that the union belongs to. */
  unionFunction(verb: "write" | "read", union: UnionNode, of: string): string {
    return this.#function(`${verb}${unionKey(union)}`, camel(verb, of), (name) => ({ kind: "union", name, union }));
  }

  /** Returns the name of the function that reads a struct as an arm of a union. */
  armFunction(union: UnionNode, arm: number): string {
    const { name: armName, struct } = union.arms[arm]!;
    const key = `arm${struct.index} ${jsonText([union.discriminator, armName])}`;
    const stem = camel("read", this.nameOf(struct), "As", armName);
    return this.#function(key, stem, (name) => ({ kind: "arm", name, union, arm }));
  }

  #function(key: string, stem: string, wanted: (name: string) => PendingFunction): string {
    const known = this.#functions.get(key);
    if (known !== undefined) return known;
    const name = this.names.unique(stem);
    this.#functions.set(key, name);
    this.#wanted.push(wanted(name));
    return name;
  }

  /** Returns the next function whose text is not written yet. */
  next(): PendingFunction | undefined {
    return this.#wanted.shift();
  }

  /** Returns the name of the constant that lists these names. `of`: the field that they belong to. */
  listOf(values: readonly string[], of: string): string {
    return this.constant(jsonText(values), of, () => {
      const list = `[${values.map(quoted).join(", ")}]`;
      return this.target.isTyped ? `${list} as const` : list;
    });
  }

  /** Returns the statement that counts elements at the reader's position; "" if there is nothing to count. */
  countText(weight: number): string {
    return this.counts && weight > 0 ? `${this.use("countElements")}(r, ${weight});` : "";
  }

  /** Returns the expression of an empty value: a new one, or a shared frozen constant with `absent: "shared"`. */
  empty(text: string): string {
    if (this.target.absent === "own") return text;
    const isMap = text === "new Map()";
    const name = isMap ? "map" : text === "[]" ? "list" : text === "{}" ? "object" : text.slice(4, -3);
    const made = isMap
      ? `${this.use("frozenMap")}${this.typed("<never, never>")}()`
      : `${this.use("frozen")}${text === "[]" ? this.typed("<never[]>") : ""}(${text})`;
    return this.constant(`empty ${text}`, `EMPTY_${name}`, () => `/* @__PURE__ */ ${made}`);
  }

  /** Returns the name of the constant that maps these names to their indexes. */
  placesOf(values: readonly string[], of: string): string {
    const list = this.listOf(values, of);
    return this.constant(`places of ${list}`, `${of}_PLACES`, () => `${this.use("placesOf")}(${list})`);
  }

  /** Returns the name of a constant, which begins with `of`. `text` returns its expression, once for each key. */
  constant(key: string, of: string, text: () => string): string {
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const name = this.names.unique(of.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase());
    this.#lists.set(key, name);
    this.constants.push(`const ${name} = ${text()};`);
    return name;
  }
}

/** Returns the name of a field for the constants and functions that belong to it. */
export function ownerName(module: Module, struct: Struct, member: Member): string {
  return `${module.nameOf(struct)}${capitalized(member.name)}`;
}

function unionKey(union: UnionNode): string {
  return jsonText([union.discriminator, union.arms.map((arm) => [arm.name, arm.struct.index])]);
}

/** The functions that write a value of each type. They take the writer and the value. */
export const WRITERS: ReadonlyMap<Node["kind"], RuntimeName> = /* @__PURE__ */ new Map<Node["kind"], RuntimeName>([
  ["bool", "writeFlag"],
  ["u8", "writeU8"],
  ["u16", "writeU16"],
  ["u32", "writeU32"],
  ["u64", "writeU64"],
  ["i8", "writeI8"],
  ["i16", "writeI16"],
  ["i32", "writeI32"],
  ["i64", "writeI64"],
  ["f32", "writeF32"],
  ["f64", "writeF64"],
  ["uvar", "writeUvar"],
  ["ivar", "writeIvar"],
  ["uvar64", "writeUvar64"],
  ["ivar64", "writeIvar64"],
  ["utf8", "writeText"],
]);

/** The functions that read a value of each type. */
export const READERS: ReadonlyMap<Node["kind"], RuntimeName> = /* @__PURE__ */ new Map<Node["kind"], RuntimeName>([
  ["bool", "readFlag"],
  ["u8", "readU8"],
  ["u16", "readU16"],
  ["u32", "readU32"],
  ["u64", "readU64"],
  ["i8", "readI8"],
  ["i16", "readI16"],
  ["i32", "readI32"],
  ["i64", "readI64"],
  ["f32", "readF32"],
  ["f64", "readF64"],
  ["uvar", "readUvar"],
  ["ivar", "readIvar"],
  ["uvar64", "readUvar64"],
  ["ivar64", "readIvar64"],
  ["utf8", "readText"],
]);

/** The functions that write a list of numbers, without its count. */
export const LIST_WRITERS: ReadonlyMap<Node["kind"], RuntimeName> = /* @__PURE__ */ new Map<Node["kind"], RuntimeName>([
  ["u8", "writeU8s"],
  ["u16", "writeU16s"],
  ["u32", "writeU32s"],
  ["i8", "writeI8s"],
  ["i16", "writeI16s"],
  ["i32", "writeI32s"],
  ["f32", "writeF32s"],
  ["f64", "writeF64s"],
  ["uvar", "writeUvars"],
  ["ivar", "writeIvars"],
]);

/** The functions that read a list of numbers. */
export const LIST_READERS: ReadonlyMap<Node["kind"], RuntimeName> = /* @__PURE__ */ new Map<Node["kind"], RuntimeName>([
  ["u8", "readU8s"],
  ["u16", "readU16s"],
  ["u32", "readU32s"],
  ["i8", "readI8s"],
  ["i16", "readI16s"],
  ["i32", "readI32s"],
  ["f32", "readF32s"],
  ["f64", "readF64s"],
  ["uvar", "readUvars"],
  ["ivar", "readIvars"],
  ["u64", "readU64s"],
  ["i64", "readI64s"],
]);
