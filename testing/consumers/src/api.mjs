// The public types of each subpath, as reports in the folder `api` of its package. They make changes of the public API visible.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { CompilerState, Extractor, ExtractorConfig } from "@microsoft/api-extractor";
import { root } from "@moonpack/tools/setup";
import { compareFolder } from "./committed.mjs";

/** Compares the reports with the committed ones; with `write`, replaces them. */
export function checkApi({ folder, programs }, options) {
  writeFileSync(join(folder, "api.json"), JSON.stringify({ compilerOptions: compilerOptions() }));
  return [...new Set(programs.map((program) => program.package))].flatMap((library) =>
    checkPackage(
      folder,
      library,
      programs.filter((program) => program.package === library),
      options,
    ),
  );
}

/** `library`: types in node_modules count as foreign and are left out, so this examines the package in the repository. */
function checkPackage(folder, library, programs, { write }) {
  const reports = join(folder, "api", basename(library));
  mkdirSync(reports, { recursive: true });
  const configs = programs.map(({ report, types }) => configOf(folder, library, reports, report, types));
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
        // Errors in others' declarations are ignored: hazelcast-client's do not fit the version of long that protobuf.js installs.
        const isOurs = !message.sourceFilePath?.includes("/node_modules/");
        if (message.logLevel === "error" && isOurs) faults.push(message.text);
      },
    });
  }
  if (faults.length > 0) return faults;
  const texts = new Map(programs.map(({ report }) => [`${report}.md`, textOf(join(reports, `${report}.api.md`))]));
  return [...compareFolder(join(library, "api"), texts, { write }), ...unexported(texts)];
}

/** Types that users meet in signatures and cannot name, since no entry exports them. */
function unexported(texts) {
  const exported = new Set(
    [...texts.values()].flatMap((text) => [
      ...namesOf(text, /^export (?:declare )?/),
      ...renamedIn(text),
      ...defaultOf(text),
    ]),
  );
  return [...texts].flatMap(([file, text]) =>
    namesOf(text, /^(?:declare )?/)
      // A name that two modules have is numbered.
      .filter((name) => !exported.has(name.replace(/_\d+$/, "")))
      .map((name) => `${file}: no entry exports ${name}. Export it, or keep it out of signatures (#field, @internal).`),
  );
}

/** `export { DocumentType_2 as DocumentType }`: a name that the DOM has too. */
function renamedIn(text) {
  return [...text.matchAll(/^export \{ \w+ as (\w+) \}$/gm)].map(([, name]) => name);
}

/** The default export, which has no other name. */
function defaultOf(text) {
  return [...text.matchAll(/^export default (\w+);$/gm)].map(([, name]) => name);
}

function namesOf(text, begin) {
  const declaration = /(?:abstract )?(?:class|interface|type|function|const|let|enum|namespace) ([\w$]+)/;
  return [...text.matchAll(new RegExp(begin.source + declaration.source, "gm"))].map(([, name]) => name);
}

const compilerOptions = () => ({
  target: "es2022",
  lib: ["ES2022", "ESNext.Disposable", "DOM"],
  module: "nodenext",
  types: ["node"],
  typeRoots: [join(root, "node_modules/@types")],
});

function configOf(folder, library, reports, name, types) {
  return ExtractorConfig.prepare({
    packageJsonFullPath: join(library, "package.json"),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: library,
      mainEntryPointFilePath: join(library, types),
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
        // Whether a type is exported is decided in the code, and comments are not compared here.
        extractorMessageReporting: { default: { logLevel: "none" } },
        tsdocMessageReporting: { default: { logLevel: "none" } },
      },
    },
  });
}

/** A report without API Extractor's remarks on comments. */
function textOf(path) {
  return readFileSync(path, "utf8").replaceAll(/^ *\/\/ \((undocumented|No @packageDocumentation).*\n\n?/gm, "");
}
