/** A module while its code is written: what its functions and constants are called, and what it takes from the run time. */

import type { CodecSettings } from "../codec/settings.js";
import { jsonText } from "../json-text.js";
import type { Member, Node, Struct, UnionNode } from "../model/model.js";
import { quoted } from "./code.js";
import type { Facts } from "./facts.js";
import { camel, capitalized, type Names } from "./names.js";
import type * as runtime from "./runtime.js";
import { looseStructs } from "./types.js";

/** A function of the run time that generated code may use. */
export type RuntimeName = keyof typeof runtime;

/** What code is made for. */
export interface Target extends Pick<CodecSettings, "int64" | "maps" | "typedArrays" | "binary" | "validate"> {
  /** Write types, too? */
  readonly isTyped: boolean;
  /** Has every object a property of this name? It counts only when it is its own then. */
  isOwnOnly(name: string): boolean;
  /** The expression of the prototype that a struct's objects have; null for plain ones. */
  prototypeOf(struct: Struct): string | null;
  /** The class that stands for a struct in the file that the code is for; null for plain objects. */
  classOf(struct: Struct): OwnClass | null;
}

/** A class by the name of its struct; `new Player(health, jumping)` takes the fields in the order of their declaration. */
export interface OwnClass {
  /** Has it a method `pck` that writes it? */
  readonly hasPck: boolean;
  /** The function that reads one; null where there is none. */
  readonly reader: string | null;
}

/** The two types of a struct in TypeScript: as it is read, and what it may be written from. */
export interface TypeNames {
  readonly out: string;
  readonly in: string;
}

/** A function that waits to be written. */
export type Wanted =
  | { readonly kind: "struct"; readonly name: string; readonly struct: Struct }
  | { readonly kind: "union"; readonly name: string; readonly union: UnionNode }
  | { readonly kind: "arm"; readonly name: string; readonly union: UnionNode; readonly arm: number };

/** Names and uses of one module. */
export class Module {
  readonly target: Target;
  readonly facts: Facts;
  /** The module's scope. */
  readonly names: Names;
  /** What it takes from the run time. */
  readonly uses = new Set<RuntimeName>();
  /** Constants, in the order of their first use. */
  readonly constants: string[] = [];
  readonly #typeNames: ReadonlyMap<Struct, string>;
  readonly #functions = new Map<string, string>();
  readonly #lists = new Map<string, string>();
  readonly #wanted: Wanted[] = [];
  #loose: ReadonlySet<Struct> | null = null;

  constructor(target: Target, facts: Facts, typeNames: ReadonlyMap<Struct, string>, names: Names) {
    this.target = target;
    this.facts = facts;
    this.names = names;
    this.#typeNames = typeNames;
  }

  /** The name of something of the run time, which is imported then. */
  use(name: RuntimeName): RuntimeName {
    this.uses.add(name);
    return name;
  }

  /** The name that a struct has in the module. */
  nameOf(struct: Struct): string {
    return this.#typeNames.get(struct)!;
  }

  /** May it be written from more than what is read? See {@link looseStructs}. */
  isLoose(struct: Struct): boolean {
    return (this.#loose ??= looseStructs(this.facts.structs.filter((one) => this.classOf(one) === null))).has(struct);
  }

  /** The class that stands for a struct; null for none. */
  classOf(struct: Struct): OwnClass | null {
    return this.target.classOf(struct);
  }

  /** Text that only typed code has. */
  typed(text: string): string {
    return this.target.isTyped ? text : "";
  }

  /** The function that writes or reads a struct. */
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

  /** The call that writes a struct; `depth` is the argument, or "". */
  writeCall(struct: Struct, value: string, depth: string): string {
    if (this.classOf(struct)?.hasPck !== true) return `${this.structFunction("write", struct)}(w, ${value}${depth})`;
    const object = this.target.validate ? `${this.use("objectOf")}(${value})` : value;
    return `${object}.pck(w${depth})`;
  }

  /** What writes a struct, as a function. */
  writerOf(struct: Struct): string {
    if (this.classOf(struct)?.hasPck !== true) return this.structFunction("write", struct);
    const [parameters, depth] = this.facts.isDeep(struct) ? ["w, one, depth", ", depth"] : ["w, one", ""];
    return `(${parameters}) => ${this.writeCall(struct, "one", depth)}`;
  }

  /** The function that writes or reads a union; `of` is the member that it belongs to. */
  unionFunction(verb: "write" | "read", union: UnionNode, of: string): string {
    return this.#function(`${verb}${unionKey(union)}`, camel(verb, of), (name) => ({ kind: "union", name, union }));
  }

  /** The function that reads a struct as an arm of a union. */
  armFunction(union: UnionNode, arm: number): string {
    const { name: armName, struct } = union.arms[arm]!;
    const key = `arm${struct.index} ${jsonText([union.discriminator, armName])}`;
    const stem = camel("read", this.nameOf(struct), "As", armName);
    return this.#function(key, stem, (name) => ({ kind: "arm", name, union, arm }));
  }

  #function(key: string, stem: string, wanted: (name: string) => Wanted): string {
    const known = this.#functions.get(key);
    if (known !== undefined) return known;
    const name = this.names.of(stem);
    this.#functions.set(key, name);
    this.#wanted.push(wanted(name));
    return name;
  }

  /** The next function that was asked for and is not written yet. */
  next(): Wanted | undefined {
    return this.#wanted.shift();
  }

  /** The constant that is the list of these names; `of` says whose. */
  listOf(values: readonly string[], of: string): string {
    return this.#constant(jsonText(values), of, () => {
      const list = `[${values.map(quoted).join(", ")}]`;
      return this.target.isTyped ? `${list} as const` : list;
    });
  }

  /** The constant that has the places of these names. */
  placesOf(values: readonly string[], of: string): string {
    const list = this.listOf(values, of);
    return this.#constant(`places of ${list}`, `${of}_PLACES`, () => `${this.use("placesOf")}(${list})`);
  }

  #constant(key: string, of: string, text: () => string): string {
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const name = this.names.of(of.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase());
    this.#lists.set(key, name);
    this.constants.push(`const ${name} = ${text()};`);
    return name;
  }
}

/** Whose something is: the name for it that others are made from. */
export function ownerName(module: Module, struct: Struct, member: Member): string {
  return `${module.nameOf(struct)}${capitalized(member.name)}`;
}

function unionKey(union: UnionNode): string {
  return jsonText([union.discriminator, union.arms.map((arm) => [arm.name, arm.struct.index])]);
}

/** A type whose values the functions over a writer or reader take, as their names have it. */
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

/** The same for reading. */
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

/** The same for lists of numbers, without their count. */
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

/** The same for reading. */
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
