/** Emitted JavaScript that decodes only some fields of messages. */
import { invalidArgument } from "moonpack/bytes";
import { Code, entryOf, isIdentifier, quoted } from "../../../generate/code.js";
import type { Module } from "../../../generate/module.js";
import { camel, isGlobal } from "../../../generate/names.js";
import { readerNames } from "../../../generate/read-struct.js";
import { outputsOf } from "../../picks/outputs.js";
import type { EmittedPick } from "../../picks/picks.js";
import { docComment } from "../doc-comment.js";
import { decoderOf, type MessageFunction, type MessageState } from "../messages.js";
import { PickFunctions } from "./functions.js";
import { PickReader } from "./pick-reader.js";

/** The parts of a module for its picks. */
export interface PickParts {
  /** The interfaces of the results. */
  readonly interfaces: readonly string[];
  /** The functions that read wanted fields, and the functions that these call. */
  readonly readers: readonly string[];
  /** The functions for users. */
  readonly functions: readonly MessageFunction[];
}

/** Returns the parts for picks. `reservePickNames` comes first. */
export function pickParts(module: Module, picks: readonly EmittedPick[], state: MessageState): PickParts {
  const functions = new PickFunctions(module);
  const parts = picks.map((pick) => partsOf(functions, pick, state));
  return {
    interfaces: parts.map((part) => part.interface),
    readers: functions.texts(),
    functions: parts.map((part) => part.function),
  };
}

/** Reserves the names of picks. Throws `ERR_INVALID_ARGUMENT` for a name that is not valid, and for one that is in use. */
export function reservePickNames({ names }: Module, picks: readonly EmittedPick[]): void {
  for (const { name } of picks) {
    if (!/^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name))
      throw invalidArgument(`picks: ${JSON.stringify(name)} is not a valid name in JavaScript`);
    for (const taken of [name, `decode${name}`]) {
      if (isGlobal(taken) || names.has(taken))
        throw invalidArgument(`picks: emitted code would declare ${taken} twice: choose another name than ${name}`);
      names.reserve(taken);
    }
  }
}

function partsOf(functions: PickFunctions, { name, struct, fields, tree }: EmittedPick, state: MessageState) {
  const { module } = functions;
  const of = module.nameOf(struct);
  const types = new Map(outputsOf(tree).map(({ key, path }) => [key, functions.typeAt({ kind: "ref", struct }, path)]));
  const code = new Code();
  code.line(...docComment(`Some fields of {@link ${of}}, as {@link decode${name}} returns them.`));
  code.open(`export interface ${name} {`);
  for (const [i, field] of fields.entries())
    code.line(`${isIdentifier(field) ? field : quoted(field)}: ${types.get(i)};`);
  code.close();
  const isDeep = module.traits.isDeep(struct);
  const reader = functions.nameOf(`pick ${name}`, camel("read", name), (own) => {
    const text = new PickReader(functions, struct, readerNames(module)).pickText(struct, tree, (values) =>
      fields.map((field, i) => entryOf(field, values.get(i) ?? "undefined")),
    );
    return functions.functionText(own, isDeep, name, text);
  });
  const decode: MessageFunction = {
    doc: `Decodes some fields of ${/^[AEIOU]/.test(of) ? "an" : "a"} ${of}. Only the structure of the others is checked. Throws \`DecodeError\` with code and offset.`,
    name: `decode${name}`,
    parameters: [["bytes", "BytesInput"]],
    result: name,
    // The result counts one element.
    value: `${decoderOf(module, state)}(${state.name}, ${reader}, bytes${module.counts ? ", 1" : ""})`,
  };
  return { interface: code.toString(), function: decode };
}
