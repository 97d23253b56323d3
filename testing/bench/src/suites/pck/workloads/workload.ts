import type { AnySchema } from "@moonpack/pck";
import type { Schema as AvroSchema, schema } from "avsc";
import type { Des, Ser } from "seqproto";

/**
 * One kind of message, with the schemas of all libraries. A library without a schema here cannot write such values
 * exactly.
 */
export interface Workload {
  readonly id: string;
  readonly title: string;
  readonly schema: AnySchema;
  /** proto3; the message is called Message. */
  readonly proto: string;
  readonly avro: AvroSchema;
  /** The struct is called Message. */
  readonly kiwi?: string;
  readonly seqproto?: ByHand;
  /** Left out of quick runs, unless it is chosen. */
  readonly isExtra?: boolean;
  /**
   * The messages, taken in turn, with all fields set: hundreds if they are small. `stories` come from data/hn-top-stories.json, which
   * each runtime reads in its own way.
   */
  values(stories: readonly Story[]): object[];
}

/** A record of Avro: names and types of its fields. */
export function avroRecord(name: string, fields: Readonly<Record<string, AvroSchema>>): schema.RecordType {
  return { type: "record", name, fields: Object.entries(fields).map(([field, type]) => ({ name: field, type })) };
}

/** seqproto has no schemas: its users write such functions. */
export interface ByHand {
  write(ser: Ser, message: object): void;
  read(des: Des): object;
}

/** Functions for messages of one type. */
export function byHand<Message extends object>(
  write: (ser: Ser, message: Message) => void,
  read: (des: Des) => Message,
): ByHand {
  return { write: write as ByHand["write"], read };
}

/** The fields of a story that are used. */
export interface Story {
  readonly by: string;
  readonly descendants?: number;
  readonly id: number;
  readonly kids?: readonly number[];
  readonly score: number;
  readonly time: number;
  readonly title: string;
  readonly url?: string;
}
