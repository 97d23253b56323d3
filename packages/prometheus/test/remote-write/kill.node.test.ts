/**
 * A process that receives remote writes is killed by SIGKILL at random moments, also while it seals. Every sample of a request that was
 * answered with 204 is in the store then, and nothing that was not sent.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { share } from "@moonpack/harness/effort.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { openSeries, type Series } from "@moonpack/series";
import { afterAll, expect, test } from "vitest";
import { isMarkerMetric } from "../../src/store/stored-labels.ts";
import { labels, pack, request, STALE, sample, series } from "./encode.ts";

const PROGRAM = fileURLToPath(new URL("../programs/write-server.mjs", import.meta.url));
/** The system keeps what a killed process has written: memory does as well as a disk. */
const root = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "moonpack-kill-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const CLIENTS = 3;
const SERIES = 12;
const START = Date.now() - 3_600_000;

/** Request `number` of a client: a sample of each of its series; every fifth is a marker. */
function bodyOf(client: number, number: number): Uint8Array<ArrayBuffer> {
  const all = Array.from({ length: SERIES }, (_, i) => {
    const value = isMarker(number, i) ? STALE : sentValue(client, number, i);
    return series(labels({ __name__: `sent_${client}`, series: `${i}` }), sample(START + number, value));
  });
  return pack(request(...all));
}

const isMarker = (number: number, i: number): boolean => (number + i) % 5 === 0;
const sentValue = (client: number, number: number, i: number): number => client * 1e6 + number * 100 + i;

/** Starts the process, sends until it is killed, and sets `done` to the last request of each client that was answered. */
async function sendUntilKilled(path: string, durability: string, milliseconds: number, done: number[]): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, path, durability], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  let said = "";
  const isListening = new Promise<void>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (/port \d+\n/.test(said)) resolve();
    });
  });
  await Promise.race([isListening, ended]);
  const url = `http://127.0.0.1:${/port (\d+)/.exec(said)?.[1]}/`;
  // Counted from the first answer, so that there are some on a busy machine, too.
  let timer: NodeJS.Timeout | undefined;
  const send = async (client: number): Promise<void> => {
    for (;;) {
      const number = done[client]! + 1;
      const answer = await fetch(url, { method: "POST", body: bodyOf(client, number) }).catch(() => undefined);
      if (answer === undefined) return;
      expect(answer.status).toBe(204);
      done[client] = number;
      timer ??= setTimeout(() => child.kill("SIGKILL"), milliseconds);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => send(client)));
  await ended;
  clearTimeout(timer);
  expect(child.signalCode).toBe("SIGKILL");
  expect(said).not.toMatch(/warning/);
}

/** Checks the content of a store. A request that was not answered may be there, even in part. */
async function check(store: Series, done: readonly number[]): Promise<number> {
  const found = new Map<string, Map<number, number>>();
  for await (const { metric, points } of store.select({ name: { prefix: "sent_" } })) {
    const times = new Map<number, number>();
    for (const { timestamp, value } of await points.toArray()) times.set(timestamp - START, Number(value));
    found.set(`${metric.name} ${metric.tags.series} ${isMarkerMetric(metric)}`, times);
  }
  let count = 0;
  for (let client = 0; client < CLIENTS; client++)
    for (let i = 0; i < SERIES; i++)
      for (let number = 0; number <= done[client]! + 1; number++) {
        const isStale = isMarker(number, i);
        const value = found.get(`sent_${client} ${i} ${isStale}`)?.get(number);
        expect(found.get(`sent_${client} ${i} ${!isStale}`)?.get(number)).toBe(undefined);
        if (value === undefined) expect(number).toBe(done[client]! + 1);
        else {
          expect(value).toBe(isStale ? 1 : sentValue(client, number, i));
          count++;
        }
      }
  const all = [...found.values()].reduce((sum, times) => sum + times.size, 0);
  expect(all).toBe(count);
  return count;
}

async function killOften(durability: "sync" | "batch", seed: number): Promise<void> {
  const path = join(root, durability);
  const below = randomSource(seed);
  const done = Array<number>(CLIENTS).fill(-1);
  for (let i = share(6); i > 0; i--) {
    await sendUntilKilled(path, durability, below(300), done);
    const store = await openSeries({ path, durability });
    try {
      expect(await check(store, done)).toBeGreaterThan(0);
      expect(await store.check()).toEqual([]);
    } finally {
      await store.close();
    }
  }
  expect(Math.max(...done)).toBeGreaterThan(0);
}

test.concurrent("durability sync", () => killOften("sync", 351), 60_000);
test.concurrent("durability batch", () => killOften("batch", 352), 60_000);
