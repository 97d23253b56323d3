// The same in TypeScript, as ts-jest and Vitest compile it.
import { type Codec, codec, type Infer, type InferInput, schema, u8, utf8 } from "@moonpack/pck";
import { id, runWithId } from "@moonpack/trace";
import { DecodeError, decode, type ErrorCode, encode } from "moonpack";
import { decodeStream, encodeStream } from "moonpack/stream";

declare const it: (name: string, test: () => void | Promise<void>) => void;

const Player = schema("Player", utf8("name"), u8("level"));

it("reads and writes by a schema", () => {
  const players: Codec<Infer<typeof Player>, InferInput<typeof Player>> = codec(Player);
  const { name, level } = players.decode(players.encode({ name: "Zoë", level: 9 }));
  equal(`${name} ${level}`, "Zoë 9");
});

it("recognises coded errors", () => {
  let code: ErrorCode | undefined;
  try {
    decode(encode("cut").subarray(1));
  } catch (error) {
    if (error instanceof DecodeError) code = error.code;
  }
  equal(typeof code, "string");
});

it("reads a stream", async () => {
  const read: unknown[] = [];
  for await (const value of decodeStream(encodeStream([1, "two"]))) read.push(value);
  equal(read.join(), "1,two");
});

it("carries the id of a request", () => {
  equal(
    runWithId(() => id(), "order-7"),
    "order-7",
  );
});

function equal(value: unknown, expected: unknown): void {
  if (value !== expected) throw new Error(`${String(value)} instead of ${String(expected)}`);
}
