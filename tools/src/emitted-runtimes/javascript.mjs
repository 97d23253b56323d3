// The run time that emitted JavaScript and TypeScript may carry beside it, made from the sources of the library: one file in
// TypeScript, the same in JavaScript, and its declarations.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import ts from "typescript";

const root = join(import.meta.dirname, "../../..");
/** Returns the folder of a source: moonpack for `bytes`, PCK for the others. */
const fileOf = (path) => join(root, "packages", path.startsWith("bytes/") ? "moonpack/src" : "pck/src", `${path}.ts`);
/** The module that lists the functions for generated code. */
const FUNCTIONS = "runtime/functions";
/** The module of the functions that only emitted code uses. */
const PICKS = "runtime/picks";
/** The sources, in an order in which each class comes before the classes that extend it. */
const FILES = [
  "bytes/brand",
  "bytes/errors",
  "bytes/elements",
  "bytes/limits",
  "bytes/input",
  "bytes/utf8/common",
  "bytes/platform/default",
  "bytes/varint",
  "bytes/zigzag",
  "bytes/kept-memory",
  "bytes/buffer",
  "bytes/platform/plain-memory",
  "bytes/slab",
  "bytes/shared-views",
  "runtime/writer",
  "runtime/write-numbers",
  "runtime/write-lists",
  "runtime/value-kinds",
  "runtime/shared-empty",
  "bytes/key-flood",
  "bytes/sparse",
  "runtime/fixed-width",
  "runtime/reader",
  "runtime/read-numbers",
  "runtime/read-text",
  "runtime/short-list",
  "runtime/read-lists",
  "runtime/older-schemas",
  "runtime/take",
  PICKS,
  "runtime/message",
  "runtime/short-message",
];
/** Imports that a file of the list replaces. */
const VARIANTS = new Set(["#platform"]);
/** Other exports: types that typed code imports, and the classes of errors, for users to catch. */
const ALSO_EXPORTED = ["BytesInput", "PackWriter", "DecodeError", "EncodeError", "MoonpackError"];

const HEAD = `/**
 * The run time of emitted PCK code: memory, errors, numbers, text, lists and maps. Bundlers keep only the parts in use.
 * Made by moonpack: do not edit. MIT licence.
 */
`;

const compilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  useDefineForClassFields: false,
  strict: true,
  isolatedDeclarations: true,
  declaration: true,
};

/** The text of a module that exports the three files as strings. */
export function javaScriptRuntimeModule() {
  const files = FILES.map((path) => parsed(path));
  for (const source of files) refuseUnlisted(source);
  const statements = files.flatMap((source) => declarationsIn(source));
  const byName = new Map();
  for (const statement of statements) {
    for (const name of statement.names) {
      if (byName.has(name)) throw new Error(`two files declare ${name}`);
      byName.set(name, statement);
    }
  }
  for (const { name, fileName } of wantedOfBytes)
    if (!byName.has(name)) throw new Error(`${fileName}.ts imports ${name}: add its file to FILES`);
  const exported = new Set([...namesForCode(byName), ...ALSO_EXPORTED]);
  const wanted = reachable(exported, byName);
  const parts = statements
    .filter((one) => wanted.has(one))
    .map(({ names, text }) => (names.some((name) => exported.has(name)) ? text : text.replace(/^export /m, "")));
  const typescript = formatted("ts", `${HEAD}\n${parts.join("\n\n")}\n`);
  const { outputText } = ts.transpileModule(typescript, { compilerOptions });
  return `/** The run time that emitted code may carry beside it. Written by the build from the library's sources. */

${constant("RUNTIME_TS", "The run time in TypeScript.", typescript)}
${constant("RUNTIME_JS", "The run time in JavaScript.", formatted("js", outputText))}
${constant("RUNTIME_DECLARATIONS", "The declarations of the run time in JavaScript.", formatted("d.ts", declarationsOf(typescript)))}`;
}

/** The declarations of a module. `transpileDeclaration` of TypeScript 5.9 writes static methods named by a symbol twice. */
function declarationsOf(typescript) {
  const host = ts.createCompilerHost(compilerOptions);
  const name = join(root, "runtime.ts");
  const read = host.getSourceFile;
  host.getSourceFile = (path, ...rest) =>
    path === name ? ts.createSourceFile(path, typescript, compilerOptions.target, true) : read(path, ...rest);
  const program = ts.createProgram([name], { ...compilerOptions, types: [], emitDeclarationOnly: true }, host);
  let text = "";
  const { diagnostics } = program.emit(undefined, (_path, written) => {
    text = written;
  });
  const faults = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (faults.length > 0) throw new Error(ts.flattenDiagnosticMessageText(faults[0].messageText, "\n"));
  return text;
}

function parsed(path) {
  const text = readFileSync(fileOf(path), "utf8");
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
}

/** The names that sources import from `moonpack/bytes`: a file of the list must declare them. */
const wantedOfBytes = [];

const valuesOf = ({ importClause }) =>
  importClause.namedBindings.elements
    .filter((one) => !one.isTypeOnly)
    .map((one) => (one.propertyName ?? one.name).text);

/** Throws if a file takes values from a file that is not in the list: the run time would lack them. */
function refuseUnlisted({ fileName, statements }) {
  for (const node of statements.filter(ts.isImportDeclaration)) {
    const specifier = node.moduleSpecifier.text;
    const file = posix.join(posix.dirname(fileName), specifier.replace(/\.js$/, ""));
    // The emitted run time has the variants that run everywhere.
    if (node.importClause?.isTypeOnly || VARIANTS.has(specifier) || FILES.includes(file)) continue;
    if (specifier === "moonpack/bytes") {
      wantedOfBytes.push(...valuesOf(node).map((name) => ({ name, fileName })));
      continue;
    }
    throw new Error(
      `${fileName}.ts imports ${specifier}: add ${file} to FILES in tools/src/emitted-runtimes/javascript.mjs`,
    );
  }
}

/** The declarations at the top level of a file: names, the identifiers that they use, text. */
function declarationsIn(source) {
  return source.statements
    .filter((node) => !ts.isImportDeclaration(node) && !ts.isExportDeclaration(node))
    .map((node) => {
      const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
      const isExported = node.modifiers?.some((one) => one.kind === ts.SyntaxKind.ExportKeyword) ?? false;
      const statement = { file: source.fileName, names: namesOf(node), uses: new Set(), text: textOf(node, source) };
      collect(node, statement.uses);
      return { ...statement, isValue: isExported && !isType };
    });
}

/** The names that emitted code may import: the values that {@link FUNCTIONS} and {@link PICKS} export. */
function namesForCode(byName) {
  const names = [...byName].filter(([, { file, isValue }]) => file === PICKS && isValue).map(([name]) => name);
  for (const { exportClause, moduleSpecifier } of parsed(FUNCTIONS).statements) {
    if (exportClause !== undefined) {
      names.push(...exportClause.elements.map(({ name }) => name.text));
      continue;
    }
    const file = posix.join(posix.dirname(FUNCTIONS), moduleSpecifier.text.replace(/\.js$/, ""));
    for (const statement of new Set(byName.values()))
      if (statement.file === file && statement.isValue) names.push(...statement.names);
  }
  return names;
}

/** The statements that declare these names, and everything that those use. */
function reachable(names, byName) {
  const found = new Set();
  const rest = [...names].map((name) => {
    const statement = byName.get(name);
    if (statement === undefined) throw new Error(`no file declares ${name}`);
    return statement;
  });
  for (let one = rest.pop(); one !== undefined; one = rest.pop()) {
    if (found.has(one)) continue;
    found.add(one);
    for (const name of one.uses) if (byName.has(name)) rest.push(byName.get(name));
  }
  return found;
}

function namesOf(node) {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations.map((one) => one.name.getText());
  return node.name === undefined ? [] : [node.name.text];
}

/** Collects every identifier in a node. One too many costs no more than a function that is not needed. */
function collect(node, uses) {
  if (ts.isIdentifier(node)) uses.add(node.text);
  ts.forEachChild(node, (child) => collect(child, uses));
}

/** The text of a statement with the comment right above it. A comment that a blank line follows belongs to the file. */
function textOf(node, source) {
  const comments = ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? [];
  const text = source.text;
  let start = node.getStart();
  for (const { pos, end } of comments.reverse()) {
    if (/\n\s*\n/.test(text.slice(end, start))) break;
    start = pos;
  }
  return text.slice(start, node.end);
}

function formatted(kind, text) {
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  const args = [biome, "format", `--stdin-file-path=packages/pck/src/emit/runtime.${kind}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    input: text,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

function constant(name, doc, text) {
  return `/** ${doc} */\nexport const ${name}: string = ${JSON.stringify(text)};\n`;
}
