/** Measures a Prometheus server with the same data, on loopback. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Asked, ask } from "./ask.js";
import { type Data, labelsOf, NAME, queriesOf, scrapes } from "./data.js";
import type { Measured } from "./ours.js";

/** The time that promtool gets at once, in milliseconds: it keeps a text in memory. Blocks of Prometheus are two hours long. */
const PART = 6 * 3_600_000;

/** Writes the data with promtool, starts the server and asks it. */
export async function measureServer(executable: string, data: Data, rounds: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "moonpack-bench-prometheus-"));
  try {
    const text = join(folder, "data.txt");
    const store = join(folder, "data");
    const start = data.end - data.hours * 3_600_000;
    for (let from = start; from < data.end; from += PART) {
      writeText(text, data, from === start ? Number.NEGATIVE_INFINITY : from, from + PART);
      execFileSync(join(executable, "../promtool"), ["tsdb", "create-blocks-from", "openmetrics", text, store], {
        stdio: ["ignore", "ignore", "inherit"],
      });
      rmSync(text);
    }
    return await serving(executable, folder, store, async (url, pid) => {
      const queries: Record<string, Asked> = {};
      for (const query of queriesOf(data)) queries[query.id] = await ask(url, query, rounds);
      return { queries, ...peakOf(pid) };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the points after `from`, and up to and including `to`. */
function writeText(path: string, data: Data, from: number, to: number): void {
  const names = Array.from({ length: data.series }, (_, i) => {
    const labels = Object.entries(labelsOf(i)).map(([name, value]) => `${name}="${value}"`);
    return `${NAME}{${labels.join(",")}}`;
  });
  const file = openSync(path, "w");
  writeSync(file, `# TYPE ${NAME.replace(/_total$/, "")} counter\n`);
  for (const [time, values] of scrapes(data)) {
    if (time <= from || time > to) continue;
    writeSync(file, names.map((name, i) => `${name} ${values[i]} ${time / 1000}\n`).join(""));
  }
  writeSync(file, "# EOF\n");
  closeSync(file);
}

async function serving<T>(
  executable: string,
  folder: string,
  store: string,
  use: (url: string, pid: number) => Promise<T>,
): Promise<T> {
  const configuration = join(folder, "prometheus.yml");
  writeFileSync(configuration, "{}\n");
  const address = `127.0.0.1:${await freePort()}`;
  const options = [`--config.file=${configuration}`, `--storage.tsdb.path=${store}`, `--web.listen-address=${address}`];
  const server = spawn(executable, [...options, "--log.level=error"], { stdio: ["ignore", "ignore", "inherit"] });
  const stop = () => server.kill();
  process.once("exit", stop);
  try {
    const url = `http://${address}`;
    for (let attempt = 0; !(await isReady(url)); attempt++) {
      if (attempt === 600 || server.exitCode !== null) throw new Error("Prometheus did not start");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return await use(url, server.pid!);
  } finally {
    process.off("exit", stop);
    const ended = server.exitCode === null ? once(server, "exit") : undefined;
    stop();
    await ended;
  }
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/-/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** The greatest memory of a process, where Linux tells it. */
function peakOf(pid: number): { readonly megabytes?: number } {
  try {
    const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? {} : { megabytes: Number(kilobytes) / 1024 };
  } catch {
    return {};
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
