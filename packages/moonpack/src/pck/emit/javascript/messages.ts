/** The functions of a module that encode and decode whole messages. */

import { Code } from "../../generate/code.js";
import type { Module } from "../../generate/module.js";
import { capitalized } from "../../generate/names.js";
import { structType } from "../../generate/types.js";
import type { Struct } from "../../model/model.js";
import { docComment } from "./comment.js";
import type { OlderReaders } from "./older/index.js";

/** The names that the functions of a struct's messages have. */
export function messageNames(name: string): readonly string[] {
  return [`encode${name}`, `encode${name}Into`, `encode${name}Shared`, `size${name}`, `decode${name}`];
}

/** The name of the function that decodes messages of an older schema. */
export function olderMessageName(name: string, version: string): string {
  return `decode${name}From${capitalized(version)}`;
}

/** A function: its doc, its parameters and result, and its one expression. */
interface MessageFunction {
  readonly doc: string;
  readonly name: string;
  readonly parameters: readonly (readonly [name: string, type: string, fallback?: string])[];
  readonly result: string;
  readonly value: string;
}

/** The memory of a module's messages. */
export interface MessageState {
  /** The constant that holds it. */
  readonly name: string;
  /** Is it memory that never grows, since no message takes more than a few bytes? */
  readonly isShort?: boolean;
}

/** Memory for messages of up to so many bytes does not grow. */
const SHORT_BYTES = 512;

/** The text that makes memory for the messages of these structs. `isOlder`: those of older schemas, too, which may be longer. */
export function messageState(
  module: Module,
  structs: readonly Struct[],
  name: string,
  { maxDepth, isOlder }: { readonly maxDepth: number; readonly isOlder: boolean },
): MessageState & { readonly text: string } {
  const bytes = Math.max(...structs.map((struct) => module.facts.maxBytesOf({ kind: "ref", struct })));
  const isShort = !isOlder && bytes <= SHORT_BYTES;
  const made = isShort
    ? `${module.use("ShortMessages")}(${bytes}, ${maxDepth})`
    : `${module.use("Messages")}(${maxDepth})`;
  return { name, isShort, text: `const ${name} = /* @__PURE__ */ new ${made};\n` };
}

/** The text of them; `older`: what reads the struct from bytes of older schemas. */
export function messageText(
  module: Module,
  struct: Struct,
  state: MessageState,
  older: readonly OlderReaders[] = [],
): string {
  const code = new Code();
  for (const { doc, name, parameters, result, value } of functionsFor(module, struct, state, older)) {
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

/** Their declarations. */
export function messageDeclarations(module: Module, struct: Struct, older: readonly OlderReaders[]): string {
  const code = new Code();
  for (const { doc, name, parameters, result } of functionsFor(module, struct, { name: "" }, older)) {
    const list = parameters.map(
      ([parameter, type, fallback]) => `${parameter}${fallback === undefined ? "" : "?"}: ${type}`,
    );
    code.line(...docComment(doc), `export declare function ${name}(${list.join(", ")}): ${result};`);
  }
  return code.toString();
}

function functionsFor(
  module: Module,
  struct: Struct,
  { name: state, isShort = false }: MessageState,
  older: readonly OlderReaders[],
): readonly MessageFunction[] {
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
  const reading = module.target.binary === "view" ? "decodeMessageInPlace" : isShort ? "decodeShort" : "decodeMessage";
  return [
    {
      doc: `The bytes of ${one}, in memory of their own. \`EncodeError\` with code and path.`,
      name: encode,
      parameters: [value],
      result: bytes,
      value: `${module.use(isShort ? "encodeShort" : "encodeMessageOwned")}(${state}, ${write}, value)`,
    },
    {
      doc: `Writes the bytes of ${one} into \`target\` from \`offset\` on; answers the offset after them.`,
      name: encodeInto,
      parameters: [value, ["target", "Uint8Array"], ["offset", "number", "0"]],
      result: "number",
      value: `${module.use(isShort ? "encodeShortInto" : "encodeMessageInto")}(${state}, ${write}, value, target, offset)`,
    },
    {
      doc: `The bytes of ${one} as a view that is valid until the next call of this module.`,
      name: encodeShared,
      parameters: [value],
      result: bytes,
      value: `${module.use(isShort ? "encodeShortShared" : "encodeMessageShared")}(${state}, ${write}, value)`,
    },
    {
      doc: `How many bytes ${one} takes.`,
      name: size,
      parameters: [value],
      result: "number",
      value: `${module.use(isShort ? "sizeOfShort" : "sizeOfMessage")}(${state}, ${write}, value)`,
    },
    {
      doc: `The ${name} that the bytes are. \`DecodeError\` with code and offset.`,
      name: decode,
      parameters: [["bytes", "BytesInput"]],
      result: structType(module, struct, "out"),
      value: `${module.use(reading)}(${state}, ${read}, bytes)`,
    },
    ...older.flatMap(({ version, roots }): readonly MessageFunction[] => {
      const readOlder = roots.get(struct);
      if (readOlder === undefined) return [];
      return [
        {
          doc: `The ${name} that bytes of the older schema ${version.name} are. \`DecodeError\` with code and offset.`,
          name: olderMessageName(name, version.name),
          parameters: [["bytes", "BytesInput"]],
          result: structType(module, struct, "out"),
          value: `${module.use(reading)}(${state}, ${readOlder}, bytes)`,
        },
      ];
    }),
  ];
}
