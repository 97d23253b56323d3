// A user's tests of the packages, as CommonJS. Jest, Mocha and Vitest have a global `it`.
const assert = require("node:assert/strict");
const { codec, schema, u8, utf8 } = require("@moonpack/pck");
const { TraceArgumentError, expressMiddleware, id, runWithId } = require("@moonpack/trace");
const { DecodeError, decode, EncodeError, encode } = require("moonpack");
const { decodeStream, encodeStream } = require("moonpack/stream");

const it = globalThis.it ?? require("node:test").it;

it("encodes and decodes", () => {
  const value = { name: "Zoë", list: [1, -2, 3.5, null, true], bytes: new Uint8Array([1, 2]), at: new Date(7) };
  assert.deepEqual(decode(encode(value)), value);
});

it("reads and writes by a schema", () => {
  const players = codec(schema("Player", utf8("name"), u8("level")));
  const bytes = players.encode({ name: "Zoë", level: 9 });
  assert.deepEqual(players.decode(bytes), { name: "Zoë", level: 9 });
  assert.throws(() => players.decode(bytes.subarray(1)), DecodeError);
});

it("recognises coded errors", () => {
  assert.throws(
    () => decode(encode("cut").subarray(1)),
    (error) => error instanceof DecodeError && typeof error.code === "string",
  );
  assert.throws(
    () => encode([() => {}]),
    (error) => error instanceof EncodeError && error.path === "$[0]",
  );
  assert.throws(() => expressMiddleware({ headerName: "no name" }), TraceArgumentError);
});

it("reads a stream", async () => {
  const read = [];
  for await (const value of decodeStream(encodeStream([1, "two", { three: 3 }]))) read.push(value);
  assert.deepEqual(read, [1, "two", { three: 3 }]);
});

it("carries the id of a request", async () => {
  const seen = runWithId(async () => {
    await Promise.resolve();
    return id();
  }, "order-7");
  assert.equal(await seen, "order-7");
});
