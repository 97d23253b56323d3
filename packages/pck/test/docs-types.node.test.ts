/**
 * The TypeScript in the pages of PCK and of parts of a message compiles, and each type equals the comment below it. Fences that name a file
 * belong to the tutorial, which compiles them itself.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const docs = fileURLToPath(new URL("../../../docs/", import.meta.url));
const pages = readdirSync(docs).filter((name) => /^(?:pck.*|pick)\.md$/.test(name));

/** True for equal types. Assignability would accept `any`. */
const SAME = `type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;\n`;

/** The examples by file name, each with a check of every type that a comment shows. */
const sources = new Map<string, string>();
let said = 0;
for (const page of pages) {
  const text = readFileSync(join(docs, page), "utf8");
  for (const { 1: code = "", index } of text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)) {
    const checks = [...code.matchAll(/^type (\w+) = [^\n]+;\n((?:\/\/ [^\n]*\n)+)/gm)].map(([, name, comment = ""]) => {
      said++;
      const type = comment.replace(/^\/\/ /gm, "");
      return `type ${name}Said = ${type}export const is${name}: Same<${name}, ${name}Said> = true;\n`;
    });
    const line = text.slice(0, index).split("\n").length;
    sources.set(join(docs, `${page}-${line}.ts`), SAME + code + checks.join(""));
  }
}

test("examples compile, and their types equal the comments", () => {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2022.d.ts"],
    module: ts.ModuleKind.NodeNext,
    moduleDetection: ts.ModuleDetectionKind.Force,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.getSourceFile = (name, version, ...rest) => {
    const text = sources.get(name);
    return text === undefined
      ? getSourceFile.call(host, name, version, ...rest)
      : ts.createSourceFile(name, text, version);
  };
  host.fileExists = (name) => sources.has(name) || fileExists.call(host, name);
  const program = ts.createProgram([...sources.keys()], options, host);
  const faults = ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
    return `${file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
  expect(faults).toEqual([]);
  expect([sources.size, said]).toEqual([3, 2]);
});
