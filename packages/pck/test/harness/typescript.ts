/** The errors of TypeScript in emitted code. */
import ts from "typescript";

const STRICT: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
  skipDefaultLibCheck: true,
  noEmit: true,
  types: [],
};

/** TypeScript's own declarations, parsed once: that takes longer than to check most modules. */
const declarations = new Map<string, ts.SourceFile | undefined>();

/** Returns the errors that TypeScript finds in files that import only each other. `rules`: further compiler options. */
export function complaints(files: ReadonlyMap<string, string>, rules: ts.CompilerOptions = {}): readonly string[] {
  const options = { ...STRICT, ...rules };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? readFile(path);
  host.getSourceFile = (path, version) => {
    if (files.has(path)) return ts.createSourceFile(path, files.get(path)!, version);
    if (!declarations.has(path)) declarations.set(path, getSourceFile(path, version));
    return declarations.get(path);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map((one) => {
    const line = one.file?.text.slice(0, one.start).split("\n").length ?? 0;
    const text = one.file?.text.split("\n")[line - 1];
    return `${one.file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(one.messageText, " ")} | ${text}`;
  });
}
