/** Creates the serialization of a client from classes and options. */
import type { DataInput, DataOutput, SerializationConfig, Serializer } from "hazelcast-client";
import { invalidArgument, optionsObject, ownOption, refuseUnknown } from "moonpack/bytes";
import { Decoder, type DecoderOptions, type EncoderOptions } from "moonpack/msgpack";
import type { MoonpackSerialization, SerializationOptions } from "./api.js";
import { attach } from "./attach/attach.js";
import { clientSettings } from "./client-settings.js";
import { Packed } from "./packed.js";
import { type PayloadDecoder, type Undecodable, ValueReader } from "./reader.js";
import { definitionOfClass, type StoredClass } from "./stored/stored.js";
import { StoredCodec } from "./stored/stored-codec.js";
import { MSGPACK_TYPE_ID, PACKED_TYPE_ID, typeIdOption } from "./type-ids.js";
import { ValueWriter } from "./writer.js";

const OPTIONS = ["stored", "msgpack", "write", "undecodable", "client"];
const MSGPACK_OPTIONS = ["typeId", "packedTypeId", "encoder", "decoder"];

/**
 * Returns the `serialization` for the configuration of one or more clients. It stores instances of stored classes as PCK and other
 * objects as MessagePack. Types that the client serializes itself do not change.
 *
 * @throws MoonpackError `ERR_INVALID_ARGUMENT` for an invalid or unknown option, or a type id that is used twice
 * @example
 * const client = await Client.newHazelcastClient({ serialization: moonpackSerialization({ stored: [Player] }) });
 */
export function moonpackSerialization(options?: SerializationOptions): MoonpackSerialization {
  const given = optionsObject(options);
  refuseUnknown(given, OPTIONS);
  const msgpack = optionsObject(ownOption(given, "msgpack"), "msgpack");
  refuseUnknown(msgpack, MSGPACK_OPTIONS, "option of msgpack");
  const typeId = typeIdOption("typeId", ownOption(msgpack, "typeId"), MSGPACK_TYPE_ID);
  const packedTypeId = typeIdOption("packedTypeId", ownOption(msgpack, "packedTypeId"), PACKED_TYPE_ID);
  if (typeId === packedTypeId) throw invalidArgument("typeId and packedTypeId must differ");
  const codecs = codecsOf(ownOption(given, "stored"), new Set([typeId, packedTypeId]));

  const decoder = new Decoder(ownOption(msgpack, "decoder") as DecoderOptions | undefined);
  const decoders = new Map<number, PayloadDecoder>(codecs);
  decoders.set(typeId, { decode: (payload) => decoder.decode(payload), isFramed: false });
  decoders.set(packedTypeId, { decode: (payload) => new Packed(decoder.decode(payload)), isFramed: false });
  const reader = new ValueReader(decoders, undecodableOption(ownOption(given, "undecodable")));
  const writer = new ValueWriter({
    typeId,
    packedTypeId,
    encoder: optionsObject(ownOption(msgpack, "encoder"), "encoder") as EncoderOptions,
    asJson: writeOption(ownOption(given, "write")) === "json",
    codecs,
  });

  const ids = [...decoders.keys()];
  const client = clientSettings(ownOption(given, "client"), new Set(ids));
  const config: SerializationConfig = {
    ...client,
    // Foreign data may have a property hzCustomId, so the client may pass any value to any of these serializers.
    customSerializers: [
      ...(client.customSerializers ?? []),
      ...ids.filter((id) => id !== typeId).map((id) => serializer(id, reader, writer)),
    ],
    globalSerializer: serializer(typeId, reader, writer),
  };
  // Not enumerable: the client rejects enumerable properties that it does not know.
  const methods: Pick<MoonpackSerialization, "decode" | "attach"> = {
    decode: (value) => reader.decode(value),
    attach: (cluster, settings) => attach(cluster, codecs, settings),
  };
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(config, name, { value });
  return config as MoonpackSerialization;
}

function serializer(id: number, reader: ValueReader, writer: ValueWriter): Serializer {
  return {
    id,
    read: (input: DataInput) => reader.read(input, id),
    write: (output: DataOutput, value: unknown) => writer.write(output, value, id),
  };
}

function codecsOf(stored: unknown, taken: Set<number>): Map<number, StoredCodec> {
  const codecs = new Map<number, StoredCodec>();
  if (stored === undefined) return codecs;
  if (!Array.isArray(stored)) throw invalidArgument("stored must be a list of classes");
  for (const Class of stored as StoredClass[]) {
    const definition = definitionOfClass(Class);
    if (definition === undefined) throw invalidArgument("stored must list classes that extend stored(..)");
    const { typeId } = definition;
    if (taken.has(typeId)) throw invalidArgument(`type id ${typeId} is used twice`);
    taken.add(typeId);
    codecs.set(typeId, new StoredCodec(definition, Class));
  }
  return codecs;
}

function writeOption(write: unknown): unknown {
  if (write === undefined || write === "msgpack" || write === "json") return write;
  throw invalidArgument('write must be "msgpack" or "json"');
}

function undecodableOption(choice: unknown): Undecodable {
  if (choice === undefined || choice === "throw") return throwError;
  if (choice === "keep") return (value) => value;
  if (typeof choice === "function") return choice as Undecodable;
  throw invalidArgument('undecodable must be "throw", "keep" or a function');
}

const throwError: Undecodable = ({ error }) => {
  throw error;
};
