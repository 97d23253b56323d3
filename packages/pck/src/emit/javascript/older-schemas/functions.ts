/** The functions that read bytes of one older schema: one for each message, and all functions that these call. */
import { DEFAULT_MAX_DEPTH } from "moonpack/bytes";
import { AddedWeights } from "../../../evolve/added-weight.js";
import type { Fill, FilledStruct, StructPlan } from "../../../evolve/plan.js";
import { Code, entryOf, quoted } from "../../../generate/code.js";
import type { Module } from "../../../generate/module.js";
import { camel } from "../../../generate/names.js";
import { StructTraits } from "../../../generate/struct-traits.js";
import { inType } from "../../../generate/types.js";
import { alwaysGranted, mostElements } from "../../../model/bounded.js";
import type { Node, Struct, UnionNode } from "../../../model/model.js";
import { Weights } from "../../../model/weights.js";
import { FunctionQueue } from "../../older-schemas/function-queue.js";
import type { Version } from "../../older-schemas/versions.js";
import { absentOf, literalOf } from "./literals.js";

/** The functions of one older schema, by what they read. The text of each is written once. */
export class OlderFunctions {
  readonly module: Module;
  readonly version: Version;
  /** The traits of the older structs. */
  readonly traits: StructTraits;
  /** How many elements the fields count that are added to older structs. */
  readonly added: AddedWeights;
  /** Skipped values count as they do in `resolve`, which reads them with default options. */
  readonly skipped = new Weights({ typedArrays: false, absent: "own" });
  /** Whether readers count elements. They do not if no message can make more elements than every message may. */
  readonly counts: boolean;
  readonly #queue = new FunctionQueue<string>();
  readonly #nameLists = new Map<string, string>();

  constructor(module: Module, version: Version, maxDepth = DEFAULT_MAX_DEPTH) {
    this.module = module;
    this.version = version;
    this.traits = new StructTraits(version.roots, maxDepth);
    this.added = new AddedWeights(module.target);
    const added = version.structs.reduce((most, plan) => Math.max(most, this.added.of(plan)), 0);
    const most = mostElements(version.roots, module.weights) * (1 + added);
    this.counts = most > alwaysGranted(module.target.maxElements);
  }

  /** Returns the name of the function for `key`, `stem` or a name that begins with it. `write` writes its text, once. */
  nameOf(key: string, stem: string, write: (name: string) => string): string {
    return this.#queue.nameOf(key, () => this.module.names.unique(stem), write);
  }

  /** Returns the texts of all functions that are used, and of the functions that these use. */
  texts(): readonly string[] {
    return [...this.#queue.texts()];
  }

  /**
   * Returns the name of the constant that lists the new name at each older index; null where the new schema has no such name.
   */
  namesAt(from: readonly string[], places: readonly number[], to: Node, of: string): string {
    if (!places.some((place) => place < 0)) return this.module.listOf(from, `${of}From${this.version.name}`);
    const texts = from.map((name, i) => (places[i]! < 0 ? "null" : quoted(name)));
    const key = JSON.stringify(texts);
    const known = this.#nameLists.get(key);
    if (known !== undefined) return known;
    const name = this.module.names.unique(
      `${of}From${this.version.name}`.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase(),
    );
    this.#nameLists.set(key, name);
    const type = this.module.typed(`: readonly (${inType(this.module, to, "out")} | null)[]`);
    this.module.constants.push(`const ${name}${type} = [${texts.join(", ")}];`);
    return name;
  }

  /** Returns the expression of a value that is not in the bytes. `offset`: the expression of an error's offset. */
  fill(fill: Fill, offset: string): string {
    switch (fill.kind) {
      case "null":
      case "false":
        return fill.kind;
      case "zero":
      case "empty":
        return absentOf(this.module, fill.kind, fill.type);
      case "default": {
        const text = literalOf(this.module, fill.member.type, fill.member.fallback);
        return text ?? `${this.module.use("unsafeDefault")}(${offset})`;
      }
      case "struct":
        return `${this.#filled(fill.filled)}(${this.#canFail(fill.filled) ? offset : ""})`;
    }
  }

  /** Returns the name of the function that makes a struct of which nothing is in the bytes. */
  #filled(filled: FilledStruct): string {
    const { module } = this;
    const type = module.nameOf(filled.struct);
    return this.nameOf(`filled ${filled.struct.index}`, camel("default", type), (name) => {
      const entries = filled.members.map(({ member, fill }) => entryOf(member.name, this.fill(fill, "offset")));
      const code = new Code();
      const parameter = this.#canFail(filled) ? `offset${module.typed(": number")}` : "";
      code.open(`function ${name}(${parameter})${module.typed(`: ${type}`)} {`);
      code.line(`return ${objectText(entries)};`);
      code.close();
      return code.toString();
    });
  }

  /**
   * Whether the struct has a default that a number cannot hold exactly: its function then takes the offset of an
   * error.
   */
  #canFail({ members }: FilledStruct): boolean {
    if (this.module.target.int64 === "bigint") return false;
    return members.some(
      ({ fill }) =>
        fill.kind === "struct" ||
        (fill.kind === "default" && literalOf(this.module, fill.member.type, fill.member.fallback) === null),
    );
  }
}

/** Returns an object literal. */
export function objectText(entries: readonly string[]): string {
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** Returns the key of the function that reads one struct as another. */
export function pairKey({ from, to }: StructPlan): string {
  return `${from.index}>${to.index}`;
}

/** Returns the name of an older struct or union in names of functions. */
export function olderName(struct: Struct): string {
  return struct.name === "" ? "Struct" : struct.name;
}

/** Whether values of a union may nest too deeply. */
export function isDeepUnion(traits: StructTraits, union: UnionNode): boolean {
  return union.arms.some((arm) => traits.isDeep(arm.struct));
}
