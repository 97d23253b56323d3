// Checks for JSON of strangers: bodies of HTTP, and the JSON form of schemas.
import { codec } from "@moonpack/pck";
import { readJson } from "../../../packages/http/build/json/read.js";
import { writeJson } from "../../../packages/http/build/json/write.js";
import { kindOf, outcome, same } from "./outcome.mjs";
import { documents, SEEDS } from "./pck-seeds.mjs";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** A body that is read equals the result of JSON.parse, and can be written again. */
function checkBody() {
  return (bytes) =>
    outcome(
      () => readJson(bytes),
      bytes.length,
      (value) => {
        same(value, JSON.parse(utf8.decode(bytes)), "JSON.parse");
        same(readJson(new TextEncoder().encode(writeJson(value))), value, "sent again");
        return kindOf(value);
      },
    );
}

/** The first byte chooses a schema, the others are JSON. What the JSON form takes, the schema encodes and reads back. */
function checkForm() {
  const schemas = documents().map((document) => codec(document));
  return (bytes) => {
    const by = schemas[(bytes[0] ?? 0) % schemas.length];
    let json;
    try {
      json = JSON.parse(utf8.decode(bytes.subarray(1)));
    } catch {
      return "not JSON";
    }
    try {
      const value = by.fromJSON(json);
      const again = by.fromJSON(JSON.parse(JSON.stringify(by.toJSON(value))));
      same(by.decode(by.encode(value)), by.decode(by.encode(again)), "the JSON form");
      return `${bytes[0]} ${kindOf(value)}`;
    } catch (error) {
      if (error.path === undefined || error.code === undefined) throw error;
      return `${bytes[0]} ${error.code}`;
    }
  };
}

/** Creates the inputs from which a target starts. */
export const JSON_SEEDS = {
  "http-json": () =>
    [
      '{"a":[1,-0,2.5e3,true,null,"\\u00e9\\n\\ud83d\\ude00"],"":{"__proto__":{"1023":0}}}',
      '"text"',
      " [1 , 12345678901234567890, 1e-400] ",
      '{"a":1,"a":2}',
      "\ufeff[]",
    ].map((text) => new TextEncoder().encode(text)),
  "pck-json": () => {
    const schemas = documents().map((document) => codec(document));
    return SEEDS.pck().map(([place, ...bytes]) => {
      let json = null;
      try {
        json = schemas[place].toJSON(schemas[place].decode(Uint8Array.from(bytes)));
      } catch {
        // Vectors of invalid bytes have no value.
      }
      return Uint8Array.of(place, ...new TextEncoder().encode(JSON.stringify(json)));
    });
  },
};

export const checks = { "http-json": checkBody, "pck-json": checkForm };
