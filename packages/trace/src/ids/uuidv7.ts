/** UUIDs in the order of creation, version 7 of RFC 9562: milliseconds, a counter of 12 bits, 62 random bits. */
import { shared } from "../shared.js";
import { takenEnd, takeRandom } from "./pool.js";
import { uuidText } from "./uuid-text.js";

/** The highest value of the counter. */
const MAX_COUNTER = 0xfff;
/** The counter starts at random, below half: at least 2,048 ids of one millisecond have its time. */
const SEED = 0x7ff;

const last = /* @__PURE__ */ shared("uuidv7", () => ({
  /** The time of the last id, in ms. It never goes back. */
  time: 0,
  /** Its upper 16 and lower 32 bits: divided once a millisecond. */
  high: 0,
  low: 0,
  counter: 0,
}));

/**
 * Returns a UUID that begins with the time, such as `"018f4d3e-2b1a-7c3d-9e4f-5a6b7c8d9e0f"`. In a process each UUID sorts after the
 * previous one, also within a millisecond, and when the clock goes back.
 *
 * @example
 * expressMiddleware({ requestIdFactory: uuidv7 });
 */
export function uuidv7(): string {
  const bytes = takeRandom(16);
  const start = takenEnd() - 16;
  const random = (bytes[start + 6]! << 8) | bytes[start + 7]!;
  const now = Date.now();
  if (now > last.time) {
    begin(now, random);
  } else if (++last.counter > MAX_COUNTER) {
    begin(last.time + 1, random);
  }
  const { high, low, counter } = last;
  // Changes the pool: these bytes are not used again.
  bytes[start] = high >>> 8;
  bytes[start + 1] = high;
  bytes[start + 2] = low >>> 24;
  bytes[start + 3] = low >>> 16;
  bytes[start + 4] = low >>> 8;
  bytes[start + 5] = low;
  bytes[start + 6] = 0x70 | (counter >>> 8);
  bytes[start + 7] = counter;
  bytes[start + 8] = (bytes[start + 8]! & 0x3f) | 0x80;
  return uuidText(bytes, start);
}

function begin(now: number, random: number): void {
  last.time = now;
  last.high = Math.floor(now / 0x1_0000_0000);
  last.low = now | 0;
  last.counter = random & SEED;
}
