/** Hostile options: getters that count or throw, unknown names, frozen objects. */
import { expect, test } from "vitest";
import { moonpackSerialization, sessionStore, stored } from "../src/index.ts";
import { hazelcast } from "../src/series/index.ts";
import { PlayerV2 } from "./harness/schema-versions.ts";

const client = { getConfig: () => ({}) } as never;
/** Each function that takes options, with valid ones. */
const CALLS: [string, (options: never) => unknown, object][] = [
  ["moonpackSerialization", moonpackSerialization, { stored: [], write: "json", undecodable: "keep", client: {} }],
  [
    "msgpack",
    (msgpack) => moonpackSerialization({ msgpack }),
    { typeId: 5, packedTypeId: 6, encoder: {}, decoder: {} },
  ],
  ["stored", (options) => stored(7, PlayerV2, options), { key: false, older: [], codec: {}, classes: new Map() }],
  ["sessionStore", (options) => sessionStore({ set: () => null } as never, options), { ttl: "1h", prefix: "a" }],
  ["hazelcast", (options) => hazelcast(client, options), { name: "a", lease: "5s", wait: 100 }],
];

test.each(CALLS)("%s reads each option once", (_, call, valid) => {
  const reads: string[] = [];
  const options = {};
  for (const [name, value] of Object.entries(valid)) {
    const get = (): unknown => {
      reads.push(name);
      return value;
    };
    Object.defineProperty(options, name, { get, enumerable: true });
  }
  call(options as never);
  expect(reads.sort()).toEqual(Object.keys(valid).sort());
});

test.each(CALLS)("%s passes on the exception of a getter", (_, call, valid) => {
  for (const name of Object.keys(valid)) {
    const options = Object.defineProperty({ ...valid }, name, {
      get() {
        throw new RangeError(name);
      },
    });
    expect(() => call(options as never)).toThrow(new RangeError(name));
  }
});

test.each(CALLS)("%s refuses unknown names, also hidden ones, and suggests one", (_, call, valid) => {
  const [first] = Object.keys(valid);
  const wrong = Object.defineProperty({ ...valid }, `${first}s`, { value: 1 });
  expect(() => call(wrong as never)).toThrow(
    expect.objectContaining({
      code: "ERR_INVALID_ARGUMENT",
      message: expect.stringContaining(`did you mean ${first}?`),
    }),
  );
});

test.each(CALLS)("%s leaves frozen options as they are", (_, call, valid) => {
  const before = { ...valid };
  call(Object.freeze(valid) as never);
  expect(valid).toEqual(before);
});
