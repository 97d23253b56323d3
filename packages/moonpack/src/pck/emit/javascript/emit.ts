/** Standalone modules in JavaScript and TypeScript. */
import { DEFAULT_MAX_DEPTH } from "../../../bytes/limits.js";
import { ownOption } from "../../../bytes/options.js";
import { isEveryObjects } from "../../generate/every-object.js";
import { Facts } from "../../generate/facts.js";
import { functionsOf } from "../../generate/functions.js";
import { Module, type Target } from "../../generate/module.js";
import { Names } from "../../generate/names.js";
import type { Model, Struct } from "../../model/model.js";
import type { OlderSchemas, Version } from "../older.js";
import { docComment } from "./comment.js";
import { interfaceText } from "./interfaces.js";
import { messageDeclarations, messageNames, messageState, messageText, olderMessageName } from "./messages.js";
import { structNames, takeNames } from "./names.js";
import { olderReaders } from "./older/index.js";
import { emitted } from "./runtime-names.js";
import { RUNTIME_DECLARATIONS, RUNTIME_JS, RUNTIME_TS } from "./runtime-text.js";

/** A file that was made: where, relative to a folder of the caller's, and its text. */
export interface EmittedFile {
  readonly path: string;
  readonly text: string;
}

/** How JavaScript and TypeScript are emitted. */
export interface JavaScriptOptions {
  readonly target: "js" | "ts";
  /** The file's name, without its ending. Default: the root's, in lower case (`top-stories`). */
  readonly name?: string;
  /**
   * Where the functions under the code come from: `"moonpack"` (the default) imports `moonpack/bytes`; `"beside"` puts a file of
   * them beside the code, which then depends on nothing; anything else is what is imported.
   */
  readonly runtime?: string;
  /** As `codec`'s options of these names. */
  readonly int64?: "bigint" | "number";
  readonly maps?: "map" | "object";
  readonly typedArrays?: boolean;
  readonly binary?: "copy" | "view";
  readonly maxDepth?: number;
  /** Older schemas, whose bytes are read as values of these: `decodePlayerFromV1` for `{ V1: PlayerV1 }`. */
  readonly from?: OlderSchemas;
}

const BESIDE = "pck-runtime";

/** What code imports, for a `runtime`. */
export function sourceOf(runtime: string): string {
  if (runtime === "moonpack") return "moonpack/bytes";
  return runtime === "beside" ? `./${BESIDE}.js` : runtime;
}

/**
 * The files for a model. `roots`: the structs that messages are of, and their names where these are not the structs'; `versions`:
 * older schemas.
 */
export function emitJavaScript(
  model: Model,
  roots: ReadonlyMap<Struct, string>,
  options: JavaScriptOptions,
  versions: readonly Version[] = [],
): EmittedFile[] {
  const isTyped = options.target === "ts";
  const { maxDepth = DEFAULT_MAX_DEPTH } = options;
  const structs = [...roots.keys()];
  const module = moduleFor(model, roots, structs, options);
  const own = structs.map((struct) => module.nameOf(struct));
  for (const name of own) takeNames(module.names, name, messageNames(name));
  for (const { name: version, plans } of versions) {
    for (const struct of plans.keys()) {
      const name = module.nameOf(struct);
      takeNames(module.names, name, [olderMessageName(name, version)]);
    }
  }
  const state = messageState(module, structs, module.names.of("messages"), { maxDepth, isOlder: versions.length > 0 });
  const functions = functionsOf(module, structs)!;
  const older = versions.map((version) => olderReaders(module, version, maxDepth));
  const messages = structs.map((struct) => messageText(module, struct, state, older));
  const textOf = (verb: "write" | "read") => functions.filter((one) => one.verb === verb).map((one) => one.text);
  const from = ownText(options, "runtime") ?? "moonpack";
  const source = sourceOf(from);
  const title = docComment(
    `${own.join(", ")}: encoded and decoded as PCK.\nMade by moonpack from a schema: change that, not this file.`,
  );
  const interfaces = module.facts.structs.map((struct) => interfaceText(module, struct));
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
    "// Messages\n",
    state.text,
    ...messages,
  ];
  const text = parts.filter((part) => part !== "").join("\n");
  const stem = ownText(options, "name") ?? fileName(own[0]!);
  const files: EmittedFile[] = [{ path: `${stem}.${options.target}`, text }];
  if (!isTyped) {
    const declarations = structs.map((struct) => messageDeclarations(module, struct, older));
    const types = [
      `${title.join("\n")}\n`,
      `import type { BytesInput } from "${source}";\n`,
      ...interfaces,
      ...declarations,
    ];
    files.push({ path: `${stem}.d.ts`, text: types.join("\n") });
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
): Module {
  const {
    int64 = "bigint",
    maps = "map",
    typedArrays = false,
    binary = "copy",
    maxDepth = DEFAULT_MAX_DEPTH,
  } = options;
  const target: Target = {
    ...{ int64, maps, typedArrays, binary, validate: true },
    isTyped: options.target === "ts",
    isOwnOnly: isEveryObjects,
    prototypeOf: () => null,
    classOf: () => null,
  };
  const names = new Names(emitted());
  const facts = new Facts(structs, maxDepth);
  const types = structNames({ ...model, structs: facts.structs }, roots, names);
  const module = new Module(target, facts, types, names);
  for (const struct of facts.structs) {
    if (module.isLoose(struct)) takeNames(names, module.nameOf(struct), [`${module.nameOf(struct)}Input`]);
  }
  return module;
}

function importText(module: Module, source: string): string {
  const types = module.target.isTyped ? ["type BytesInput", "type PackReader", "type PackWriter"] : [];
  const bare = (name: string) => name.replace("type ", "");
  const names = [...module.uses, ...types].sort((a, b) => (bare(a) < bare(b) ? -1 : 1));
  return `import {\n${names.map((name) => `  ${name},\n`).join("")}} from "${source}";\n`;
}

/** An option that is left out must not be found on Object.prototype. */
function ownText(options: JavaScriptOptions, name: "name" | "runtime"): string | undefined {
  return ownOption(options, name) as string | undefined;
}

/** `top-stories` of `TopStories`. */
function fileName(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
}
