/** Emitted modules as engines: their text is run as it is, but for how modules name each other. */

import { caughtOurs } from "@moonpack/harness/caught.ts";

import { type EmittedFile, emit, type JavaScriptOptions } from "@moonpack/pck/emit";
import * as runtime from "@moonpack/pck/runtime";
import { transform } from "esbuild";
import ts from "typescript";
import type { PckEndpoint, PckEngine } from "./engines.ts";
import type { DocumentType, SchemaDocument } from "./shape.ts";

type Exports = Record<string, unknown>;

/** An engine of modules emitted with these options, for these documents. */
export async function emittedEngine(
  options: JavaScriptOptions,
  documents: readonly SchemaDocument[],
): Promise<PckEngine> {
  // esbuild takes types away a hundred times faster than the compiler does, and works beside us.
  const strip = async ({ path, text }: EmittedFile): Promise<EmittedFile> => ({
    path: path.replace(/\.ts$/, ".cjs"),
    text: (await transform(text, { loader: "ts", format: "cjs", target: "es2022" })).code,
  });
  const beside = new Map<string, Promise<EmittedFile>>();
  const stripBeside = (file: EmittedFile) => {
    const known = beside.get(file.text) ?? strip(file);
    beside.set(file.text, known);
    return known;
  };
  const made = documents.map(async (doc) => {
    const files = emitAny(doc, options);
    const [main, ...others] = files;
    const stripped =
      options.target === "js" ? files : [await strip(main!), ...(await Promise.all(others.map(stripBeside)))];
    return [doc, endpointOf(stripped)] as const;
  });
  const endpoints = new Map(await Promise.all(made));
  return { name: `emitted ${JSON.stringify(options)}`, open: (doc) => endpoints.get(doc)! };
}

/** Emits code for a document. Structs whose names JavaScript cannot have get other names: bytes contain no names. */
function emitAny(doc: SchemaDocument, options: JavaScriptOptions): readonly EmittedFile[] {
  try {
    return emit(doc, options);
  } catch (error) {
    if (caughtOurs(() => emit(doc, options)).code !== "ERR_SCHEMA") throw error;
    return emit(plainlyNamed(doc), options);
  }
}

function plainlyNamed(doc: SchemaDocument): SchemaDocument {
  const names = new Map(Object.keys(doc.structs).map((name, i) => [name, `Struct${i}Named`]));
  const typeOf = (type: DocumentType): DocumentType => {
    if (typeof type === "string") return type;
    if ("array" in type) return { ...type, array: typeOf(type.array) };
    if ("map" in type) return { map: [type.map[0], typeOf(type.map[1])] };
    if ("nullable" in type) return { nullable: typeOf(type.nullable) };
    if ("ref" in type) return { ref: names.get(type.ref)! };
    if ("union" in type) return { ...type, union: type.union.map(([arm, struct]) => [arm, names.get(struct)!]) };
    return type;
  };
  const structs = Object.entries(doc.structs).map(([name, struct]) => [
    names.get(name)!,
    { ...struct, fields: struct.fields.map((field) => ({ ...field, type: typeOf(field.type) })) },
  ]);
  return { pck: 1, root: names.get(doc.root)!, structs: Object.fromEntries(structs) };
}

/** Returns the functions that emitted code adds for its picks, by the names of the picks. */
export function emittedPicks(
  doc: SchemaDocument,
  options: JavaScriptOptions,
): ReadonlyMap<string, (b: Uint8Array) => object> {
  const exports = load(emitAny(doc, options)) as Record<string, (b: Uint8Array) => object>;
  const names = Object.keys(options.picks ?? {});
  return new Map(names.map((name) => [name, (b: Uint8Array) => ours(() => exports[`decode${name}`]!(b))]));
}

/** The functions of a module for its first schema. */
export function endpointOf(files: readonly EmittedFile[]): PckEndpoint {
  const functions = Object.entries(load(files));
  const [encode] = functions.find(([name]) => name.startsWith("encode"))!;
  const decode = encode.replace("encode", "decode");
  const found = Object.fromEntries(functions) as Record<string, (argument: never) => never>;
  return {
    encode: (value) => ours(() => found[encode]!(value as never)),
    decode: (b) => ours(() => found[decode]!(b as never)),
  };
}

/** Replaces the error classes of a run time beside a module by ours. */
function ours<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { name, code, message, offset, needMore, path, cause } = error as runtime.DecodeError & runtime.EncodeError;
    if (error instanceof runtime.MoonpackError || code === undefined) throw error;
    if (name === "DecodeError") throw new runtime.DecodeError(code, message, offset, needMore, cause);
    if (name === "EncodeError") throw new runtime.EncodeError(code, message, path, cause);
    throw new runtime.MoonpackError(code, message, cause);
  }
}

const runtimes = new Map<string, Exports>();

/** Runs the first file; it may import `@moonpack/pck/runtime`, and the file beside it. */
export function load(files: readonly EmittedFile[]): Exports {
  const [main] = files;
  return run(main!, (from) => {
    if (from === "@moonpack/pck/runtime") return runtime;
    const beside = files.find(({ path }) => from === `./${path.replace(/\.(?:js|ts|cjs)$/, ".js")}`);
    if (beside === undefined) throw new Error(`no module ${from}`);
    if (!runtimes.has(beside.text)) runtimes.set(beside.text, run(beside, load as never));
    return runtimes.get(beside.text)!;
  });
}

function run({ path, text }: EmittedFile, require: (from: string) => object): Exports {
  const module: { exports: Exports } = { exports: {} };
  const code = path.endsWith(".js") ? withoutModules(text) : path.endsWith(".ts") ? commonJs(text) : text;
  new Function("module", "exports", "require", code)(module, module.exports, require);
  return module.exports;
}

function commonJs(text: string): string {
  const compilerOptions = {
    module: ts.ModuleKind.CommonJS,
    target: ts.ScriptTarget.ES2022,
    useDefineForClassFields: false,
  };
  return ts.transpileModule(text, { compilerOptions }).outputText;
}

/** Quicker, for modules whose imports and exports are known to be of a few forms. */
function withoutModules(text: string): string {
  const names = [...text.matchAll(/^export (?:async )?(?:function|class|const) ([^\s(]+)/gm)].map((match) => match[1]);
  const body = text
    .replace(/^import (\{[^}]*\}) from ("[^"]+");$/gm, "const $1 = require($2);")
    .replace(/^export /gm, "");
  return `"use strict";\n${body}\n${names.map((name) => `exports.${name} = ${name};`).join("\n")}`;
}
