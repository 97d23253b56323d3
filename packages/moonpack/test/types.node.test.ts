/** The declarations of each entry need no types of browsers; only entries for Node and for Web streams need other types at all. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
/** Entries whose declarations name Node's types, or globals that Node's types and the DOM have: `ReadableStream`, `AbortSignal`. */
const NEEDS_TYPES = ["./node", "./stream"];

const { exports } = JSON.parse(readFileSync(`${PACKAGE}package.json`, "utf8")) as { readonly exports: object };
const entries = Object.keys(exports).filter((name) => !name.endsWith(".json") && name !== "./protobuf/register");

/** Returns the errors of a program that imports these entries. */
function errorsOf(names: readonly string[], types: string[]): string[] {
  const file = `${PACKAGE}imports.ts`;
  const text = names.map((name, i) => `export * as entry${i} from "moonpack${name.slice(1)}";`).join("\n");
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts"],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipDefaultLibCheck: true,
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, version) =>
    name === file ? ts.createSourceFile(name, text, version) : getSourceFile(name, version);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map((each) => {
    return `${each.file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(each.messageText, "\n")}`;
  });
}

test("entries without Node's types and without the DOM", () => {
  expect(entries).toEqual(expect.arrayContaining([".", ...NEEDS_TYPES]));
  const others = entries.filter((name) => !NEEDS_TYPES.includes(name));
  expect(errorsOf(others, [])).toEqual([]);
}, 60_000);

test("all entries with Node's types, without the DOM", () => {
  expect(errorsOf(entries, ["node"])).toEqual([]);
}, 60_000);

test("entries that are said to need types do", () => {
  for (const name of NEEDS_TYPES) expect(errorsOf([name], []), name).not.toEqual([]);
}, 60_000);
