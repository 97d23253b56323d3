// Builds the programs with the conditions of frameworks, such as Next.js, and of edge runtimes, from ES modules and from
// CommonJS: what is not for Node refers to nothing of Node, generates no code and prints the expected lines.
import { join } from "node:path";
import { build } from "esbuild";
import { REQUIRE } from "./bundlers.mjs";
import { generatorsIn, isGenerating, namesIn, runAll } from "./bundles.mjs";

/** The conditions that these add to `import` or `require` and `default`, and esbuild's platform. */
const SETTINGS = {
  "a page": { conditions: ["module"], platform: "browser" },
  "server components in Node": { conditions: ["react-server", "module"], platform: "node", banner: REQUIRE },
  "an edge runtime": { conditions: ["react-server", "edge-light", "worker"], platform: "browser" },
  workerd: { conditions: ["workerd", "worker"], platform: "browser" },
  "an unknown runtime": { conditions: [], platform: "neutral", mainFields: ["module", "main"] },
};
const KINDS = {
  esm: { ending: "js", isLeftOut: () => false },
  // tRPC's CommonJS names `process`.
  cjs: { ending: "cjs", isLeftOut: ({ name }) => name === "trpc-client" },
};

export async function checkConditions({ folder, programs }) {
  const forPages = programs.filter((each) => !each.isForNode && !isGenerating(each));
  const faults = [];
  for (const [name, setting] of Object.entries(SETTINGS)) {
    for (const [kind, { ending, isLeftOut }] of Object.entries(KINDS)) {
      const some = forPages.filter((each) => !isLeftOut(each));
      const out = join(folder, "conditions", `${name.replaceAll(" ", "-")}-${kind}`);
      const entries = some.map((each) => join(folder, "out", kind, `${each.name}.${ending}`));
      try {
        await bundle(folder, out, entries, setting);
      } catch (error) {
        faults.push(`${name}, ${kind}: ${error.message}`);
        continue;
      }
      const isForNode = setting.platform === "node";
      if (!isForNode) faults.push(...namesIn(out));
      // Of CommonJS nothing is left out, also what is never called.
      if (!isForNode && kind === "esm") faults.push(...generatorsIn(out));
      faults.push(...(await runAll(some, folder, out, isForNode)));
    }
  }
  return faults;
}

async function bundle(folder, outdir, entryPoints, setting) {
  await build({
    entryPoints,
    absWorkingDir: folder,
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    outExtension: { ".js": ".mjs" },
    logLevel: "silent",
    ...setting,
  });
}
