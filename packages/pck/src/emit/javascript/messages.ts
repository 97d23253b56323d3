/** The functions of a module that encode and decode whole messages. */

import { Code } from "../../generate/code.js";
import type { Module, RuntimeName } from "../../generate/module.js";
import { capitalized } from "../../generate/names.js";
import { structType } from "../../generate/types.js";
import type { Struct } from "../../model/model.js";
import { docComment } from "./doc-comment.js";
import type { OlderReaders } from "./older-schemas/index.js";

/** Returns the names of the functions for a struct's messages. */
export function messageNames(name: string): readonly string[] {
  return [`encode${name}`, `encode${name}Into`, `encode${name}Shared`, `size${name}`, `decode${name}`];
}

/** Returns the name of the function that decodes messages of an older schema. */
export function olderMessageName(name: string, version: string): string {
  return `decode${name}From${capitalized(version)}`;
}

/** One function: doc comment, name, parameters, result, and the expression that it returns. */
export interface MessageFunction {
  readonly doc: string;
  readonly name: string;
  readonly parameters: readonly (readonly [name: string, type: string, fallback?: string])[];
  readonly result: string;
  readonly value: string;
}

/** The memory that a module's functions share. */
export interface MessageState {
  /** The name of the constant that holds the memory. */
  readonly name: string;
  /** Whether the memory has a fixed size, because every message is short. */
  readonly isShort?: boolean;
}

/** The most bytes of a message that uses memory of a fixed size. */
const SHORT_BYTES = 512;

/**
 * Returns the statement that creates the memory for messages of these structs. `isOlder`: messages of older schemas, which
 * may be longer, are read too.
 */
export function messageState(
  module: Module,
  structs: readonly Struct[],
  name: string,
  {
    maxDepth,
    maxElements,
    isOlder,
  }: { readonly maxDepth: number; readonly maxElements: number; readonly isOlder: boolean },
): MessageState & { readonly text: string } {
  const bytes = Math.max(...structs.map((struct) => module.traits.maxBytesOf({ kind: "ref", struct })));
  const isShort = !isOlder && !module.counts && bytes <= SHORT_BYTES;
  const made = isShort
    ? `${module.use("ShortPackMessages")}(${bytes}, ${maxDepth})`
    : `${module.use("PackMessages")}(${maxDepth}${maxElements === 0 ? "" : `, ${maxElements}`})`;
  return { name, isShort, text: `const ${name} = /* @__PURE__ */ new ${made};\n` };
}

/** Returns the text of functions. */
export function functionTexts(module: Module, functions: readonly MessageFunction[]): string {
  const code = new Code();
  for (const { doc, name, parameters, result, value } of functions) {
    const list = parameters.map(([parameter, type, fallback]) => {
      const given = fallback === undefined ? "" : ` = ${fallback}`;
      return given === "" ? `${parameter}${module.typed(`: ${type}`)}` : `${parameter}${given}`;
    });
    if (code.size > 0) code.line("");
    code.line(...docComment(doc));
    code.open(`export function ${name}(${list.join(", ")})${module.typed(`: ${result}`)} {`);
    code.line(`return ${value};`);
    code.close();
  }
  return code.toString();
}

/** Returns the declarations of functions. */
export function functionDeclarations(functions: readonly Omit<MessageFunction, "value">[]): string {
  const code = new Code();
  for (const { doc, name, parameters, result } of functions) {
    const list = parameters.map(
      ([parameter, type, fallback]) => `${parameter}${fallback === undefined ? "" : "?"}: ${type}`,
    );
    code.line(...docComment(doc), `export declare function ${name}(${list.join(", ")}): ${result};`);
  }
  return code.toString();
}

/** Returns the text of the functions for a struct's messages. `older`: the functions that read bytes of older schemas. */
export function messageText(
  module: Module,
  struct: Struct,
  state: MessageState,
  older: readonly OlderReaders[] = [],
): string {
  return functionTexts(module, functionsFor(module, struct, state, older));
}

/** Returns the declarations of the functions for a struct's messages. */
export function messageDeclarations(module: Module, struct: Struct, older: readonly OlderReaders[]): string {
  return functionDeclarations(functionsFor(module, struct, { name: "" }, older));
}

/** Returns the name of the run time's function that decodes a message. */
export function decoderOf(module: Module, { isShort = false }: MessageState): RuntimeName {
  return module.use(
    module.target.binary === "view" ? "unpackMessageInPlace" : isShort ? "unpackShort" : "unpackMessage",
  );
}

function functionsFor(
  module: Module,
  struct: Struct,
  messages: MessageState,
  older: readonly OlderReaders[],
): readonly MessageFunction[] {
  const { name: state, isShort = false } = messages;
  const name = module.nameOf(struct);
  const value = ["value", structType(module, struct, "in")] as const;
  const [encode, encodeInto, encodeShared, size, decode] = messageNames(name) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const write = module.writerOf(struct);
  const read = module.structFunction("read", struct);
  const one = `${/^[AEIOU]/.test(name) ? "an" : "a"} ${name}`;
  const bytes = "Uint8Array<ArrayBuffer>";
  const reading = decoderOf(module, messages);
  return [
    {
      doc: `Encodes ${one} into new memory. Throws \`EncodeError\` with code and path.`,
      name: encode,
      parameters: [value],
      result: bytes,
      value: `${module.use(isShort ? "packShort" : "packMessageOwned")}(${state}, ${write}, value)`,
    },
    {
      doc: `Encodes ${one} into \`target\` at \`offset\`. Returns the offset after its bytes.`,
      name: encodeInto,
      parameters: [value, ["target", "Uint8Array"], ["offset", "number", "0"]],
      result: "number",
      value: `${module.use(isShort ? "packShortInto" : "packMessageInto")}(${state}, ${write}, value, target, offset)`,
    },
    {
      doc: `Encodes ${one}. The result is a view that is valid until the next call of this module.`,
      name: encodeShared,
      parameters: [value],
      result: bytes,
      value: `${module.use(isShort ? "packShortShared" : "packMessageShared")}(${state}, ${write}, value)`,
    },
    {
      doc: `Returns how many bytes ${one} takes.`,
      name: size,
      parameters: [value],
      result: "number",
      value: `${module.use(isShort ? "packedShortSize" : "packedSize")}(${state}, ${write}, value)`,
    },
    {
      doc: `Decodes ${one}. Throws \`DecodeError\` with code and offset.`,
      name: decode,
      parameters: [["bytes", "BytesInput"]],
      result: structType(module, struct, "out"),
      value: `${reading}(${state}, ${read}, bytes${module.counts ? `, ${module.weights.struct(struct)}` : ""})`,
    },
    ...older.flatMap(({ version, roots }): readonly MessageFunction[] => {
      const root = roots.get(struct);
      if (root === undefined) return [];
      return [
        {
          doc: `Decodes ${one} from bytes of the older schema ${version.name}. Throws \`DecodeError\` with code and offset.`,
          name: olderMessageName(name, version.name),
          parameters: [["bytes", "BytesInput"]],
          result: structType(module, struct, "out"),
          value: `${reading}(${state}, ${root.reader}, bytes${root.weight > 0 ? `, ${root.weight}` : ""})`,
        },
      ];
    }),
  ];
}
