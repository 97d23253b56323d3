// node proving/bench/studies/utf8.mjs: which variant of `#utf8` is the fastest in which runtime. It measures in every
// installed
// runtime, writes results and page, and fails if package.json chooses a variant that is a tenth slower than the best.
// --render only renders the page; --check fails if the page differs from the results, or if the results contradict
// package.json. workerd is not measured: its clock stops while code runs.
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { arch, availableParallelism, platform } from "node:os";
import { join } from "node:path";
import { runPage } from "@moonpack/tools/portable/pages";
import { runProgram } from "@moonpack/tools/portable/programs";
import { newProject } from "@moonpack/tools/project";
import { findRuntime } from "@moonpack/tools/runtimes";
import { ensureBuilt, ensureInstalled, root } from "@moonpack/tools/setup";

const RESULTS = join(root, "proving/bench/results/utf8.json");
const PAGE = join(root, "docs/benchmarks/utf8.md");
const NEAR = 1.1;
/** The conditions with which each runtime resolves imports, and its arguments. */
const RUNTIMES = [
  { name: "node-20", title: "Node 20", conditions: ["node"], args: [] },
  { name: "node-22", title: "Node 22", conditions: ["node"], args: [] },
  { name: "node-24", title: "Node 24", conditions: ["node"], args: [] },
  {
    name: "deno",
    title: "Deno",
    conditions: ["deno", "node"],
    args: ["run", "--quiet", "--no-lock", "--allow-read=."],
  },
  { name: "bun", title: "Bun", conditions: ["bun", "node"], args: ["run"] },
  { name: "chromium", title: "Chromium", conditions: ["browser"] },
  { name: "firefox", title: "Firefox", conditions: ["browser"] },
];
const VARIANTS = ["default", "browser", "node", "deno", "bun"];

/** The variant that package.json chooses for a runtime: its first entry whose condition holds. */
function chosenFor({ conditions }) {
  const { imports } = JSON.parse(readFileSync(join(root, "packages/moonpack/package.json"), "utf8"));
  const entry = Object.entries(imports["#utf8"]).find(([name]) => conditions.includes(name) || name === "default");
  return /utf8-(\w+)\.js$/.exec(entry[1].import)[1];
}

async function measure() {
  const project = newProject();
  cpSync(join(root, "proving/bench/studies/utf8-measure.mjs"), join(project, "utf8-measure.mjs"));
  const act = `import { loadVariants, measureAll } from "./utf8-measure.mjs";
const report = measureAll(await loadVariants("./node_modules/moonpack/dist/utf8-"));
`;
  writeFileSync(join(project, "start.mjs"), `${act}console.log("moonpack report: " + JSON.stringify(report));`);
  const post = `await fetch("./utf8-page.html", { method: "POST", body: JSON.stringify(report) });`;
  writeFileSync(join(project, "utf8-page.js"), act + post);
  writeFileSync(join(project, "utf8-page.html"), `<!doctype html><script type="module" src="utf8-page.js"></script>\n`);
  const runtimes = [];
  try {
    for (const { name, title, args } of RUNTIMES) {
      const found = await findRuntime(name);
      if (found === undefined) throw new Error(`${name} is missing: node scripts/runtimes.mjs ${name}`);
      const rows =
        args === undefined
          ? await runPage(name, found.executable, project, { form: "utf8", isWorker: false, isStrict: false })
          : await runProgram(found.executable, args, project);
      console.error(`${title} ${found.version}: measured`);
      runtimes.push({ name, title, version: found.version, rows });
    }
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
  const machine = `${platform()} ${arch()}, ${availableParallelism()} cores`;
  return { date: new Date().toISOString().slice(0, 10), machine, runtimes };
}

/**
 * Geometric mean over the selected rows of how many times slower than the best a variant is; undefined if there are
 * none.
 */
function slowness(rows, variant) {
  const ratios = rows.map(({ times }) => times[variant] / Math.min(...Object.values(times)));
  if (rows.length === 0 || ratios.some((ratio) => !(ratio >= 1))) return undefined;
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}

/** Kinds of work; all have the same weight. */
const GROUPS = [
  ["reading ASCII", (row) => row.work === "read" && row.kind === "ASCII"],
  ["reading other text", (row) => row.work === "read" && row.kind !== "ASCII"],
  ["writing ASCII", (row) => row.work === "write" && row.kind === "ASCII"],
  ["writing other text", (row) => row.work === "write" && row.kind !== "ASCII"],
];

/** The geometric mean over the GROUPS. */
function overall(rows, variant) {
  const means = GROUPS.map(([, holds]) => slowness(rows.filter(holds), variant));
  return means.includes(undefined) ? undefined : Math.exp(means.reduce((sum, mean) => sum + Math.log(mean), 0) / 4);
}

const cell = (ratio) => (ratio === undefined ? "–" : ratio.toFixed(2));

function pageOf({ date, machine, runtimes }) {
  const lines = [
    "# UTF-8 in each runtime",
    "",
    "Rendered by `node proving/bench/studies/utf8.mjs` from `proving/bench/results/utf8.json`; do not edit.",
    "",
    "The code that reads and writes text has variants. `#utf8` under `imports` in package.json chooses one: `default` uses",
    "only TextEncoder and TextDecoder, `browser` also the engine's test for well-formed strings, `node` methods of Buffer,",
    "`deno` and `bun` whichever is faster there. Variants that need Node's Buffer do not run in browsers. Each figure tells how",
    "many times longer than the best a variant takes: the geometric mean",
    "over texts of 8 to 50,000 UTF-16 units, with the lower quartile of many short rounds in which the variants take turns. The variant that",
    "the package chooses is in bold. All versions of Node share one, and a variant that is at most a tenth slower than the best is good enough.",
    "",
    "workerd is not measured: its clock stops while code runs. Edge workers use `default`, which needs nothing special of the engine.",
    "",
    `${date}, ${machine}.`,
    "",
    "| runtime | variant | all | " + GROUPS.map(([name]) => name).join(" | ") + " |",
    "| --- | --- | --- | --- | --- | --- | --- |",
  ];
  for (const runtime of runtimes) {
    const chosen = chosenFor(RUNTIMES.find(({ name }) => name === runtime.name));
    for (const variant of VARIANTS) {
      const cells = GROUPS.map(([, holds]) => cell(slowness(runtime.rows.filter(holds), variant)));
      const name = variant === chosen ? `**${variant}**` : variant;
      lines.push(
        `| ${runtime.title} ${runtime.version} | ${name} | ${cell(overall(runtime.rows, variant))} | ${cells.join(" | ")} |`,
      );
    }
  }
  lines.push("", "## Nanoseconds", "");
  for (const { title, version, rows } of runtimes) {
    lines.push(
      `### ${title} ${version}`,
      "",
      `| text | units | | ${VARIANTS.join(" | ")} |`,
      `| --- | --- | --- |${" --- |".repeat(VARIANTS.length)}`,
    );
    for (const { kind, units, work, times } of rows)
      lines.push(`| ${kind} | ${units} | ${work} | ${VARIANTS.map((name) => times[name] ?? "–").join(" | ")} |`);
    lines.push("");
  }
  return `${lines.join("\n").trimEnd()}\n`;
}

/** A line for each runtime in which the package's choice is clearly not the best. */
function complaints({ runtimes }) {
  return runtimes.flatMap(({ name, title, rows }) => {
    const chosen = chosenFor(RUNTIMES.find((one) => one.name === name));
    const means = VARIANTS.map((variant) => [variant, overall(rows, variant)]).filter(([, mean]) => mean !== undefined);
    const [best, least] = means.reduce((a, b) => (b[1] < a[1] ? b : a));
    const mine = means.find(([variant]) => variant === chosen)?.[1] ?? Infinity;
    return mine > least * NEAR
      ? [`${title}: ${chosen} is chosen (${cell(mine)}), ${best} is faster (${cell(least)})`]
      : [];
  });
}

ensureInstalled();
ensureBuilt();
const [flag] = process.argv.slice(2);
const isMeasured = flag !== "--render" && flag !== "--check";
const { resultText } = await import("../dist/result-text.js");
if (isMeasured) writeFileSync(RESULTS, resultText(await measure()));
const results = JSON.parse(readFileSync(RESULTS, "utf8"));
const page = pageOf(results);
if (flag === "--check") {
  const isSame = existsSync(PAGE) && readFileSync(PAGE, "utf8") === page;
  if (!isSame)
    console.error("docs/benchmarks/utf8.md differs from its results: node proving/bench/studies/utf8.mjs --render");
  process.exitCode = isSame ? 0 : 1;
} else {
  writeFileSync(PAGE, page);
}
for (const complaint of complaints(results)) {
  console.error(complaint);
  process.exitCode = 1;
}
