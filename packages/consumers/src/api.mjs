// The public types of each subpath, as a text in packages/moonpack/api: a difference is made on purpose, or not at all.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CompilerState, Extractor, ExtractorConfig } from "@microsoft/api-extractor";
import { root } from "../../../scripts/setup.mjs";
import { compareFolder } from "./committed.mjs";

// What lies in node_modules is another's, and left out: so this looks at the package where it is made.
const LIBRARY = join(root, "packages/moonpack");
const COMMITTED = join(LIBRARY, "api");

/** Compares the reports with the committed ones; `write` replaces these. */
export function checkApi({ folder, programs }, { write }) {
  const reports = join(folder, "api");
  mkdirSync(reports);
  writeFileSync(join(folder, "api.json"), JSON.stringify({ compilerOptions: compilerOptions() }));
  const configs = programs.map(({ name, types }) => configOf(folder, reports, name, join(LIBRARY, types)));
  const compilerState = CompilerState.create(configs[0], {
    additionalEntryPoints: configs.slice(1).map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
  });
  const faults = [];
  for (const config of configs) {
    Extractor.invoke(config, {
      compilerState,
      localBuild: true,
      messageCallback(message) {
        message.handled = true;
        if (message.logLevel === "error") faults.push(message.text);
      },
    });
  }
  if (faults.length > 0) return faults;
  const texts = new Map(programs.map(({ name }) => [`${name}.md`, textOf(join(reports, `${name}.api.md`))]));
  return compareFolder(COMMITTED, texts, { write });
}

const compilerOptions = () => ({
  target: "es2022",
  lib: ["ES2022", "DOM"],
  module: "nodenext",
  types: ["node"],
  typeRoots: [join(root, "node_modules/@types")],
});

function configOf(folder, reports, name, mainEntryPointFilePath) {
  return ExtractorConfig.prepare({
    packageJsonFullPath: join(LIBRARY, "package.json"),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: LIBRARY,
      mainEntryPointFilePath,
      newlineKind: "lf",
      compiler: { tsconfigFilePath: join(folder, "api.json") },
      apiReport: {
        enabled: true,
        reportFileName: name,
        reportFolder: reports,
        reportTempFolder: join(folder, "api-new"),
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: "error" } },
        // What is exported or not is decided in the code; and comments are not what is compared here.
        extractorMessageReporting: { default: { logLevel: "none" } },
        tsdocMessageReporting: { default: { logLevel: "none" } },
      },
    },
  });
}

/** A report without its remarks on comments, which are not what is compared. */
function textOf(path) {
  return readFileSync(path, "utf8").replaceAll(/^ *\/\/ \((undocumented|No @packageDocumentation).*\n\n?/gm, "");
}
