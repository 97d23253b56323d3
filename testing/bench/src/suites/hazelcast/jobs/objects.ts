/** Objects in maps, in each way: compares all objects, then measures maps, then serialization alone. */
import { compare, type Target } from "@moonpack/load";
import type { Client, IMap } from "hazelcast-client";
import { connect, type Place } from "../cluster.js";
import { findKind } from "../objects/index.js";
import { type ObjectSize, objectsOf, type RecordList, sizes } from "../objects/kind.js";
import { isSameList, type Way, ways } from "../objects/ways.js";
import { type Alone, timeAlone } from "./alone.js";
import { type Turns, turnsOf } from "./rounds.js";
import { serializationOf } from "./service.js";

/** The objects to measure, and for how long. */
export interface ObjectsJob {
  readonly kind: "objects";
  readonly place: Place;
  readonly records: string;
  readonly size: string;
  readonly rounds: number;
  readonly roundMs: number;
  readonly warmupMs: number;
  readonly aloneRounds: number;
  readonly aloneMs: number;
}

/** Results by way. */
export interface ObjectsResult {
  /** Mean bytes of an object as JSON text. */
  readonly jsonBytes: number;
  /** Mean bytes that a member keeps for a value. */
  readonly bytes: Readonly<Record<string, number>>;
  readonly set: Turns;
  readonly get: Turns;
  readonly alone: Alone;
}

/** A way with its client and its map. */
export interface OpenWay {
  readonly way: Way;
  readonly client: Client;
  readonly map: IMap<number, unknown>;
  /** A list's value as a program holds it in memory. */
  readonly prepared: readonly unknown[];
}

/** Measures one kind of records in one size. */
export async function objects(job: ObjectsJob): Promise<ObjectsResult> {
  const kind = findKind(job.records);
  const size = sizes.find(({ id }) => id === job.size)!;
  const lists = objectsOf(kind.records(), size);
  const open: OpenWay[] = [];
  try {
    for (const way of ways) {
      const client = await connect(job.place, { serialization: way.serialization(kind) });
      const map = await client.getMap<number, unknown>(`objects-${kind.id}-${size.id}-${way.id}`);
      open.push({ way, client, map, prepared: lists.map((list) => way.prepare(kind, list)) });
    }
    const loaded = open.filter(({ way }) => size.bytes <= (way.maxBytes ?? Infinity));
    for (const each of open) await checkAll(each, lists);
    const options = { payload: lists.map((_, i) => i), keys: size.keys, rounds: job.rounds };
    const times = { duration: job.roundMs, warmup: job.warmupMs };
    const targets = loaded.map((each) => targetOf(each, lists, size));
    return {
      jsonBytes: meanOf(lists, (list) => Buffer.byteLength(JSON.stringify(list))),
      bytes: Object.fromEntries(open.map((each) => [each.way.id, bytesOf(each)])),
      set: turnsOf(await compare(targets, { ...options, ...times, scenario: "set" })),
      get: turnsOf(await compare(targets, { ...options, ...times, scenario: "get" })),
      alone: timeAlone(open, job.aloneRounds, job.aloneMs),
    };
  } finally {
    for (const { map } of open) await map.destroy();
    await Promise.all(open.map(({ client }) => client.shutdown()));
  }
}

/** Every list must come back as it was. */
export async function checkAll({ way, map, prepared }: OpenWay, lists: readonly RecordList[]): Promise<void> {
  for (const [key, list] of lists.entries()) {
    await map.set(key, way.toValue(prepared[key]));
    if (!isSameList(way.fromValue(await map.get(key)), list)) throw new Error(`${way.id} returns another object`);
  }
}

/** Payloads are the numbers of lists. */
function targetOf({ way, map, prepared }: OpenWay, lists: readonly RecordList[], { keys }: ObjectSize): Target {
  let payloadOf: (key: number) => number;
  return {
    name: way.id,
    async setup({ value }) {
      payloadOf = value as (key: number) => number;
      for (let key = 0; key < keys; key++) await map.set(key, way.toValue(prepared[payloadOf(key)]));
    },
    get: async (key) => way.fromValue(await map.get(key)),
    set: (key, value) => map.set(key, way.toValue(prepared[value as number])),
    check: (key, value) => isSameList(value, lists[payloadOf(key)]!),
  };
}

function bytesOf({ way, client, prepared }: OpenWay): number {
  const service = serializationOf(client);
  return meanOf(prepared, (one) => service.toData(way.toValue(one)).toBuffer().length);
}

function meanOf<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((sum, value) => sum + of(value), 0) / values.length;
}
