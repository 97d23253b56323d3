/**
 * A process that writes to a store until it is killed, by its parent or by itself at a given moment. What is
 * acknowledged goes to standard output in one write each: the parent reads it also when the process is gone.
 *
 * Standard input has one line: the path, the options, the module that opens the store, and the next operation of each client.
 */
import { readFileSync, rmSync, writeSync } from "node:fs";
import { CLIENTS, clockAt, METRICS, metricOf, operationOf } from "./operations.mjs";

const sleeper = new Int32Array(new SharedArrayBuffer(4));

tell("ready");
const { path, backups, opener, driver, durability, next, aim } = JSON.parse(readFileSync(0, "utf8"));

/** The last operation that was begun. */
let last = Math.max(...next);
let aims = aim.after;

function tell(line) {
  const bytes = Buffer.from(`${line}\n`);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      // The parent is slow to read, as on a busy machine.
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(sleeper, 0, 0, 1);
    }
  }
}

/** Ends this process, after some microseconds in which the threads of the database continue. */
function die(kind) {
  tell(`aimed ${kind}`);
  const end = performance.now() + aim.microseconds / 1000;
  while (performance.now() < end);
  process.kill(process.pid, "SIGKILL");
}

/** Runs a call of the store, and ends this process before, during or after it if it is the moment that was aimed at. */
async function watch(kind, isMain, act) {
  const isAimed = kind === aim.kind && isMain && aims-- === 0;
  if (isAimed && aim.when === "before") die(kind);
  const done = act();
  if (isAimed && aim.when === "during") die(kind);
  const result = await done;
  if (isAimed) die(kind);
  return result;
}

const options = {
  path,
  durability,
  grace: 0,
  rollupAfter: "10m",
  now: () => clockAt(last),
  onWarning: ({ message }) => tell(`warning ${message}`),
};
const { open } = await import(opener);
const series = await open(options, driver, watch);
tell("open");

function value(metric, number) {
  return metric >= METRICS - 2 ? BigInt(number) : number;
}

async function run(client, operation) {
  switch (operation.kind) {
    case "write":
      return await series.write(
        operation.points.map(({ metric, time, value: number }) => ({
          metric: metricOf(client, metric),
          timestamp: time,
          value: value(metric, number),
        })),
      );
    case "scrape": {
      const set = await series.metricSet(operation.points.map(({ metric }) => metricOf(client, metric)));
      const values = Float64Array.from(operation.points, (point) => point.value);
      return await series.writeScrape(operation.points[0].time, set, values);
    }
    case "column": {
      const { metric } = operation.points[0];
      const times = Float64Array.from(operation.points, ({ time }) => time);
      const numbers = operation.points.map((point) => value(metric, point.value));
      const values = typeof numbers[0] === "bigint" ? BigInt64Array.from(numbers) : Float64Array.from(numbers);
      return await series.writeColumn(metricOf(client, metric), times, values);
    }
    case "delete":
      return await series.delete({
        metric: metricOf(client, operation.metric),
        from: operation.from,
        to: operation.to,
      });
    case "forget":
      return await series.delete({ metric: metricOf(client, operation.metric) });
    case "backup": {
      const to = `${backups}/${last}`;
      await series.backup(to);
      return rmSync(to, { recursive: true });
    }
    default:
      return await series[operation.kind]();
  }
}

/** Kinds of operations that a parent can choose, besides batches. */
function isAimedAt(kind) {
  return kind === aim.kind || (kind === "forget" && aim.kind === "delete");
}

async function work(client) {
  for (let number = next[client]; ; number++) {
    last = Math.max(last, number);
    const operation = operationOf(client, number);
    const done = run(client, operation);
    if (isAimedAt(operation.kind) && aims-- === 0) setTimeout(() => die(aim.kind), aim.milliseconds);
    const result = await done;
    if (result?.refused > 0) tell(`warning ${result.refused} points of ${client} ${number} are refused`);
    tell(`done ${client} ${number}`);
  }
}

await Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)));
