import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { progress } from "../../../progress.js";
import type { NumberColumn, NumberRow, NumberTable } from "../../../report/numbers.js";
import { spreadRow } from "../../../report/spread-row.js";
import type { Operation } from "../../../types.js";
import { BROWSERS, type Browser, type BrowserName, findBrowser } from "../../browsers/drive.js";
import { candidatesInPages, rivalsInPages } from "../page/candidates.js";
import type { PageJob, PageTimes } from "../page/job.js";
import { PAGE_DOCUMENTS, pagePlan } from "../page/plan.js";
import type { SectionId } from "../sequence.js";
import { writeDocuments } from "../stored.js";
import { speeds } from "./mix.js";
import { type Part, type PartRun, VERBS } from "./part.js";

/** Browsers that are started for each direction in a whole run. */
const SEEDS = 7;
const SECTIONS: readonly SectionId[] = ["earliest", "first", "steady", "change"];

const columns: readonly NumberColumn[] = rivalsInPages.map(({ id, title }) => ({ id, title }));

/** A smaller mix in browsers. Quick runs leave it out, unless `--filter` asks for it. */
export const browsersPart: Part = {
  id: "browsers",
  async prepare(run) {
    for (const id of chosenBrowsers(run)) await findBrowser(id);
  },
  async run(run) {
    const chosen = chosenBrowsers(run);
    if (chosen.length === 0) return [];
    const files = mkdtempSync(join(tmpdir(), "moonpack-service-page-"));
    try {
      writeDocuments(files, PAGE_DOCUMENTS);
      return await measureServed(run, chosen, files);
    } finally {
      rmSync(files, { recursive: true });
    }
  },
};

/** `--filter` matches `browsers-firefox`. */
function chosenBrowsers({ quick, isFiltered, chooses }: PartRun): BrowserName[] {
  return quick && !isFiltered ? [] : BROWSERS.filter((id) => chooses(`browsers-${id}`));
}

async function measureServed(run: PartRun, chosen: readonly BrowserName[], files: string): Promise<NumberTable[]> {
  // Imported late: only this needs Vite.
  const { servePage } = await import("../../browsers/build.js");
  const served = await servePage({ page: "service", files });
  try {
    const tables: NumberTable[] = [];
    for (const id of chosen) tables.push(await measure(run, await findBrowser(id), served.url));
    return tables;
  } finally {
    await served.close();
  }
}

async function measure(run: PartRun, browser: Browser, url: string): Promise<NumberTable> {
  const seeds = run.quick ? run.processes : Math.max(SEEDS, run.processes);
  const rows: NumberRow[] = [];
  for (const operation of run.operations) rows.push(...(await measureDirection(browser, url, operation, seeds)));
  return {
    id: browser.id,
    title: browser.title,
    text:
      "How many times faster than each other library, by turns in a worker of a page, each in a newly started browser; with the least " +
      `and the greatest of ${seeds} seeds. The page has the first ${PAGE_DOCUMENTS} documents of each kind, and Uint8Arrays instead of Buffers. ` +
      "In pages, our functions generate no code.",
    unit: "ratio",
    columns,
    rows,
  };
}

async function measureDirection(
  browser: Browser,
  url: string,
  operation: Operation,
  seeds: number,
): Promise<NumberRow[]> {
  const { title } = browser;
  progress(`service: is what all ${operation} in ${title} equal?`);
  const checks = candidatesInPages.map(({ id }): PageJob => ({ kind: "check", operation, candidate: id }));
  await inNewBrowser(browser, url, checks);
  const mixes: PageTimes[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    progress(`service: ${operation} in ${title}, ${seed} of ${seeds}`);
    mixes.push(...(await inNewBrowser(browser, url, [{ kind: "mix", operation, seed }])));
  }
  return pagePlan.sections
    .filter(({ id }) => SECTIONS.includes(id))
    .map((section) =>
      spreadRow(
        `${operation}-${section.id}`,
        `${VERBS[operation]}: ${section.title}`,
        speeds(mixes, section, rivalsInPages),
      ),
    );
}

/** Does the jobs, each in its own worker. */
async function inNewBrowser(browser: Browser, url: string, jobs: readonly PageJob[]): Promise<PageTimes[]> {
  const page = await browser.open<PageJob, PageTimes>(url);
  try {
    const results: PageTimes[] = [];
    for (const job of jobs) results.push(await page.run(job));
    return results;
  } finally {
    await page.close();
  }
}
