/** Serialization alone: the client's, from an object in memory to bytes and back. */
import { Random } from "../../../workloads/random.js";
import type { OpenWay } from "./objects.js";
import { serializationOf } from "./service.js";

/** Microseconds of an object, by way, round by round. */
export interface Alone {
  readonly write: Readonly<Record<string, readonly number[]>>;
  readonly read: Readonly<Record<string, readonly number[]>>;
}

/** A way whose single call takes as long as this many turns is measured in only a few rounds. */
const SLOW_TURNS = 5;
const SLOW_ROUNDS = 3;
/** Calls between two looks at the clock take about so long. */
const SLICE_MS = 0.5;

/** Times all ways in turns, each round in another order. The first round is warm-up. */
export function timeAlone(open: readonly OpenWay[], rounds: number, turnMs: number): Alone {
  const tasks = open.map(({ way, client, prepared }) => {
    const service = serializationOf(client);
    const data = prepared.map((one) => service.toData(way.toValue(one)));
    return {
      id: way.id,
      write: (i: number) => service.toData(way.toValue(prepared[i % prepared.length])),
      read: (i: number) => way.fromValue(service.toObject(data[i % data.length]!)),
    };
  });
  const measure = (operation: "write" | "read") => {
    const times = new Map<string, number[]>(tasks.map(({ id }) => [id, []]));
    const random = new Random(1);
    for (let round = 0; round <= rounds; round++) {
      for (const { id, [operation]: call } of random.shuffle(tasks)) {
        const done = times.get(id)!;
        if (done.length >= SLOW_ROUNDS && done[0]! > SLOW_TURNS * turnMs * 1000) continue;
        const micros = microsOf(call, turnMs);
        if (round > 0) done.push(micros);
      }
    }
    return Object.fromEntries(times);
  };
  return { write: measure("write"), read: measure("read") };
}

/** Microseconds of a call, over a turn. */
function microsOf(call: (i: number) => unknown, turnMs: number): number {
  const start = performance.now();
  let calls = 0;
  let slice = 1;
  for (;;) {
    for (let i = 0; i < slice; i++) call(calls++);
    const elapsed = performance.now() - start;
    if (elapsed >= turnMs) return (elapsed / calls) * 1000;
    slice = Math.max(1, Math.round((SLICE_MS * calls) / elapsed));
  }
}
