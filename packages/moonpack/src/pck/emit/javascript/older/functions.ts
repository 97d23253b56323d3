/** The functions that read bytes of one older schema: those of its messages, and all that they turn out to call. */
import { DEFAULT_MAX_DEPTH } from "../../../../bytes/limits.js";
import type { Fill, FilledStruct, StructPlan } from "../../../evolve/plan.js";
import { Code, entryOf, quoted } from "../../../generate/code.js";
import { Facts } from "../../../generate/facts.js";
import type { Module } from "../../../generate/module.js";
import { camel } from "../../../generate/names.js";
import { inType } from "../../../generate/types.js";
import type { Node, Struct, UnionNode } from "../../../model/model.js";
import type { Version } from "../../older.js";
import { absentOf, literalOf } from "./literals.js";

/** Functions by what they are for, each once; what writes their text is given when it is first asked for. */
export class OlderFunctions {
  readonly module: Module;
  readonly version: Version;
  /** Facts about the older structs. */
  readonly facts: Facts;
  readonly #functions = new Map<string, string>();
  readonly #waiting: (() => string)[] = [];

  constructor(module: Module, version: Version, maxDepth = DEFAULT_MAX_DEPTH) {
    this.module = module;
    this.version = version;
    this.facts = new Facts(version.roots, maxDepth);
  }

  /** The name of a function like `stem`; `write` writes its text, once. */
  of(key: string, stem: string, write: (name: string) => string): string {
    const known = this.#functions.get(key);
    if (known !== undefined) return known;
    const name = this.module.names.of(stem);
    this.#functions.set(key, name);
    this.#waiting.push(() => write(name));
    return name;
  }

  /** The texts of all functions that have been asked for, and of those that these ask for. */
  texts(): readonly string[] {
    const texts: string[] = [];
    for (let write = this.#waiting.shift(); write !== undefined; write = this.#waiting.shift()) texts.push(write());
    return texts;
  }

  /** The constant that has the reader's name at each of the older places; null for one that there is no more. */
  namesAt(from: readonly string[], places: readonly number[], to: Node, of: string): string {
    if (!places.some((place) => place < 0)) return this.module.listOf(from, `${of}From${this.version.name}`);
    const texts = from.map((name, i) => (places[i]! < 0 ? "null" : quoted(name)));
    const key = `names ${JSON.stringify(texts)}`;
    const known = this.#functions.get(key);
    if (known !== undefined) return known;
    const name = this.module.names.of(
      `${of}From${this.version.name}`.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase(),
    );
    this.#functions.set(key, name);
    const type = this.module.typed(`: readonly (${inType(this.module, to, "out")} | null)[]`);
    this.module.constants.push(`const ${name}${type} = [${texts.join(", ")}];`);
    return name;
  }

  /** The expression of a value that no bytes tell; `offset`: where an error says that it is. */
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

  /** The function that makes a struct of which no bytes tell anything. */
  #filled(filled: FilledStruct): string {
    const { module } = this;
    const type = module.nameOf(filled.struct);
    return this.of(`filled ${filled.struct.index}`, camel("default", type), (name) => {
      const entries = filled.members.map(({ member, fill }) => entryOf(member.name, this.fill(fill, "offset")));
      const code = new Code();
      const parameter = this.#canFail(filled) ? `offset${module.typed(": number")}` : "";
      code.open(`function ${name}(${parameter})${module.typed(`: ${type}`)} {`);
      code.line(`return ${objectText(entries)};`);
      code.close();
      return code.toString();
    });
  }

  /** May it have a default that no number holds? Then it is told where errors are. */
  #canFail({ members }: FilledStruct): boolean {
    if (this.module.target.int64 === "bigint") return false;
    return members.some(
      ({ fill }) =>
        fill.kind === "struct" ||
        (fill.kind === "default" && literalOf(this.module, fill.member.type, fill.member.fallback) === null),
    );
  }
}

/** An object literal. */
export function objectText(entries: readonly string[]): string {
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** Two structs of which one is read as the other. */
export function pairKey({ from, to }: StructPlan): string {
  return `${from.index}>${to.index}`;
}

/** What older structs and unions are called in names of functions. */
export function olderName(struct: Struct): string {
  return struct.name === "" ? "Struct" : struct.name;
}

/** May values of a union be nested too deeply? */
export function isDeepUnion(facts: Facts, union: UnionNode): boolean {
  return union.arms.some((arm) => facts.isDeep(arm.struct));
}
