/** Standalone modules in JavaScript and TypeScript. */
import { DEFAULT_MAX_DEPTH, invalidArgument, ownOption } from "moonpack/bytes";
import { functionsOf } from "../../generate/functions.js";
import { isInheritedName } from "../../generate/inherited-names.js";
import { Module, type Target } from "../../generate/module.js";
import { Names } from "../../generate/names.js";
import { StructTraits } from "../../generate/struct-traits.js";
import type { Model, Struct } from "../../model/model.js";
import type { OlderSchemas, Version } from "../older-schemas/versions.js";
import { type EmittedPick, type EmittedPicks, makesLists } from "../picks/picks.js";
import { docComment } from "./doc-comment.js";
import { interfaceText } from "./interfaces.js";
import {
  functionDeclarations,
  functionTexts,
  messageDeclarations,
  messageNames,
  messageState,
  messageText,
  olderMessageName,
} from "./messages.js";
import { reserveNames, structNames } from "./names.js";
import { olderReaders } from "./older-schemas/index.js";
import { pickParts, reservePickNames } from "./picks/index.js";
import { runtimeNames } from "./runtime-names.js";
import { RUNTIME_DECLARATIONS, RUNTIME_JS, RUNTIME_TS } from "./runtime-text.js";

/** An emitted file: its path, relative to a folder that the caller chooses, and its text. */
export interface EmittedFile {
  readonly path: string;
  readonly text: string;
}

/** Options of {@link emit}. Options with the name of a codec's option work as in `CodecOptions`. */
export interface JavaScriptOptions {
  /** The language: TypeScript, or JavaScript with declarations. */
  readonly target: "js" | "ts";
  /** The file's name without its extension. Default: the root struct's name in lower case (`top-stories`). */
  readonly name?: string;
  /**
   * Where emitted code gets its run time from. `"moonpack"` (the default) imports `@moonpack/pck/runtime`. `"beside"`
   * writes the run time to a file beside the code, which then has no dependency. Any other text is the specifier to
   * import.
   */
  readonly runtime?: string;
  /** How 64-bit integers are decoded. Default `"bigint"`. */
  readonly int64?: "bigint" | "number";
  /** How maps with text keys are decoded. Default `"map"`. */
  readonly maps?: "map" | "object";
  /** Decodes lists of fixed-width numbers as typed arrays. Default false. */
  readonly typedArrays?: boolean;
  /** Decodes bytes as a copy, or as a view of the input. Default `"copy"`. */
  readonly binary?: "copy" | "view";
  /** Limit of nested structs and containers. Default 512. */
  readonly maxDepth?: number;
  /** Limit of the elements that decoding a message may make. Default: two for each byte, plus 2^20. */
  readonly maxElements?: number;
  /** How absent lists, maps and bytes are decoded. Default `"own"`. */
  readonly absent?: "own" | "shared";
  /** Older schemas, whose bytes are read as values of the new ones: `{ V1: PlayerV1 }` adds `decodePlayerFromV1`. */
  readonly older?: OlderSchemas;
  /** Functions that decode only some fields: `{ OrderRoute: { of: "Order", paths: { id: "id" } } }` adds `decodeOrderRoute`. */
  readonly picks?: EmittedPicks;
}

const BESIDE = "pck-runtime";

/** Returns the specifier that emitted code imports for the option `runtime`. */
export function sourceOf(runtime: string): string {
  if (runtime === "moonpack") return "@moonpack/pck/runtime";
  return runtime === "beside" ? `./${BESIDE}.js` : runtime;
}

/**
 * Returns the files for a model. `roots`: the root structs of messages, with the names that the caller gave them. `versions`:
 * older schemas. `picks`: functions that decode some fields.
 */
export function emitJavaScript(
  model: Model,
  roots: ReadonlyMap<Struct, string>,
  options: JavaScriptOptions,
  versions: readonly Version[],
  picks: readonly EmittedPick[],
): EmittedFile[] {
  const isTyped = options.target === "ts";
  const { maxDepth = DEFAULT_MAX_DEPTH, maxElements = 0 } = options;
  const structs = [...roots.keys()];
  const module = moduleFor(model, roots, structs, options, picks);
  const own = structs.map((struct) => module.nameOf(struct));
  for (const name of own) reserveNames(module.names, name, messageNames(name));
  for (const { name: version, plans } of versions) {
    for (const struct of plans.keys()) {
      const name = module.nameOf(struct);
      reserveNames(module.names, name, [olderMessageName(name, version)]);
    }
  }
  reservePickNames(module, picks);
  const state = messageState(module, structs, module.names.unique("messages"), {
    ...{ maxDepth, maxElements, isOlder: versions.length > 0 },
  });
  const functions = functionsOf(module, structs)!;
  const older = versions.map((version) => olderReaders(module, version, maxDepth));
  const messages = structs.map((struct) => messageText(module, struct, state, older));
  const picked = pickParts(module, picks, state);
  const textOf = (verb: "write" | "read") => functions.filter((one) => one.verb === verb).map((one) => one.text);
  const from = ownText(options, "runtime") ?? "moonpack";
  const source = sourceOf(from);
  const title = docComment(
    `${own.join(", ")}: PCK codecs.\nMade by moonpack from a schema: edit the schema, not this file.`,
  );
  const interfaces = [...module.traits.structs.map((struct) => interfaceText(module, struct)), ...picked.interfaces];
  const parts = [
    `${title.join("\n")}\n`,
    importText(module, source),
    ...(isTyped ? ["// Types\n", ...interfaces] : []),
    module.constants.length === 0 ? "" : `${module.constants.join("\n")}\n`,
    "// Writing\n",
    ...textOf("write"),
    "// Reading\n",
    ...textOf("read"),
    ...older.flatMap(({ version, texts }) => [`// Reading bytes of ${version.name}\n`, ...texts]),
    ...(picks.length === 0 ? [] : ["// Reading some fields\n", ...picked.readers]),
    "// Messages\n",
    state.text,
    ...messages,
    functionTexts(module, picked.functions),
  ];
  const text = parts.filter((part) => part !== "").join("\n");
  const stem = ownText(options, "name") ?? fileName(own[0]!);
  // Where upper and lower case are one, the files would be one, too.
  if (from === "beside" && stem.replace(/.*\//, "").toLowerCase() === BESIDE)
    throw invalidArgument(`${stem} is the name of the run time's file: choose another one with the option name`);
  const files: EmittedFile[] = [{ path: `${stem}.${options.target}`, text }];
  if (!isTyped) {
    const declarations = structs.map((struct) => messageDeclarations(module, struct, older));
    const types = [
      `${title.join("\n")}\n`,
      `import type { BytesInput } from "${source}";\n`,
      ...interfaces,
      ...declarations,
      functionDeclarations(picked.functions),
    ];
    files.push({ path: `${stem}.d.ts`, text: types.filter((part) => part !== "").join("\n") });
  }
  if (from === "beside") {
    files.push({ path: `${BESIDE}.${options.target}`, text: isTyped ? RUNTIME_TS : RUNTIME_JS });
    if (!isTyped) files.push({ path: `${BESIDE}.d.ts`, text: RUNTIME_DECLARATIONS });
  }
  return files;
}

function moduleFor(
  model: Model,
  roots: ReadonlyMap<Struct, string>,
  structs: readonly Struct[],
  options: JavaScriptOptions,
  picks: readonly EmittedPick[],
): Module {
  const {
    int64 = "bigint",
    maps = "map",
    typedArrays = false,
    binary = "copy",
    maxDepth = DEFAULT_MAX_DEPTH,
    maxElements = 0,
    absent = "own",
  } = options;
  const target: Target = {
    ...{ int64, maps, typedArrays, binary, absent, maxElements, validate: true },
    isTyped: options.target === "ts",
    checksInPlace: false,
    isOwnOnly: isInheritedName,
    prototypeOf: () => null,
    classOf: () => null,
  };
  const names = new Names(runtimeNames());
  const traits = new StructTraits(structs, maxDepth);
  const types = structNames({ ...model, structs: traits.structs }, roots, names);
  const module = new Module(target, traits, types, names, picks.some(makesLists));
  for (const struct of traits.structs) {
    if (module.hasInputType(struct)) reserveNames(names, module.nameOf(struct), [`${module.nameOf(struct)}Input`]);
  }
  return module;
}

function importText(module: Module, source: string): string {
  const types = module.target.isTyped ? ["type BytesInput", "type PackReader", "type PackWriter"] : [];
  const bare = (name: string) => name.replace("type ", "");
  const names = [...module.uses, ...types].sort((a, b) => (bare(a) < bare(b) ? -1 : 1));
  return `import {\n${names.map((name) => `  ${name},\n`).join("")}} from "${source}";\n`;
}

/** Reads an option as an own property: a missing one must not be found on Object.prototype. */
function ownText(options: JavaScriptOptions, name: "name" | "runtime"): string | undefined {
  return ownOption(options, name) as string | undefined;
}

/** `top-stories` for `TopStories`. */
function fileName(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
}
