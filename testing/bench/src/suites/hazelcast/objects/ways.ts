/** The ways to store objects. */
import { isDeepStrictEqual } from "node:util";
import { moonpackSerialization } from "@moonpack/hazelcast";
import { HazelcastJsonValue, JsonStringDeserializationPolicy, type SerializationConfig } from "hazelcast-client";
import type { Kind, RecordList } from "./kind.js";

/** A way to store objects in a map. */
export interface Way {
  readonly id: string;
  readonly title: string;
  /** The serialization of its client. */
  serialization(kind: Kind): SerializationConfig;
  /** The value as a program holds it in memory: made once, never timed. */
  prepare(kind: Kind, list: RecordList): unknown;
  /** The largest objects, in bytes of JSON, that are put into the cluster. */
  readonly maxBytes?: number;
  /** Turns it into the argument of the map's `set`. */
  toValue(prepared: unknown): unknown;
  /** Turns a result of the map's `get` into the program's value. */
  fromValue(value: unknown): unknown;
}

const same = (value: unknown): unknown => value;

/** All ways. The others are compared with the first one. */
export const ways: readonly Way[] = [
  {
    id: "json",
    title: "JSON, the client's default",
    serialization: () => ({}),
    prepare: (_kind, list) => list,
    toValue: same,
    fromValue: same,
  },
  {
    id: "json-value",
    title: "HazelcastJsonValue",
    // By default the client parses such values on reading, as if they had been written as objects.
    serialization: () => ({ jsonStringDeserializationPolicy: JsonStringDeserializationPolicy.NO_DESERIALIZATION }),
    prepare: (_kind, list) => list,
    toValue: (list) => new HazelcastJsonValue(JSON.stringify(list)),
    fromValue: (value) => JSON.parse((value as HazelcastJsonValue).toString()),
  },
  {
    id: "msgpack",
    title: "MessagePack",
    serialization: () => moonpackSerialization(),
    prepare: (_kind, list) => list,
    toValue: same,
    fromValue: same,
  },
  {
    id: "pck",
    title: "PCK",
    serialization: ({ Stored }) => moonpackSerialization({ stored: [Stored] }),
    prepare: ({ Stored }, list) => new Stored(list as never),
    toValue: same,
    fromValue: same,
  },
  {
    id: "compact",
    title: "the client's compact",
    serialization: ({ compact }) => ({ compact }),
    // Larger ones take tenths of a second each: serialization alone shows it.
    maxBytes: 20_000,
    prepare: (kind, list) => kind.toCompact(list),
    toValue: same,
    fromValue: same,
  },
];

/** True if the read value equals the list. Its class may differ, and absent fields may be missing or null. */
export function isSameList(value: unknown, list: RecordList): boolean {
  return isDeepStrictEqual(withoutNull(value), withoutNull(list));
}

function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (typeof value !== "object" || value === null) return value;
  const present = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
  return Object.fromEntries(present.map(([name, field]) => [name, withoutNull(field)]));
}
