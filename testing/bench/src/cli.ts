import { parseArgs } from "node:util";
import { evaluateBars } from "./bars/evaluate.js";
import { bars } from "./bars/list.js";
import { mergeTables } from "./merge-tables.js";
import { profile } from "./profile.js";
import { stalePages, writePages } from "./render.js";
import { type ResultHead, readResult, writeResult } from "./results.js";
import type { RunOptions } from "./suite.js";
import { findSuite, suites } from "./suites/index.js";
import type { Operation } from "./types.js";
import { workloads } from "./workloads/index.js";

const HELP = `npm run bench [-- [SUITE..] [options]]

Suites: ${suites.map((suite) => suite.name).join(", ")}; the default is ${suites[0]!.name}; \`all\` runs every suite.
A complete run writes its result file and renders the pages; a quick or partial one only prints its page.

  --quick            short races: to find mistakes, not to measure
  --filter REGEX     only workloads whose name matches
  --only OPERATION   decode or encode
  --processes N      number of processes that repeat each race (default 3; with --quick 1)
  --save             save the result even if the run was quick or slower;
                     with --filter: save the tables of these parts
  --budget           exit 1 when a bar of the suite is not met (for sizes and memory, which do not depend on timing)
  --render           render the pages from the result files
  --check            exit 1 when a page differs from its result file
  --profile          record a CPU profile of --candidate (moonpack) on the first workload that --filter names
  --candidate ID        see --profile
  --serve            serve the page of the suite browsers, to measure in any browser, until Ctrl+C
  --host ADDRESS     see --serve (default 127.0.0.1); with 0.0.0.0 other machines can connect, but with coarser clocks
  --help

npm run bench -- --quick --filter 'tiny|service' --only decode
npm run bench -- --profile --filter clinical --only decode
`;

/** Runs the command line and returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args);
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (values.check) return check();
  if (values.render) {
    console.log(`rendered ${writePages().join(", ")}`);
    return 0;
  }
  if (values.serve) return serve(values.host);
  const filter = values.filter === undefined ? undefined : new RegExp(values.filter);
  const only = operation(values.only);
  if (values.profile) return printProfile(values.candidate, filter, only ?? "decode");
  const quick = values.quick;
  const options: RunOptions = { quick, filter, only, processes: processes(values.processes, quick) };
  const partial = filter !== undefined || only !== undefined;
  if (only !== undefined && values.save) throw new TypeError("--save keeps whole results: not with --only");
  const names = positionals.length === 0 ? [suites[0]!.name] : positionals;
  let code = 0;
  let saved = false;
  for (const suite of names.includes("all") ? suites : names.map(findSuite)) {
    const result = await suite.run(options);
    const committed = readResult(suite.name);
    const losses = committed === undefined ? [] : (suite.losses?.(result, committed) ?? []);
    const aside = !values.save && (partial || result.quick || losses.length > 0);
    const kept = partial && values.save ? mergeTables(committed, result) : result;
    const file = writeResult(kept, aside);
    saved ||= !aside;
    console.log(`${suite.page(result)}\n${file}`);
    for (const line of losses) console.error(line);
    if (losses.length > 0) code = 1;
    if (values.budget && !withinBudget(result)) code = 1;
  }
  if (saved) console.log(`rendered ${writePages().join(", ")}`);
  return code;
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      filter: { type: "string" },
      only: { type: "string" },
      processes: { type: "string" },
      save: { type: "boolean", default: false },
      budget: { type: "boolean", default: false },
      render: { type: "boolean", default: false },
      check: { type: "boolean", default: false },
      profile: { type: "boolean", default: false },
      candidate: { type: "string", default: "moonpack" },
      serve: { type: "boolean", default: false },
      host: { type: "string", default: "127.0.0.1" },
      help: { type: "boolean", default: false },
    },
  });
}

function operation(only: string | undefined): Operation | undefined {
  if (only === undefined || only === "decode" || only === "encode") return only;
  throw new TypeError(`--only ${only}: must be decode or encode`);
}

function processes(text: string | undefined, quick: boolean): number {
  if (text === undefined) return quick ? 1 : 3;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new TypeError(`--processes ${text}: must be a number of at least 1`);
  return count;
}

/** Serves the page until a signal ends the process. */
async function serve(host: string): Promise<number> {
  const { servePage } = await import("./suites/browsers/build.js");
  const { url } = await servePage({ host });
  console.log(`${url}: press Run there; press Ctrl+C here to end`);
  return new Promise(() => undefined);
}

function check(): number {
  const stale = stalePages();
  for (const path of stale) console.error(`${path} differs from its results: npm run bench -- --render`);
  return stale.length === 0 ? 0 : 1;
}

/** Prints the bars of a result and whether all are met. */
function withinBudget(result: ResultHead): boolean {
  const lines = evaluateBars(
    (name) => (name === result.suite ? result : undefined),
    bars.filter(({ suite }) => suite === result.suite),
  );
  for (const { what, wanted, measured, met } of lines) {
    console.log(`${met ? "met    " : "NOT MET"} ${what}: ${measured ?? "not measured"}, wanted ${wanted}`);
  }
  return lines.every(({ met }) => met);
}

async function printProfile(candidate: string, filter: RegExp | undefined, direction: Operation): Promise<number> {
  const workload = workloads.find(({ id }) => filter?.test(id) ?? true);
  if (workload === undefined) throw new TypeError(`no workload matches ${filter}`);
  const { file, top } = await profile(candidate, workload.id, direction);
  for (const { name, share } of top) console.log(`${(share * 100).toFixed(1).padStart(5)} %  ${name}`);
  console.log(file);
  return 0;
}
