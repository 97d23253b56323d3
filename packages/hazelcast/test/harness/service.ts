/** The client's serialization service without a cluster: converts values to bytes and bytes to values. */
import { createRequire } from "node:module";
import type { SerializationConfig } from "hazelcast-client";

const require = createRequire(import.meta.url);

interface HeapData {
  toBuffer(): Buffer;
  getPartitionHash(): number;
}

/** The part of the client's service that the tests use. */
export interface Service {
  toData(value: unknown): HeapData;
  toObject(data: HeapData): unknown;
}

/** The serialization service of a client with this configuration, as the client builds it. */
export function serviceOf(serialization: SerializationConfig): Service {
  const { ConfigBuilder } = require("hazelcast-client/lib/config/ConfigBuilder.js");
  const { SerializationServiceV1 } = require("hazelcast-client/lib/serialization/SerializationService.js");
  return new SerializationServiceV1(new ConfigBuilder({ serialization }).build().serialization, undefined);
}

/** The bytes that the client sends for a value, as hexadecimal digits. */
export function bytesOf(service: Service, value: unknown): string {
  return service.toData(value).toBuffer().toString("hex");
}

/** Returns the value that the client reads from bytes, which are hexadecimal digits; spaces are ignored. */
export function valueIn(service: Service, hex: string): unknown {
  const { HeapData } = require("hazelcast-client/lib/serialization/HeapData.js");
  return service.toObject(new HeapData(Buffer.from(hex.replaceAll(" ", ""), "hex")));
}

/** A value, sent and read again. */
export function roundTrip(service: Service, value: unknown): unknown {
  return valueIn(service, bytesOf(service, value));
}
