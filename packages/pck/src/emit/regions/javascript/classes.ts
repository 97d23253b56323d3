/** The text of the regions of a struct's class. */
import { Code, propertyOf } from "../../../generate/code.js";
import type { Module } from "../../../generate/module.js";
import { Names } from "../../../generate/names.js";
import { structReader } from "../../../generate/read-struct.js";
import { memberType } from "../../../generate/types.js";
import { structMethod } from "../../../generate/write-struct.js";
import type { Struct } from "../../../model/model.js";
import { docComment } from "../../javascript/doc-comment.js";
import { properties } from "../../javascript/interfaces.js";

const LINE_WIDTH = 110;

/** Writes the parts of a class. `exported`: `export `, or "" for CommonJS. */
export class ClassText {
  readonly #module: Module;
  readonly #exported: string;

  constructor(module: Module, exported: string) {
    this.#module = module;
    this.#exported = exported;
  }

  /** Returns the declarations of the fields. */
  properties(struct: Struct): string {
    return linesOf(properties(this.#module, struct, this.#module.target.isTyped));
  }

  /** A constructor that takes the fields in the order of declaration. */
  constructorText(struct: Struct): string {
    const names = new Names();
    const code = new Code();
    const parameters = struct.members.map((member) => ({
      member,
      name: names.unique(member.name),
      type: this.#module.typed(`: ${memberType(this.#module, member, "out")}`),
    }));
    const list = parameters.map(({ name, type }) => name + type);
    const line = `constructor(${list.join(", ")}) {`;
    if (list.length === 0) return "constructor() {}\n";
    if (line.length <= LINE_WIDTH) code.open(line);
    else {
      code.open("constructor(");
      code.line(...list.map((parameter) => `${parameter},`));
      code.reopen(") {");
    }
    for (const { member, name } of parameters) code.line(`${propertyOf("this", member.name)} = ${name};`);
    code.close();
    return code.toString();
  }

  /** Returns the method that writes an instance. */
  pck(struct: Struct): string {
    return linesOf(docComment("Writes the fields. Made by moonpack.")) + structMethod(this.#module, struct);
  }

  /** Returns the function that reads an instance. */
  unpck(struct: Struct): string {
    const name = this.#module.nameOf(struct);
    const doc = docComment(`Reads ${/^[AEIOU]/.test(name) ? "an" : "a"} ${name}. Made by moonpack.`);
    const text = structReader(this.#module, this.#module.structFunction("read", struct), struct, 1);
    return linesOf(doc) + this.#exported + text;
  }

  /** Returns the whole class without its reader, which is a separate part. */
  classText(struct: Struct, pck: string): string {
    const code = new Code();
    if (struct.doc !== "") code.line(...docComment(struct.doc));
    code.open(`${this.#exported}class ${this.#module.nameOf(struct)} {`);
    const members = [this.properties(struct), this.constructorText(struct), pck].filter((text) => text !== "");
    code.line(...members.join("\n").trimEnd().split("\n"));
    code.close();
    return code.toString();
  }
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
