// The cases that emitted Go is tested with: the vectors of PCK, random schemas, and pairs of an older and a newer
// schema. Used by go-golden.mjs.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../tools/src/setup.mjs";

const vectors = join(root, "vectors/pck");

/** Every case, by its schema and the older schema of its bytes. */
export async function allCases(folder, random) {
  return [...(await schemaCases(folder, random)), ...(await olderCases(folder, Math.ceil(random / 5)))];
}

/** Cases with bytes of the same schema. */
async function schemaCases(folder, random) {
  const schemas = new Map();
  const add = (one) => addTo(schemas, one.doc, undefined, { ...one, doc: undefined });
  const files = ["value.jsonl", "rejected.jsonl", ...readdirSync(join(vectors, "own")).map((name) => `own/${name}`)];
  for (const file of files) for (const one of linesOf(file)) if (one.kind !== "schema") add(one);
  const { RANDOM, randomCases } = await harness(folder, "random-cases");
  for (const { doc, cases, refused } of randomCases({ ...RANDOM, schemas: random }))
    for (const one of [...cases, ...refused]) add({ ...one, doc });
  return [...schemas.values()];
}

/**
 * Cases whose bytes are of an older schema: the vectors of `resolve`, and `random` random pairs, each in both
 * directions.
 */
export async function olderCases(folder, random) {
  const pairs = new Map();
  for (const { writer, reader, bytes, value, error } of linesOf("resolve.jsonl")) {
    if (bytes !== undefined) addTo(pairs, reader, writer, { kind: "resolve", bytes, value, error });
  }
  const { codec, resolve } = await import("../packages/pck/build/index.js");
  const { evolvedPairs } = await harness(folder, "evolved-pairs");
  for (const { writer, reader, messages } of evolvedPairs(20270102, random)) {
    let resolver;
    try {
      resolver = resolve(writer, reader);
    } catch {
      continue; // JavaScript tests check that such pairs are rejected.
    }
    const json = (value) => codec(reader).toJSON(value);
    for (const message of messages) {
      const bytes = Buffer.from(message).toString("hex");
      addTo(pairs, reader, writer, { kind: "resolve", bytes, ...outcomeOf(resolver, message, json) });
    }
  }
  return [...pairs.values()];
}

/** The result of a decoder: a value in its JSON form, or an error. */
function outcomeOf(resolver, message, json) {
  try {
    return { value: json(resolver.decode(Uint8Array.from(message))) };
  } catch ({ code, offset, needMore }) {
    return { error: { code, offset, needMore } };
  }
}

function addTo(schemas, doc, from, one) {
  const key = JSON.stringify([doc, from]);
  const known = schemas.get(key);
  if (known === undefined) schemas.set(key, { doc, from, cases: [one] });
  else known.cases.push(one);
}

function linesOf(file) {
  return readFileSync(join(vectors, file), "utf8")
    .trimEnd()
    .split("\n")
    .map((text) => JSON.parse(text));
}

/** Loads a module of the test harness as JavaScript. */
export async function harness(folder, name) {
  // esbuild may not be installed yet when this file is loaded.
  const { build } = await import("esbuild");
  const bundle = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [join(root, `packages/pck/test/harness/${name}.ts`)],
    bundle: true,
    format: "esm",
    platform: "node",
    outfile: bundle,
    logLevel: "warning",
  });
  return import(pathToFileURL(bundle).href);
}
