/** Objects of real records, in several sizes, with the inputs of each way to store them. */
import type { SerializationConfig } from "hazelcast-client";

/** A list of records: one object that a map holds. */
export interface RecordList {
  readonly items: readonly object[];
}

/** A kind of records. */
export interface Kind {
  readonly id: string;
  readonly title: string;
  /** All records, in their order. */
  records(): readonly object[];
  /** Lists as instances of a stored class, which are PCK. */
  readonly Stored: { new (fields: never): object; readonly "~stored": number };
  /** Serializers of the client's compact format, for lists and for records. */
  readonly compact: NonNullable<SerializationConfig["compact"]>;
  /** A list as the instance that these serializers write. */
  toCompact(list: RecordList): object;
}

/** A size of objects: bytes of JSON. */
export interface ObjectSize {
  readonly id: string;
  readonly title: string;
  readonly bytes: number;
  /** Different objects of that size. */
  readonly objects: number;
  /** Entries of a map. A member holds a map for each way. */
  readonly keys: number;
}

/** All sizes. */
export const sizes: readonly ObjectSize[] = [
  { id: "300", title: "0.3 KB", bytes: 300, objects: 64, keys: 256 },
  { id: "1k", title: "1 KB", bytes: 1000, objects: 64, keys: 256 },
  { id: "100k", title: "100 KB", bytes: 100_000, objects: 8, keys: 64 },
];

/** Bytes of a list's JSON beside its records. */
const LIST_BYTES = JSON.stringify({ items: [] }).length;

/**
 * Lists of about the size: records in turn, as many as come nearest to it, at least one. Each list begins where the one before ends.
 */
export function objectsOf(records: readonly object[], { bytes, objects }: ObjectSize): RecordList[] {
  const sizesOf = records.map((record) => Buffer.byteLength(JSON.stringify(record)) + 1);
  let next = 0;
  return Array.from({ length: objects }, () => {
    const items: object[] = [];
    let size = LIST_BYTES;
    do {
      items.push(records[next % records.length]!);
      size += sizesOf[next++ % records.length]!;
    } while (size + sizesOf[next % records.length]! / 2 < bytes);
    return { items };
  });
}
