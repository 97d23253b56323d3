/** The client's own settings of serialization. */
import type { SerializationConfig } from "hazelcast-client";
import { invalidArgument, optionsObject, ownOption } from "moonpack/bytes";

/**
 * A copy of the settings. `ERR_INVALID_ARGUMENT` for a global serializer, which is ours, and for a serializer whose type id is
 * one of `taken`.
 */
export function clientSettings(client: unknown, taken: ReadonlySet<number>): SerializationConfig {
  const settings = { ...optionsObject(client, "client") } as SerializationConfig;
  const isTaken = ownOption(settings, "globalSerializer") !== undefined;
  if (isTaken) throw invalidArgument("client has a globalSerializer: MessagePack takes its place");
  const serializers: unknown = ownOption(settings, "customSerializers") ?? [];
  if (!Array.isArray(serializers)) throw invalidArgument("customSerializers must be a list");
  for (const { id } of serializers) {
    if (taken.has(id)) throw invalidArgument(`type id ${id} belongs to a customSerializer of the client, too`);
  }
  return settings;
}
