// npm run check:packages [-- --write] [PART ..]: packs the published packages, installs them into an empty project, and uses
// them there as users do. `--write` renews the committed results: the public types, the kinds of files, the budgets.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root } from "@moonpack/tools/setup";
import { checkApi } from "./api.mjs";
import { checkBudgets } from "./budgets.mjs";
import { checkBundles } from "./bundles.mjs";
import { checkClone } from "./clone.mjs";
import { checkConditions } from "./conditions.mjs";
import { checkCopies } from "./copies.mjs";
import { checkMetadata } from "./metadata.mjs";
import { checkNode } from "./node.mjs";
import { withProject } from "./project.mjs";
import { checkRunners } from "./runners.mjs";
import { checkRuntimes } from "./runtimes.mjs";
import { checkTypes } from "./types.mjs";

/** Groups of parts run in parallel; within a group one part follows the other. The last one mostly waits for installs and servers. */
const LINES = [
  {
    types: { title: "TypeScript 5.9, 6 and 7: nodenext, bundler, node16, node18, commonjs", check: checkTypes },
    // These run the output of `types`.
    node: { title: "Node: import, require(), the command", check: checkNode, needs: "types" },
    runtimes: { title: "Deno, Bun, workerd", check: checkRuntimes, needs: "types" },
    bundles: {
      title: "esbuild, Vite, webpack, rspack, Rollup, for pages and Node",
      check: checkBundles,
      needs: "types",
    },
    conditions: { title: "conditions of frameworks and edge runtimes", check: checkConditions, needs: "types" },
  },
  {
    metadata: { title: "publint, arethetypeswrong, metadata, files", check: checkMetadata },
    copies: { title: "one copy of each package; each package alone", check: checkCopies },
    runners: { title: "Jest 29 and 30, ts-jest, Vitest, Mocha, node --test", check: checkRunners },
    budgets: { title: "sizes of bundles", check: checkBudgets },
    api: { title: "public types", check: checkApi },
  },
  { clone: { title: "a fresh clone: examples, npm run pack", check: checkClone } },
];
const PARTS = Object.assign({}, ...LINES);

/** Runs the named parts, or all; prints a line for each. Returns true if all passed. */
export async function checkPackages(args) {
  const write = args.includes("--write");
  const wanted = wantedOf(args.filter((arg) => arg !== "--write"));
  ensureInstalled();
  ensureBuilt();
  buildForBrowsers();
  return withProject(async (project) => {
    const lines = LINES.map((line) => Object.keys(line).filter((name) => wanted.has(name)));
    const passed = await Promise.all(lines.map((names) => runLine(names, project, { write })));
    return !passed.includes(false);
  });
}

async function runLine(names, project, options) {
  let isRight = true;
  for (const name of names) {
    const { title, check } = PARTS[name];
    const begun = performance.now();
    const faults = await check(project, options);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    console.log(`${title}: ${faults.length === 0 ? "passed" : "FAILED"} (${seconds} s)`);
    for (const fault of faults) console.error(fault.trimEnd().replace(/^/gm, "    "));
    isRight &&= faults.length === 0;
  }
  return isRight;
}

function wantedOf(names) {
  const unknown = names.find((name) => !Object.hasOwn(PARTS, name));
  if (unknown !== undefined) throw new Error(`unknown part ${unknown}; parts are ${Object.keys(PARTS).join(", ")}`);
  const chosen = names.length > 0 ? names : Object.keys(PARTS);
  return new Set(chosen.flatMap((name) => [name, ...(PARTS[name].needs === undefined ? [] : [PARTS[name].needs])]));
}

/** `npm pack` packs the built files. */
function buildForBrowsers() {
  const { status } = spawnSync(process.execPath, [join(root, "tools/src/build-browser.mjs")], { stdio: "inherit" });
  if (status !== 0) throw new Error("tools/src/build-browser.mjs failed");
}
