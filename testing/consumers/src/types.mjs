// Compiles the programs with three versions of TypeScript and all module settings in use, with `skipLibCheck: false`; those
// for browsers without Node's types. The other checks run the output of TypeScript 5.9.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "@moonpack/tools/setup";
import { faultsOf, runNode } from "./run.mjs";

const EMITTING = { compiler: "typescript", setting: "nodenext" };
const COMPILERS = ["typescript", "typescript-6", "typescript-7"];
const SETTINGS = {
  nodenext: { module: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
  node16: { module: "node16" },
  node18: { module: "node18" },
  // Declarations of others' packages import Node's modules by default.
  commonjs: { module: "commonjs", moduleResolution: "node10", esModuleInterop: true },
};
/** Where versions differ: 6 warns of node10, and 7 has no node10; `bundler` is then the setting beside `commonjs`. */
const DIFFERENT = {
  "typescript-6 commonjs": { ignoreDeprecations: "6.0" },
  "typescript-7 commonjs": { moduleResolution: "bundler" },
};
/** The programs of a setting that has only one kind of modules. */
const KINDS = { commonjs: ["cjs/*.cts"], bundler: ["esm/*.ts"] };
const BASE = {
  target: "es2022",
  lib: ["ES2022", "DOM"],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  // TypeScript's own declarations, which need no check and would take half of the time.
  skipDefaultLibCheck: true,
  noEmit: true,
};

/** Compiles every program in every way; the output of `EMITTING` is written to `out`. */
export async function checkTypes({ folder, programs }) {
  mkdirSync(join(folder, "configs"));
  return faultsOf(COMPILERS, async (compiler) => {
    const configs = Object.keys(SETTINGS).flatMap((setting) =>
      [false, true].map((isNode) => writeConfig(folder, programs, { compiler, setting, isNode })),
    );
    const runs = await compileAll(compiler, configs);
    return runs.filter(({ status }) => status !== 0).map(({ stdout, stderr }) => `${compiler}\n${stdout}${stderr}`);
  });
}

async function compileAll(compiler, configs) {
  if (compiler !== "typescript-7") {
    return [await runNode([fileURLToPath(new URL("compile.mjs", import.meta.url)), compiler, ...configs])];
  }
  const tsc = join(root, "node_modules", compiler, "bin/tsc");
  const runs = [];
  for (const config of configs) runs.push(await runNode([tsc, "-p", config]));
  return runs;
}

function writeConfig(folder, programs, { compiler, setting, isNode }) {
  const isEmitted = compiler === EMITTING.compiler && setting === EMITTING.setting;
  const chosen = programs.filter((each) => isNode === needsNodeTypes(each, setting));
  const kinds = KINDS[setting] ?? ["esm/*.ts", "cjs/*.cts"];
  const types = isNode ? { types: ["node"], typeRoots: [join(root, "node_modules/@types")] } : { types: [] };
  const emitted = isEmitted ? { noEmit: false, rootDir: "..", outDir: "../out" } : {};
  const path = join(folder, "configs", `${compiler}-${setting}${isNode ? "-node" : ""}.json`);
  writeFileSync(
    path,
    JSON.stringify({
      compilerOptions: { ...BASE, ...SETTINGS[setting], ...DIFFERENT[`${compiler} ${setting}`], ...types, ...emitted },
      files: chosen.flatMap(({ name }) => kinds.map((kind) => `../${kind.replace("*", name)}`)),
    }),
  );
  return path;
}

const needsNodeTypes = ({ isForNode, isOtherInNode }, setting) => isForNode || (isOtherInNode && setting !== "bundler");
