import { median } from "simple-statistics";
import { progress } from "../../../progress.js";
import type { NumberRow, NumberTable } from "../../../report/numbers.js";
import { spreadRow } from "../../../report/spread-row.js";
import { folderBytes } from "../folder.js";
import { TICKS_A_MINUTE } from "../load.js";
import { peers } from "../peers/index.js";
import type { Peer, PeerDurability } from "../peers/peer.js";
import type { PeerJob, PeerReads, PeerWrite } from "../peers/work.js";
import { inFolder, type Part, type PartRun, spreadOf } from "./part.js";
import { findRuntimeWithSqlite, type Runtime } from "./sqlite-runtime.js";

const CHILD = new URL("../peers/child.js", import.meta.url);
const DURABILITIES: readonly PeerDurability[] = ["batch", "sync"];
const OURS = "moonpack";

/** A peer's figures of each process. */
interface Figures {
  readonly batch: number[];
  readonly sync: number[];
  readonly bytes: number[];
  readonly minute: number[];
  readonly metric: number[];
}

type Figure = keyof Figures;

/** A load for the comparison of peers. */
interface Load {
  readonly metrics: number;
  readonly ticks: number;
  readonly readMs: number;
}

/** The store beside other databases of Node, on a load that all of them can sustain. */
export const peersPart: Part = {
  id: "peers",
  async run(run) {
    const { processes, scale, versions } = run;
    const runtime = await findRuntimeWithSqlite<PeerJob>(CHILD);
    const racing = peers.filter(({ id }) => id !== "sqlite" || runtime.hasSqlite);
    const load = { metrics: scale.peerMetrics, ticks: scale.peerMinutes * TICKS_A_MINUTE, readMs: scale.peerReadMs };
    progress("series: do all return what was written?");
    await Promise.all(racing.map((peer) => check(run, runtime, peer)));
    const figures = new Map(racing.map(({ id }) => [id, emptyFigures()]));
    for (let repetition = 0; repetition < processes; repetition++) {
      for (let position = 0; position < racing.length; position++) {
        const peer = racing[(position + repetition) % racing.length]!;
        progress(`series: ${peer.id}, ${repetition + 1} of ${processes}`);
        await measure(run, runtime, peer, load, figures.get(peer.id)!);
      }
    }
    versions.set("node of the peers", runtime.version);
    return [absoluteTable(racing, figures, load, run, runtime), ratioTable(racing, figures)];
  },
};

function emptyFigures(): Figures {
  return { batch: [], sync: [], bytes: [], minute: [], metric: [] };
}

/** Small enough to compare every point. */
const CHECKED = { metrics: 160, ticks: 3 * TICKS_A_MINUTE, compact: true, readMs: 0 };

/** Throws if a peer returns other points than those that were written. */
async function check({ folder }: PartRun, runtime: Runtime<PeerJob>, { id }: Peer): Promise<void> {
  for (const durability of DURABILITIES)
    await inFolder(folder, (path) => runtime.run({ kind: "check", peer: id, folder: path, durability, ...CHECKED }));
}

async function measure(
  { folder, versions }: PartRun,
  runtime: Runtime<PeerJob>,
  { id }: Peer,
  load: Load,
  figures: Figures,
): Promise<void> {
  for (const durability of DURABILITIES) {
    await inFolder(folder, async (path) => {
      // The files and the pages are the same with each durability.
      const job = { peer: id, folder: path, durability, compact: durability === "batch", ...load };
      const { pointsPerSecond, version } = await runtime.run<PeerWrite>({ kind: "write", ...job });
      figures[durability].push(pointsPerSecond);
      if (version !== null) versions.set(id, version);
      if (durability === "sync") return;
      figures.bytes.push(folderBytes(path) / (load.metrics * load.ticks));
      const { minute, metric } = await runtime.run<PeerReads>({ kind: "read", ...job });
      figures.minute.push(minute);
      figures.metric.push(metric);
    });
  }
}

function absoluteTable(
  racing: readonly Peer[],
  figures: ReadonlyMap<string, Figures>,
  { metrics, ticks }: Load,
  { processes }: PartRun,
  { version }: Runtime<PeerJob>,
): NumberTable {
  return {
    id: "peers",
    title: "Beside other databases",
    text:
      `Uniform integers of ${metrics.toLocaleString("en-US")} metrics, ${ticks} reports, in processes of Node ${version}. Each database writes a report in one call or transaction, by its fastest way, and has it as durable as ours before the next one: \`batch\` survives a killed process, ` +
      "`sync` a power cut. DuckDB always syncs. All keep the names and tags of the metrics once, which were registered before. Ours seals all points before the clock stops. Bytes a point: all files of the folder, after `compact`, VACUUM, CHECKPOINT; RocksDB has no call, but is opened twice more. " +
      "Reads are of random metrics: one of their minutes, 20 points, or all of their points, after the store was opened again. Ours has 64 reads in flight, DuckDB 4, and the others, which work on the calling thread, one. " +
      `Before, each returned every point of a smaller load; then every read is compared. SQLite has a table without rowid whose key is (metric, time), WAL, and a cache of 64 MB as ours; RocksDB one key a point (metric u32, time u64: f64). The median of ${processes} processes with the least and the greatest.`,
    unit: "count",
    columns: [
      { id: "batch", title: "points/s, `batch`" },
      { id: "sync", title: "points/s, `sync`" },
      { id: "bytes", title: "bytes a point", unit: "ratio" },
      { id: "minute", title: "minutes read/s" },
      { id: "metric", title: "metrics read/s" },
    ],
    rows: racing.map(({ id, title }) => figureRow(id, title, (figure) => figures.get(id)![figure])),
  };
}

/** Our figures as a multiple of theirs, process by process, and of the best database in each column. */
function ratioTable(racing: readonly Peer[], figures: ReadonlyMap<string, Figures>): NumberTable {
  const ours = figures.get(OURS)!;
  const ratios = (id: string, figure: Figure) =>
    ours[figure].map((value, process) => value / figures.get(id)![figure][process]!);
  const rivals = racing.filter(({ id }) => id !== OURS);
  const best = (figure: Figure) => {
    const order = rivals.map(({ id }) => median(figures.get(id)![figure]));
    const extreme = figure === "bytes" ? Math.min(...order) : Math.max(...order);
    return ratios(rivals[order.indexOf(extreme)]!.id, figure);
  };
  return {
    id: "peer-ratios",
    title: "Ours as a multiple of theirs",
    text: "From the table above, process by process. Bigger is better, but for bytes. The best: the best other database of each column.",
    unit: "ratio",
    columns: [
      { id: "batch", title: "write, `batch`" },
      { id: "sync", title: "write, `sync`" },
      { id: "bytes", title: "bytes" },
      { id: "minute", title: "read a minute" },
      { id: "metric", title: "read a metric" },
    ],
    rows: [
      ...rivals.map(({ id, title }) => figureRow(id, title, (figure) => ratios(id, figure))),
      figureRow("best", "the best of them", best),
    ],
  };
}

function figureRow(id: string, title: string, of: (figure: Figure) => readonly number[]): NumberRow {
  const figures: readonly Figure[] = ["batch", "sync", "bytes", "minute", "metric"];
  return spreadRow(id, title, Object.fromEntries(figures.map((figure) => [figure, spreadOf(of(figure))])));
}
