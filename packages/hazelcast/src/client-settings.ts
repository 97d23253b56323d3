/** The option `client`: the client's own serialization settings. */
import type { SerializationConfig } from "hazelcast-client";
import { invalidArgument, optionsObject, ownOption } from "moonpack/bytes";

/**
 * Returns a copy of the settings. Throws `ERR_INVALID_ARGUMENT` for a global serializer, since MessagePack is the global
 * serializer here, and for a custom serializer whose type id is in `taken`.
 */
export function clientSettings(client: unknown, taken: ReadonlySet<number>): SerializationConfig {
  const settings = { ...optionsObject(client, "client") } as SerializationConfig;
  const isTaken = ownOption(settings, "globalSerializer") !== undefined;
  if (isTaken) throw invalidArgument("client must not have a globalSerializer: MessagePack is the global serializer");
  const serializers: unknown = ownOption(settings, "customSerializers") ?? [];
  if (!Array.isArray(serializers)) throw invalidArgument("customSerializers must be a list");
  for (const { id } of serializers) {
    if (taken.has(id)) throw invalidArgument(`type id ${id} is used by a customSerializer of the client, too`);
  }
  return settings;
}
