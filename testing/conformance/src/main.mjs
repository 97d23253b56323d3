// npm run test:conformance [-- --baseline]: builds the runner if it is missing, runs the suite against protobuf.js with
// our
// Reader and Writer, and prints the cases with unexpected results. `--baseline` also runs it against the original
// protobuf.js
// and prints the cases in which the two differ.
import { ensureRunner } from "./build.mjs";
import { differences } from "./compare.mjs";
import { runSuite } from "./suite.mjs";

const SIDES = ["attach", "install"];
const BASELINE = "own";
const SHOWN = 20;

/**
 * Runs the suite on both of our sides, and on the baseline. Returns how many cases passed with ours, and the failures.
 */
export async function runConformance({ baseline }) {
  const names = baseline ? [BASELINE, ...SIDES] : SIDES;
  const runs = new Map(await Promise.all(names.map(async (name) => [name, await runSuite(name)])));
  let passed = 0;
  let failed = 0;
  for (const [name, run] of runs) {
    report(name, run);
    failed += run.unexpected.length;
    if (name === BASELINE) continue;
    passed += run.cases.size - run.failed.size;
    if (baseline) failed += compare(name, run, runs.get(BASELINE));
  }
  return { passed, failed };
}

function report(name, { cases, failed, unexpected, seconds }) {
  const whose = name === BASELINE ? "its own Reader and Writer" : `moonpack's (${name})`;
  const passed = cases.size - failed.size;
  const counts = `${cases.size} cases, ${passed} passed, ${failed.size} failed`;
  console.log(`protobuf.js with ${whose}: ${counts} (${seconds.toFixed(1)} s)`);
  show(unexpected, (line) => console.error(`  ${line}`));
}

function compare(name, run, baseline) {
  const found = differences(run, baseline);
  console.log(
    found.length === 0
      ? "  the same responses as the original"
      : `  ${found.length} responses differ from the original`,
  );
  show(found, (difference) => {
    console.error(`  ${difference.name}\n    request  ${difference.request}`);
    console.error(`    ${name.padEnd(7)}  ${difference.response}\n    own      ${difference.expected}`);
  });
  return found.length;
}

function show(items, print) {
  for (const item of items.slice(0, SHOWN)) print(item);
  if (items.length > SHOWN) console.error(`  and ${items.length - SHOWN} more`);
}

/** Runs the command. Returns its exit code. `--build` only builds the runner, if it is missing, and prints its path. */
export async function main(args) {
  try {
    const { executable } = await ensureRunner();
    if (args.includes("--build")) {
      console.log(executable);
      return 0;
    }
    const { passed, failed } = await runConformance({ baseline: args.includes("--baseline") });
    return failed === 0 && passed > 0 ? 0 : 1;
  } catch (error) {
    console.error(error.message);
    return 1;
  }
}
