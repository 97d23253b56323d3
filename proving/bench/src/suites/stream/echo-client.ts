import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build, encodeIntoCompressedBase64, type Histogram } from "hdr-histogram-js";
import { type Mode, peer } from "./echo-peer.js";

const SERVER = fileURLToPath(new URL("./echo-server.js", import.meta.url));

/** The job of a pair of processes. */
export interface EchoJob {
  readonly textBytes: number;
  readonly inFlight: number;
  /** `maxBatch` of the gathering writers on both sides. */
  readonly maxBatch?: number | undefined;
  readonly pairs: number;
  readonly runMs: number;
  readonly warmUpMs: number;
  /** The mode that begins; it alternates. */
  readonly first: Mode;
}

/** The result: messages per second of each run, and all latencies in nanoseconds as HDR histograms. */
export type EchoResult = Readonly<Record<Mode, { readonly rates: readonly number[]; readonly latencies: string }>>;

const OTHER: Record<Mode, Mode> = { gathered: "plain", plain: "gathered" };

/** Runs pairs against a server in another process. */
export async function measureEcho(job: EchoJob): Promise<EchoResult> {
  const server = spawn(process.execPath, [SERVER, ...(job.maxBatch === undefined ? [] : [String(job.maxBatch)])], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    const [line] = (await once(createInterface(server.stdout), "line")) as [string];
    const ports = JSON.parse(line) as Record<Mode, number>;
    const rates: Record<Mode, number[]> = { gathered: [], plain: [] };
    const latencies: Record<Mode, Histogram> = { gathered: latencyHistogram(), plain: latencyHistogram() };
    for (const mode of [job.first, OTHER[job.first]]) {
      await run(ports[mode], mode, job, job.warmUpMs, latencyHistogram(), true);
    }
    for (let pair = 0, mode = job.first; pair < job.pairs; pair++, mode = OTHER[mode]) {
      for (const each of [mode, OTHER[mode]]) {
        rates[each].push(await run(ports[each], each, job, job.runMs, latencies[each], false));
      }
    }
    const measurement = (mode: Mode) => ({
      rates: rates[mode],
      latencies: encodeIntoCompressedBase64(latencies[mode]),
    });
    return { gathered: measurement("gathered"), plain: measurement("plain") };
  } finally {
    server.stdin.end();
  }
}

/** A histogram for up to a minute, with three digits. */
function latencyHistogram(): Histogram {
  return build({ lowestDiscernibleValue: 1, highestTrackableValue: 60e9, numberOfSignificantValueDigits: 3 });
}

/** Keeps this many requests in flight over a new connection. Returns messages per second. */
async function run(
  port: number,
  mode: Mode,
  { textBytes, inFlight, maxBatch }: EchoJob,
  milliseconds: number,
  latencies: Histogram,
  checked: boolean,
): Promise<number> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const texts = Array.from({ length: inFlight }, (_, id) => String(id % 10).repeat(textBytes));
  const sentAt = new Float64Array(inFlight);
  // Recorded afterwards: recording takes a fifth of the time of a short message's round trip.
  const taken: number[] = [];
  const start = performance.now();
  let outstanding = 0;
  await new Promise<void>((resolve, reject) => {
    const send = peer(socket, mode, maxBatch, ({ id, text }) => {
      const now = performance.now();
      if (text.length !== textBytes || (checked && text !== texts[id]))
        return reject(new Error(`${mode}: the text differs`));
      taken.push(now - sentAt[id]!);
      outstanding--;
      if (now - start < milliseconds) request(id);
      else if (outstanding === 0) resolve();
    });
    const request = (id: number) => {
      outstanding++;
      sentAt[id] = performance.now();
      send({ id, text: texts[id]! });
    };
    socket.on("close", () => reject(new Error(`${mode}: the connection was lost`)));
    for (let id = 0; id < inFlight; id++) request(id);
  });
  const elapsed = performance.now() - start;
  socket.destroy();
  for (const each of taken) latencies.recordValue(Math.max(1, Math.round(each * 1e6)));
  return (taken.length / elapsed) * 1000;
}
