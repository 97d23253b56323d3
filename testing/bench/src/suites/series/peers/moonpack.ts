/** Our store, by the way that corresponds to a scrape of the others. */
import { openSeries } from "@moonpack/series";
import { rocksdb } from "@moonpack/series-kv";
import { MINUTE, NodeSets, SimulatedClock } from "../load.js";
import type { OpenPeer, Peer, PeerOptions, PeerPoints } from "./peer.js";

async function open({ folder, durability, metrics }: PeerOptions): Promise<OpenPeer> {
  const clock = new SimulatedClock();
  const series = await openSeries({ path: folder, driver: rocksdb(), durability, now: clock.now });
  const nodes = await NodeSets.register(series, metrics);
  const handles = nodes.sets.flatMap((set) => set.metrics);
  return {
    async writeScrape(time, values) {
      clock.time = time;
      await nodes.write(time, values);
    },
    async finish() {
      clock.time += MINUTE;
      await series.flush();
    },
    compact: () => series.compact(),
    async read(metric, from, to): Promise<PeerPoints> {
      const times: Float64Array[] = [];
      const values: Float64Array[] = [];
      for await (const batch of series.query({ metric: handles[metric]!, from, to }).batches()) {
        // Batches are valid until the next one.
        times.push(batch.timestamps.slice(0, batch.length));
        values.push((batch.values as Float64Array).slice(0, batch.length));
      }
      return { times: joined(times), values: joined(values) };
    },
    close: () => series.close(),
  };
}

function joined(parts: readonly Float64Array[]): Float64Array {
  if (parts.length === 1) return parts[0]!;
  const whole = new Float64Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const moonpack: Peer = {
  id: "moonpack",
  title: "@moonpack/series, rocksdb()",
  package: "@moonpack/series",
  readsInFlight: 64,
  open,
};
