// Builds the programs with five bundlers, for pages and for Node; the bundles must print the expected lines. Those for pages
// refer to nothing of Node and run where Node's globals are missing. Only entries that are there for generated code hold code
// that generates code.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bundlers } from "./bundlers.mjs";
import { generatesCode, importedBy, nodeNames } from "./globals.mjs";
import { runProgram } from "./node.mjs";
import { faultsOf } from "./run.mjs";

/** These start a thread or a process, or hook modules, from a file of their package, so users leave the package outside. */
const NOT_BUNDLED = /^(?:series|load-targets|hazelcast-series|protobuf-register)/;

export async function checkBundles({ folder, programs }) {
  const chosen = {
    browser: programs.filter(({ isForNode }) => !isForNode),
    node: programs.filter(({ name }) => !NOT_BUNDLED.test(name)),
  };
  const faults = [];
  for (const [bundler, bundle] of Object.entries(bundlers)) {
    for (const [target, some] of Object.entries(chosen)) {
      const entries = Object.fromEntries(some.map(({ name }) => [name, join(folder, "out/esm", `${name}.js`)]));
      const out = join(folder, "bundles", `${bundler}-${target}`);
      try {
        await bundle({ folder, entries, out, target });
      } catch (error) {
        faults.push(`${bundler} for ${target}: ${error.message}`);
        continue;
      }
      if (target === "browser") faults.push(...namesIn(out), ...generatorsIn(out, some));
      faults.push(...(await runAll(some, folder, out, target)));
    }
  }
  return faults;
}

/** Every file of a bundle for pages is free of Node's names. */
export function namesIn(out) {
  return readdirSync(out).flatMap((file) => {
    const named = nodeNames(readFileSync(join(out, file), "utf8"));
    return named.length === 0 ? [] : [`${join(out, file)} names ${named.join(", ")}`];
  });
}

/** The files that an entry loads hold no code that generates code, unless the entry is there for it. */
export function generatorsIn(out, programs) {
  const faults = [];
  for (const { name } of programs.filter((each) => !/-codegen$/.test(each.name))) {
    const loaded = new Set([`./${name}.mjs`]);
    for (const file of loaded) {
      const code = readFileSync(join(out, file), "utf8");
      for (const imported of importedBy(code)) loaded.add(imported);
      if (generatesCode(code)) faults.push(`${join(out, `${name}.mjs`)} loads ${file}, which generates code`);
    }
  }
  return faults;
}

function runAll(programs, folder, out, target) {
  return faultsOf(programs, (program) => {
    const file = join(out, `${program.name}.mjs`);
    return runProgram(program, target === "node" ? [file] : [...likePage(program), file], folder);
  });
}

/** Node without its own globals and, as on most pages, without leave to generate code. */
export function likePage({ source }) {
  const withoutNode = new URL("without-node.mjs", import.meta.url).href;
  const strict = ["--disallow-code-generation-from-strings"];
  // Node's own Request and Response need Node's globals; what the bundle names is checked all the same.
  return /\bnew (?:Request|Response)\(/.test(source) ? strict : [...strict, "--import", withoutNode];
}
