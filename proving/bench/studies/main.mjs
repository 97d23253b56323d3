// npm run bench -- studies [NAME ..]: measures, saves the results, renders the pages, and fails if a claim does not hold.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { isCommand } from "@moonpack/tools/runtimes";
import { broken, unfounded } from "./claims.mjs";
import { loadStudy, MAJORS, STUDIES } from "./list.mjs";
import { isStale, readResult, writePage, writeResult } from "./page.mjs";
import { findNodes, measureKind } from "./run.mjs";

const UTF8_RESULT = new URL("../results/utf8.json", import.meta.url);

const HELP = `npm run bench -- studies [NAME ..] [options]

Studies: ${STUDIES.join(", ")}; the default is all of them. Another study, utf8, is a separate program that this one starts.
Exits 1 when a claim does not hold.

  --counted      only counted figures (bytes, kinds, order): on any machine, half a minute per study
  --timed        only timed figures: needs a quiet machine
  --node MAJOR   only on this version; saves nothing
  --smoke        only counted figures, in small sizes, on this Node (in CI on all); saves nothing
  --render       render the pages from the result files
  --check        exit 1 when a page differs from its result file, or a claim from its code or its results
  --help
`;

/** Runs the command line. Returns the exit code. */
export async function main(args) {
  const { values, positionals } = parse(args);
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (positionals.includes("utf8")) return studyUtf8(values.check ? ["--check"] : values.render ? ["--render"] : []);
  const unknown = positionals.find((name) => !STUDIES.includes(name));
  if (unknown !== undefined) throw new RangeError(`no study ${unknown}: there are ${STUDIES.join(", ")}, utf8`);
  const studies = await Promise.all((positionals.length > 0 ? positionals : STUDIES).map(loadStudy));
  if (values.render || values.check) return values.check ? check(studies) : render(studies);
  const complaints = [];
  for (const study of studies) complaints.push(...unfounded(study), ...(await measure(study, values)));
  for (const complaint of complaints) console.error(complaint);
  return complaints.length === 0 ? 0 : 1;
}

function parse(args) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      counted: { type: "boolean", default: false },
      timed: { type: "boolean", default: false },
      node: { type: "string" },
      smoke: { type: "boolean", default: false },
      render: { type: "boolean", default: false },
      check: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
}

/** The versions of Node for a run: a smoke run uses this Node, in CI all. */
async function nodesFor(major, isSmoke) {
  if (isSmoke && major === undefined && process.env.CI !== "true")
    return [{ executable: process.execPath, version: process.versions.node }];
  const majors = major === undefined ? MAJORS : [Number(major)];
  const unknown = majors.find((one) => !MAJORS.includes(one));
  if (unknown !== undefined) throw new RangeError(`Node ${unknown} is not studied; versions are ${MAJORS.join(", ")}`);
  const { found, missing } = await findNodes(majors);
  if (missing.length > 0)
    throw new RangeError(`needs ${missing.join(", ")}: node scripts/runtimes.mjs ${missing.join(" ")}`);
  return found;
}

/** Measures a study. Returns the claims that do not hold. */
async function measure(study, { counted, timed, node, smoke: isSmoke }) {
  const nodes = await nodesFor(node, isSmoke);
  const kinds = isSmoke ? ["counted"] : counted === timed ? ["counted", "timed"] : counted ? ["counted"] : ["timed"];
  const isKept = !isSmoke && node === undefined;
  const complaints = [];
  for (const kind of kinds) {
    const begun = performance.now();
    const measured = await measureKind(study, kind, nodes, { isSmoke });
    const lines = broken(study, measured, isSmoke ? undefined : kind);
    complaints.push(...lines);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    console.log(`${study.name}, ${kind}: ${lines.length} claims broken, ${seconds} s`);
    if (isKept) keep(study, { [kind]: measured });
    else if (!isSmoke) console.log(JSON.stringify(measured, null, 1));
  }
  return complaints;
}

/** Saves the measured kinds; others stay unchanged. */
function keep(study, measured) {
  mkdirSync(new URL("../results/studies/", import.meta.url), { recursive: true });
  const { counted, timed } = { ...readResult(study.name), ...measured };
  writeResult(study.name, { counted, timed });
  writePage(study);
}

function render(studies) {
  for (const study of studies) writePage(study);
  if (studies.length === STUDIES.length && existsSync(UTF8_RESULT)) studyUtf8(["--render"]);
  console.log(`rendered ${studies.map(({ name }) => `docs/studies/${name}.md`).join(", ")}`);
  return 0;
}

function check(studies) {
  const complaints = studies.flatMap((study) => [
    ...unfounded(study),
    ...(isStale(study)
      ? [`docs/studies/${study.name}.md differs from its results: npm run bench -- studies --render`]
      : []),
    ...Object.entries(readResult(study.name)).flatMap(([kind, measured]) => broken(study, measured, kind)),
  ]);
  for (const complaint of complaints) console.error(complaint);
  const isUtf8Checked = studies.length === STUDIES.length && existsSync(UTF8_RESULT);
  return complaints.length === 0 && (!isUtf8Checked || studyUtf8(["--check"]) === 0) ? 0 : 1;
}

/** Runs the study of UTF-8 in every runtime, which is a separate program. Returns its exit code. */
function studyUtf8(args) {
  const program = fileURLToPath(new URL("utf8.mjs", import.meta.url));
  return spawnSync(process.execPath, [program, ...args], { stdio: "inherit" }).status ?? 1;
}

if (isCommand(import.meta.url)) process.exitCode = await main(process.argv.slice(2));
