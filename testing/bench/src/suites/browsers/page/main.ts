// The page: a form that runs the chosen races, and the tables. A driver calls `moonpackRun`.
import type { Drivable } from "../drive.js";
import type { Effort, Job, RowResult } from "../job.js";
import { groups, type Row, rowsOf } from "../rows.js";
import { type Measured, tablesOf } from "../tables.js";
import { element, tablesView } from "./view.js";
import { runInWorker } from "./workers.js";

const MICROSECONDS = 1000;

function byId<Kind extends HTMLElement>(id: string): Kind {
  return document.getElementById(id) as Kind;
}

const form = byId<HTMLFormElement>("choice");
const run = byId<HTMLButtonElement>("run");
const stop = byId<HTMLButtonElement>("stop");
const running = byId("running");
const bar = byId<HTMLProgressElement>("progress");
const status = byId("status");
const results = byId("results");

byId("groups").append(
  ...groups.map(({ id, title }) => {
    const box = element("input", {
      type: "checkbox",
      name: "group",
      value: id,
      checked: id !== "protobuf" || !isSmall(),
    });
    return element("label", {}, box, ` ${title}`);
  }),
);

/** Probably a phone, where the message of 30 MB is off by default. */
function isSmall(): boolean {
  return matchMedia("(max-width: 40rem)").matches;
}

/** The chosen races. Tests use `?effort=smoke` in the address. */
function chosen(): { readonly wanted: readonly Row[]; readonly effort: Effort } {
  const data = new FormData(form);
  const names = data.getAll("group");
  const isSmoke = new URLSearchParams(location.search).get("effort") === "smoke";
  return {
    wanted: rowsOf(groups.filter(({ id }) => names.includes(id))),
    effort: isSmoke ? "smoke" : data.get("effort") === "full" ? "full" : "quick",
  };
}

async function start(): Promise<void> {
  const { wanted, effort } = chosen();
  running.hidden = false;
  if (wanted.length === 0) {
    status.textContent = "Choose something to measure.";
    return;
  }
  const stopping = new AbortController();
  stop.onclick = () => stopping.abort();
  [run.disabled, stop.disabled] = [true, false];
  bar.max = wanted.length;
  results.replaceChildren();
  const measured: Measured[] = [];
  let clockMs = 0;
  try {
    for (const [index, row] of wanted.entries()) {
      bar.value = index;
      status.textContent = `${index + 1} of ${wanted.length}: ${describe(row)}`;
      const measurement = await runInWorker({ row, effort, repetition: 0 }, stopping.signal);
      ({ clockMs } = measurement);
      measured.push({ row, measurements: [measurement] });
      results.replaceChildren(...tablesView(tablesOf(measured)));
    }
    bar.value = wanted.length;
    const clock = (clockMs * MICROSECONDS).toPrecision(2);
    status.textContent = [
      `Done: ${wanted.length} rows.`,
      `The clock of this page counts in steps of ${Number(clock)} µs; differences below 15 % are noise.`,
      ...(effort === "smoke" ? ["This was only a test that everything works; its figures mean nothing."] : []),
    ].join(" ");
  } catch (error) {
    status.textContent = stopping.signal.aborted ? "Stopped." : `Failed: ${(error as Error).message}`;
  } finally {
    [run.disabled, stop.disabled] = [false, true];
  }
}

function describe({ group, operation, title }: Row): string {
  const { title: name } = groups.find(({ id }) => id === group)!;
  return `${name}, ${operation === "encode" ? "encoding" : "decoding"}, ${title}`;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void start();
});

(globalThis as Drivable<Job, RowResult>).moonpackRun = (job) => runInWorker(job);
