import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { progress } from "../../../progress.js";
import { spreadRow } from "../../../report/spread-row.js";
import { folderBytes } from "../folder.js";
import type { CrashJob, RecoverResult } from "../jobs/recover.js";
import { inFolder, MB, type Part, runJob, spreadOf } from "./part.js";

const CHILD = new URL("../child.js", import.meta.url);
const DURABILITIES = ["batch", "sync"] as const;

/** How long it takes to open a store after its process was killed. */
export const recoveryPart: Part = {
  id: "recovery",
  async run({ processes, folder, scale: { metrics, crashTicks: ticks } }) {
    const results = DURABILITIES.map((): (RecoverResult & { readonly bytes: number })[] => []);
    for (let repetition = 0; repetition < processes; repetition++) {
      for (const [index, durability] of DURABILITIES.entries()) {
        progress(`series: recovery, ${durability}, ${repetition + 1} of ${processes}`);
        const job = { durability, metrics, ticks };
        await inFolder(folder, async (path) => {
          await writeAndKill({ kind: "crash", folder: path, ...job });
          const bytes = folderBytes(path);
          const result = await runJob<RecoverResult>({ kind: "recover", folder: path, ...job });
          results[index]!.push({ ...result, bytes });
        });
      }
    }
    return [
      {
        id: "recovery",
        title: "Opening a store after SIGKILL",
        text:
          `A process writes ${ticks} reports of ${metrics.toLocaleString("en-US")} metrics and is killed before any minute is sealed, so all points are in its memory and its log. Then another process opens the store. ` +
          `Every acknowledged point must be counted; the points of 100 metrics are compared. The median of ${processes} processes with the least and the greatest.`,
        unit: "count",
        columns: [
          { id: "milliseconds", title: "ms" },
          { id: "points", title: "points" },
          { id: "log", title: "MB of files" },
        ],
        rows: DURABILITIES.map((durability, index) =>
          spreadRow(durability, `\`${durability}\``, {
            milliseconds: spreadOf(results[index]!.map(({ milliseconds }) => milliseconds)),
            points: results[index]![0]!.points,
            log: spreadOf(results[index]!.map(({ bytes }) => bytes / MB)),
          }),
        ),
      },
    ];
  },
};

/** Starts a process that writes, and kills it when it says that all is acknowledged. */
async function writeAndKill(job: CrashJob): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(CHILD), JSON.stringify(job)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const stop = () => child.kill("SIGKILL");
  process.once("exit", stop);
  try {
    await Promise.race([once(child.stdout, "data"), exited]);
    stop();
    const [code] = await exited;
    if (code !== null) throw new Error(`the writing process ended with ${code}`);
  } finally {
    process.removeListener("exit", stop);
  }
}
