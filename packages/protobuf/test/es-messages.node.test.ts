/** protobuf-es has its own writer. Its bytes are compared with the bytes of our BinaryWriter for the same messages. */
import { readFileSync } from "node:fs";
import { createFileRegistry, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { none } from "@moonpack/harness/each.ts";
import { share } from "@moonpack/harness/effort.ts";
import { bytesDiffer } from "@moonpack/harness/hex.ts";
import { Reader, Writer } from "@moonpack/protobuf";
import { BinaryWriter } from "@moonpack/protobuf/wire";
import { descriptorOf } from "@moonpack/protobufjs-8";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyMessage, writeMessage } from "./es-messages.ts";
import { acceptOurs, protobuf8, reflected, schemaFile } from "./protobufjs.ts";

const descriptor = descriptorOf(readFileSync(schemaFile("everything"), "utf8"), "everything.proto");
const registry = createFileRegistry(fromBinary(FileDescriptorProtoSchema, descriptor), () => undefined);
const desc = registry.getMessage("moon.Everything")!;

test("random messages: toBinary writes the bytes that BinaryWriter writes", () => {
  const writer = new BinaryWriter();
  let bytes = 0;
  fc.assert(
    fc.property(anyMessage(desc, 2), (message) => {
      const theirs = toBinary(desc, message);
      none(bytesDiffer(writeMessage(writer, desc, message).finish(), theirs));
      none(bytesDiffer(writeMessage(new BinaryWriter(), desc, message).finish(), theirs));
      expect(fromBinary(desc, theirs)).toEqual(message);
      bytes += theirs.length;
    }),
    { seed: 12, numRuns: 150 },
  );
  expect(bytes).toBeGreaterThan(share(50_000));
});

test("protobuf.js's code with our Reader and Writer reads its messages and writes them again", () => {
  const type = reflected(protobuf8, "everything", "moon.Everything");
  const restore = acceptOurs();
  try {
    fc.assert(
      fc.property(anyMessage(desc, 1), (message) => {
        const read = type.decode(new Reader(toBinary(desc, message), { int64: "bigint" }) as never);
        const written = type.encode(read, new Writer() as never).finish();
        expect(fromBinary(desc, written)).toEqual(message);
      }),
      { seed: 13, numRuns: 100 },
    );
  } finally {
    restore();
  }
});
