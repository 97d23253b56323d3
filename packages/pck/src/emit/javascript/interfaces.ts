/** The interfaces of structs. */

import { Code, isIdentifier, quoted } from "../../generate/code.js";
import type { Module } from "../../generate/module.js";
import { memberType } from "../../generate/types.js";
import type { Struct } from "../../model/model.js";
import { docComment } from "./doc-comment.js";

/** Returns the interface of a struct's decoded values, and a second one for values to encode if these may have more types. */
export function interfaceText(module: Module, struct: Struct): string {
  const name = module.nameOf(struct);
  const code = new Code();
  if (struct.doc !== "") code.line(...docComment(struct.doc));
  code.open(`export interface ${name} {`);
  code.line(...properties(module, struct));
  code.close();
  if (!module.hasInputType(struct)) return code.toString();
  code.line("", ...docComment(`A value that can be encoded as {@link ${name}}.`));
  code.open(`export interface ${name}Input {`);
  for (const member of struct.members) {
    const optional = member.isOptional ? "?" : "";
    code.line(`readonly ${keyOf(member.name)}${optional}: ${memberType(module, member, "in")};`);
  }
  code.close();
  return code.toString();
}

/** Returns the lines that declare the fields of a decoded struct; without types in a JavaScript class. */
export function properties(module: Module, struct: Struct, isTyped = true): readonly string[] {
  return struct.members.flatMap((member) => [
    ...(member.doc === "" ? [] : docComment(member.doc)),
    `${keyOf(member.name)}${isTyped ? `: ${memberType(module, member, "out")}` : ""};`,
  ]);
}

function keyOf(name: string): string {
  return isIdentifier(name) ? name : quoted(name);
}
