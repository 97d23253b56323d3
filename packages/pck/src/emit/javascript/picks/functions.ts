/** The functions that picks call: each is written once, whatever uses it. */

import { Code, quoted } from "../../../generate/code.js";
import type { Module } from "../../../generate/module.js";
import { camel } from "../../../generate/names.js";
import { inType } from "../../../generate/types.js";
import { knownBytesOf, type Node, type Struct, type UnionNode } from "../../../model/model.js";
import { TakeCompiler } from "../../../pick/take.js";
import type { PathTree } from "../../../pick/tree.js";
import { FunctionQueue } from "../../older-schemas/function-queue.js";
import { type Place, placeAt } from "../../picks/outputs.js";
import { takeConstants } from "./takes.js";

/** The functions of one module. */
export class PickFunctions {
  readonly module: Module;
  /** The parts to take from values that are read whole. */
  readonly takes: TakeCompiler<string>;
  readonly #queue = new FunctionQueue<string>();
  readonly #trees = new Map<PathTree, number>();

  constructor(module: Module) {
    this.module = module;
    this.takes = new TakeCompiler(takeConstants(module));
  }

  /** Returns the name of the function for `key`, `stem` or a name that begins with it. `write` writes its text, once. */
  nameOf(key: string, stem: string, write: (name: string) => string): string {
    return this.#queue.nameOf(key, () => this.module.names.unique(stem), write);
  }

  /** Returns the number of a tree, for keys of functions. */
  numberOf(tree: PathTree): number {
    const known = this.#trees.get(tree) ?? this.#trees.size;
    this.#trees.set(tree, known);
    return known;
  }

  /** Returns the texts of all functions. */
  texts(): readonly string[] {
    return [...this.#queue.texts()];
  }

  /** Whether values of a type may nest too deeply. */
  isDeep(type: Node): boolean {
    const { traits } = this.module;
    switch (type.kind) {
      case "ref":
        return traits.isDeep(type.struct);
      case "union":
        return type.arms.some(({ struct }) => traits.isDeep(struct));
      case "array":
        return this.isDeep(type.element);
      case "map":
      case "nullable":
        return this.isDeep(type.value);
      default:
        return false;
    }
  }

  /** Returns the argument for the depth of a value `level` levels below a struct; "" if its function takes none. */
  depth(type: Node, level: number): string {
    return this.isDeep(type) ? `, depth${level === 0 ? "" : ` + ${level}`}` : "";
  }

  /** True for a type whose values have no bytes and need no check. */
  isNothing(type: Node): boolean {
    return type.kind !== "bool" && knownBytesOf(type) === 0 && !this.isDeep(type);
  }

  /** Returns the type of the values at a path into values of a type. */
  typeAt(type: Node, path: readonly (string | null)[]): string {
    return this.typeText(placeAt(new Set([type]), false, path, ({ omit }) => omit.has("null")));
  }

  /** Returns the type of a place. */
  typeText({ types, arms, list, isNull, isMissing }: Place): string {
    const { module } = this;
    const texts = new Set<string>();
    const present = [...types].map((type) => (type.kind === "nullable" ? type.value : type));
    for (const type of present) texts.add(inType(module, type, "out"));
    for (const arm of arms) texts.add(quoted(arm));
    if (list !== undefined) {
      const item = this.typeText(list);
      texts.add(/[|&]/.test(item) ? `(${item})[]` : `${item}[]`);
    }
    if (isNull || [...types].some(({ kind }) => kind === "nullable")) texts.add("null");
    if (isMissing || texts.size === 0) texts.add("undefined");
    return [...texts].join(" | ");
  }

  /** Returns the text of a function that reads. */
  functionText(name: string, isDeep: boolean, result: string, body: string, fallback?: number): string {
    const { module } = this;
    const code = new Code();
    const given = fallback === undefined ? module.typed(": number") : ` = ${fallback}`;
    const reader = /\br[.,)]/.test(body) ? "r" : "_r"; // TypeScript can be set to reject unused parameters
    const parameters = `${reader}${module.typed(": PackReader")}${isDeep ? `, depth${given}` : ""}`;
    code.open(`function ${name}(${parameters})${module.typed(`: ${result}`)} {`);
    for (const line of body.trimEnd().split("\n")) code.line(line);
    code.close();
    return code.toString();
  }

  /** Returns the name of the function that skips a struct. */
  skip(struct: Struct, body: () => string): string {
    return this.nameOf(`skip ${struct.index}`, camel("skip", this.module.nameOf(struct)), (name) =>
      this.functionText(name, this.module.traits.isDeep(struct), "void", body()),
    );
  }

  /** Returns the name of the function that skips a union. `skipArm` returns the statement that skips an arm. */
  skipUnion(union: UnionNode, owner: string, skipArm: (struct: Struct) => string): string {
    const key = `skip union ${union.arms.map(({ struct }) => struct.index).join()}`;
    return this.nameOf(key, camel("skip", owner), (name) =>
      this.functionText(
        name,
        this.isDeep(union),
        "void",
        this.armsText(union, (i) => [skipArm(union.arms[i]!.struct), "return;"]),
      ),
    );
  }

  /** Returns the text that reads an arm's index, then the arm by the text of `arm`, whose last statement returns. */
  armsText(union: UnionNode, arm: (index: number) => readonly string[]): string {
    const code = new Code();
    if (this.isDeep(union)) code.line(`${this.module.use("checkDepth")}(r, depth);`);
    code.open(`switch (${this.module.use("readIndex")}(r, ${union.arms.length})) {`);
    for (const i of union.arms.keys()) {
      // `readIndex` has checked the index, so the last arm needs no test.
      code.open(i < union.arms.length - 1 ? `case ${i}:` : "default:");
      code.line(...arm(i).filter((line) => line !== ""));
      code.endCase();
    }
    code.close();
    return code.toString();
  }
}
