/** Emitted modules as engines: their text is run as it is, but for how modules name each other. */
import * as bytes from "moonpack/bytes";
import type { SchemaDocument } from "moonpack/pck";
import { type EmittedFile, emit, type JavaScriptOptions } from "moonpack/pck/emit";
import ts from "typescript";
import type { PckEndpoint, PckEngine } from "./engines.ts";

type Exports = Record<string, unknown>;

/** An engine of modules emitted with these options. */
export function emittedEngine(options: JavaScriptOptions): PckEngine {
  const name = `emitted ${JSON.stringify(options)}`;
  return { name, open: (doc: SchemaDocument) => endpointOf(emit(doc, options)) };
}

/** What the first schema's functions of a module do. */
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

/** A run time beside a module has classes of errors of its own: ours in their place. */
function ours<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { name, code, message, offset, needMore, path, cause } = error as bytes.DecodeError & bytes.EncodeError;
    if (error instanceof bytes.MoonpackError || code === undefined) throw error;
    if (name === "DecodeError") throw new bytes.DecodeError(code, message, offset, needMore, cause);
    if (name === "EncodeError") throw new bytes.EncodeError(code, message, path, cause);
    throw new bytes.MoonpackError(code, message, cause);
  }
}

const runtimes = new Map<string, Exports>();

/** Runs the first file; it may import `moonpack/bytes`, and the file beside it. */
export function load(files: readonly EmittedFile[]): Exports {
  const [main] = files;
  return run(main!, (from) => {
    if (from === "moonpack/bytes") return bytes;
    const beside = files.find(({ path }) => from === `./${path.replace(/\.[jt]s$/, ".js")}`);
    if (beside === undefined) throw new Error(`no module ${from}`);
    if (!runtimes.has(beside.text)) runtimes.set(beside.text, run(beside, load as never));
    return runtimes.get(beside.text)!;
  });
}

function run({ path, text }: EmittedFile, require: (from: string) => object): Exports {
  const exports: Exports = {};
  const code = path.endsWith(".ts") ? commonJs(text) : withoutModules(text);
  new Function("exports", "require", code)(exports, require);
  return exports;
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
