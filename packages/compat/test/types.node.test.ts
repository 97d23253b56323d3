/** The streams of msgpack-nodejs have types under each setting of TypeScript for Node. */
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const { ModuleKind, ModuleResolutionKind } = ts;

test.each([
  ["node10", { module: ModuleKind.CommonJS, moduleResolution: ModuleResolutionKind.Node10 }],
  ["node16", { module: ModuleKind.Node16 }],
  ["nodenext", { module: ModuleKind.NodeNext }],
  [
    "bundler with the condition node",
    { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler, customConditions: ["node"] },
  ],
] satisfies [string, ts.CompilerOptions][])(
  "%s",
  (_name, settings) => {
    const file = fileURLToPath(new URL("imports.ts", import.meta.url));
    const text = `import { DecodeStream, EncodeStream, encode, NULL } from "@moonpack/compat/msgpack-nodejs";
    new EncodeStream().pipe(new DecodeStream<number>());
    export const bytes: Uint8Array = encode({ a: 1 });
    export const nothing: symbol = NULL;`;
    const options: ts.CompilerOptions = {
      ...settings,
      target: ts.ScriptTarget.ES2022,
      types: ["node"],
      strict: true,
      noEmit: true,
    };
    const host = ts.createCompilerHost(options);
    const { getSourceFile, fileExists } = host;
    host.fileExists = (name) => name === file || fileExists(name);
    host.getSourceFile = (name, version) =>
      name === file ? ts.createSourceFile(name, text, version) : getSourceFile(name, version);
    const errors = ts.getPreEmitDiagnostics(ts.createProgram([file], options, host));
    expect(errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
  },
  60_000,
);
