/**
 * The operations of the process that is killed, by client and number, so that its parent can compute them. Clients run concurrently, with
 * separate metrics; the operations of a client are sequential.
 *
 * @typedef {{ metric: number, time: number, value: number }} Point
 * @typedef {{ kind: "write" | "scrape" | "column", points: Point[] }
 *   | { kind: "delete", metric: number, from: number, to: number }
 *   | { kind: "forget", metric: number }
 *   | { kind: "flush" | "compact" | "backup" }} Operation
 */

export const CLIENTS = 6;
/** Metrics of a client. */
export const METRICS = 8;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const START = 2800 * 168 * HOUR + 7 * HOUR;
/** Each operation advances the clock by this: hours pass in a second, and rounds are always due. */
const STEP = 20 * SECOND;

/** The clock when the operations up to a number have begun. */
export function clockAt(number) {
  return START + number * STEP;
}

/** A metric of a client. Some are int64. */
export function metricOf(client, metric) {
  return {
    name: "m",
    tags: { client: String(client), metric: String(metric) },
    type: metric >= METRICS - 2 ? /** @type {const} */ ("int64") : /** @type {const} */ ("float"),
  };
}

/** Integers from 0 up to, but not including, `below` (Mulberry32). */
function randomFrom(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/**
 * @param {number} client
 * @param {number} number From 0.
 * @returns {Operation}
 */
export function operationOf(client, number) {
  const random = randomFrom((client + 1) * 7_368_787 + number * 104_729);
  const now = clockAt(number);
  const metric = random(METRICS);
  // Each value identifies its operation, and is written once.
  const numbered = (i) => number * 100 + i;
  const back = () => random([MINUTE, 5 * MINUTE, HOUR, 4 * HOUR][random(4)]);
  const kind = random(100);
  if (kind < 60) {
    const near = Math.floor((now - back()) / SECOND) * SECOND;
    const points = Array.from({ length: 1 + random(20) }, (_, i) => ({
      metric: random(METRICS),
      time: Math.max(0, near - random(30) * SECOND),
      value: numbered(i),
    }));
    return { kind: "write", points };
  }
  if (kind < 72) {
    // Sets have one type.
    const points = Array.from({ length: METRICS - 2 }, (_, i) => ({ metric: i, time: now, value: numbered(i) }));
    return { kind: "scrape", points };
  }
  if (kind < 78) {
    const from = now - back();
    const points = Array.from({ length: 60 }, (_, i) => ({ metric, time: from + i * 997, value: numbered(i) }));
    return { kind: "column", points };
  }
  if (kind < 88) {
    const from = now - back();
    return { kind: "delete", metric, from, to: from + 1 + random(30 * MINUTE) };
  }
  if (kind < 91) return { kind: "forget", metric };
  if (client === 0) return { kind: kind % 2 === 0 ? "flush" : "compact" };
  if (client === 1 && kind >= 96) return { kind: "backup" };
  return { kind: "write", points: [{ metric, time: now, value: numbered(0) }] };
}
