// node compile.mjs COMPILER CONFIG..: runs `COMPILER -p CONFIG` for each configuration in one process. TypeScript's own
// declarations, which are most of the work, are read only once. For compilers with the API of TypeScript 5 and 6.
import { createRequire } from "node:module";
import { dirname } from "node:path";

const [compiler, ...configs] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const ts = require(compiler);
const libraries = dirname(require.resolve(compiler));
const shared = new Map();

for (const config of configs) {
  const diagnostics = compile(config);
  if (diagnostics.length === 0) continue;
  process.exitCode = 1;
  console.log(config);
  console.log(ts.formatDiagnostics(diagnostics, hostOf({})));
}

function compile(config) {
  const { options, fileNames, errors } = ts.getParsedCommandLineOfConfigFile(config, {}, parseHost());
  const program = ts.createProgram(fileNames, options, hostOf(options));
  const { diagnostics } = program.emit();
  return [...errors, ...ts.getPreEmitDiagnostics(program), ...diagnostics];
}

function hostOf(options) {
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile;
  host.getSourceFile = (path, ...rest) => {
    if (!path.startsWith(libraries)) return read(path, ...rest);
    if (!shared.has(path)) shared.set(path, read(path, ...rest));
    return shared.get(path);
  };
  return host;
}

function parseHost() {
  return {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic(diagnostic) {
      throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n"));
    },
  };
}
