import { progress } from "../../progress.js";
import { type NumbersResult, type NumberTable, numbersPage } from "../../report/numbers.js";
import { resultHead } from "../../results.js";
import type { RunOptions, Suite } from "../../suite.js";
import { protobufJsVersions } from "../protobuf/versions.js";
import { BROWSERS, type Browser, findBrowser } from "./drive.js";
import type { Job, RowResult } from "./job.js";
import { type Row, rows } from "./rows.js";
import { type Measured, tablesOf } from "./tables.js";

const PACKAGES = [
  "moonpack",
  "@bufbuild/protobuf",
  "@jsonjoy.com/json-pack",
  "@msgpack/msgpack",
  "avsc",
  "buffer",
  "kiwi-schema",
  "msgpackr",
  "pbf",
  "seqproto",
  "vite",
];

const ORIGIN = [
  "This version of Node only drives the browsers, which run without a window. Vite builds and minifies the page. The page is isolated,",
  "so its clock counts microseconds. Each row is measured in its own worker, in three newly started browsers",
  "(`--processes`): first, all libraries must write and read the same values; then they take turns, in another order in each round. No",
  "decoder reads the same copy of a message twice. Differences below 15 % are noise.",
];

/** The races that can run in pages, in real browsers. */
export const browsers: Suite<NumbersResult> = {
  name: "browsers",
  title: "In browsers",
  async run(options) {
    const chosen = BROWSERS.flatMap((id) => {
      const wanted = rows.filter((row) => isChosen(id, row, options));
      return wanted.length === 0 ? [] : [{ id, wanted }];
    });
    if (chosen.length === 0) {
      throw new RangeError(
        `no row matches: there are ${BROWSERS.join(", ")} with ${rows.map(({ id }) => id).join(", ")}`,
      );
    }
    const found = await Promise.all(chosen.map(async ({ id, wanted }) => ({ browser: await findBrowser(id), wanted })));
    // Imported late: only this needs Vite.
    const { servePage } = await import("./build.js");
    const served = await servePage();
    const tables: NumberTable[] = [];
    try {
      for (const { browser, wanted } of found) {
        const measured = await measure(browser, wanted, served.url, options);
        tables.push(...tablesOf(measured, `${browser.id}-`, browser.title));
      }
    } finally {
      progress("");
      await served.close();
    }
    const head = resultHead("browsers", options.quick, PACKAGES);
    const versions = Object.fromEntries(found.map(({ browser }) => [browser.id, browser.version]));
    return { ...head, versions: { ...head.versions, ...protobufJsVersions(), ...versions }, tables };
  },
  page: (result) => numbersPage(browsers.title, result, ORIGIN),
};

/** `--filter` matches browser and row: `firefox-protobuf`. */
function isChosen(browser: string, { id, operation }: Row, { filter, only }: RunOptions): boolean {
  return (filter?.test(`${browser}-${id}`) ?? true) && (only ?? operation) === operation;
}

/** Repeats all rows, each time in a new browser. */
async function measure(
  browser: Browser,
  wanted: readonly Row[],
  url: string,
  { processes, quick }: RunOptions,
): Promise<Measured[]> {
  const measurements = new Map<Row, RowResult[]>(wanted.map((row) => [row, []]));
  for (let repetition = 0; repetition < processes; repetition++) {
    const page = await browser.open<Job, RowResult>(url);
    try {
      for (const row of wanted) {
        progress(`${browser.title}: ${row.id}, ${repetition + 1} of ${processes}`);
        measurements.get(row)!.push(await page.run({ row, effort: quick ? "quick" : "full", repetition }));
      }
    } finally {
      await page.close();
    }
  }
  return wanted.map((row) => ({ row, measurements: measurements.get(row)! }));
}
