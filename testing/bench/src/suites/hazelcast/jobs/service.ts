/** The client's private serialization, without a cluster. */
import type { Client } from "hazelcast-client";

/** A value as bytes. */
export interface ValueData {
  toBuffer(): Buffer;
}

/** The part of the client's service that is measured. */
export interface SerializationService {
  toData(value: unknown): ValueData;
  toObject(data: ValueData): unknown;
}

/** The service of a client. */
export function serializationOf(client: Client): SerializationService {
  return (client as unknown as { getSerializationService(): SerializationService }).getSerializationService();
}
