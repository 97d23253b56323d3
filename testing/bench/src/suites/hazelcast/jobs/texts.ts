/** Texts in a map: get and set with the client's pipelining, without it, and with our writer under the client. */
import { compare } from "@moonpack/load";
import { hazelcastMap } from "@moonpack/load/targets";
import type { Client, ClientConfig } from "hazelcast-client";
import { writeInBatches } from "../batched-writer.js";
import { connect, type Place } from "../cluster.js";
import { type Turns, turnsOf } from "./rounds.js";

/** The texts to measure, and for how long. */
export interface TextsJob {
  readonly kind: "texts";
  readonly place: Place;
  readonly bytes: number;
  readonly scenario: "get" | "set";
  readonly keys: number;
  readonly rounds: number;
  readonly roundMs: number;
  readonly warmupMs: number;
}

/** The ways that messages get to the socket. */
export const writers: readonly { readonly id: string; readonly config: ClientConfig; readonly byTurns: boolean }[] = [
  { id: "off", config: { properties: { "hazelcast.client.autopipelining.enabled": false } }, byTurns: false },
  { id: "on", config: {}, byTurns: false },
  { id: "turns", config: {}, byTurns: true },
];

/** The same load by clients that differ in how they write. */
export async function texts({ place, bytes, scenario, keys, rounds, roundMs, warmupMs }: TextsJob): Promise<Turns> {
  const clients: Client[] = [];
  try {
    const targets = [];
    for (const { id, config, byTurns } of writers) {
      const client = await connect(place, config);
      clients.push(client);
      if (byTurns) writeInBatches(client);
      targets.push(hazelcastMap({ client, map: `texts-${id}`, name: id }));
    }
    return turnsOf(
      await compare(targets, { scenario, payload: bytes, keys, rounds, duration: roundMs, warmup: warmupMs }),
    );
  } finally {
    await Promise.all(clients.map((client) => client.shutdown()));
  }
}
