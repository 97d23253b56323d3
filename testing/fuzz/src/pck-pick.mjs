// Checks for some fields of PCK messages: closures, generated and emitted code give the values of `decode`, at their paths. The first byte
// chooses the schema, the second one the paths.
import { codec } from "@moonpack/pck";
import { codeGeneration } from "@moonpack/pck/codegen";
import { pick } from "@moonpack/pck/pick";
import { outcome, same } from "./outcome.mjs";
import { loadHarness } from "./pck-harness.mjs";
import { documents } from "./pck-seeds.mjs";
import { loadTestModules } from "./test-modules.mjs";

/** Sets of paths for each schema. */
const SETS = 8;

async function checkPick() {
  const { emittedPicks, randomPaths, walked } = await loadHarness("emitted", "random-paths");
  const { randomSource } = await loadTestModules("testing/harness/src", ["random"]);
  const docs = documents();
  const opened = new Map();
  const open = (place) => {
    const doc = docs[place];
    const random = randomSource(place + 1);
    const sets = Array.from({ length: SETS }, (_, i) => {
      const paths = randomPaths(random, doc, 1 + (i % 4));
      return Object.fromEntries(paths.map((path, at) => [`at${at}`, path]));
    }).filter((paths) => Object.keys(paths).length > 0);
    const picks = Object.fromEntries(sets.map((paths, i) => [`Picked${i}`, { paths }]));
    const emitted = emittedPicks(doc, { target: "js", picks });
    const codecs = [false, codeGeneration].map((generator) => codec(doc, { codeGeneration: generator }));
    const readers = sets.map((paths, i) => ({
      paths: Object.values(paths),
      engines: [
        ...codecs.map((one) => pick(one, paths)).map((picker) => (bytes) => picker.decode(bytes)),
        emitted.get(`Picked${i}`),
      ],
    }));
    return { doc, decoder: codecs[1], readers };
  };
  return ([first = 0, second = 0, ...rest]) => {
    const place = first % docs.length;
    if (!opened.has(place)) opened.set(place, open(place));
    const { doc, decoder, readers } = opened.get(place);
    if (readers.length === 0) return `${place} no fields`;
    const { paths, engines } = readers[second % readers.length];
    const bytes = Uint8Array.from(rest);
    let value;
    const whole = outcome(
      () => decoder.decode(bytes),
      bytes.length,
      (decoded) => {
        value = paths.map((path) => walked(doc, decoded, path));
        return "value";
      },
    );
    let picked;
    for (const [i, engine] of engines.entries()) {
      let found;
      const kind = outcome(
        () => engine(bytes),
        bytes.length,
        (result) => {
          found = Object.values(result);
          return "value";
        },
      );
      if (whole === "value") {
        if (kind !== "value") throw new Error(`decode returns a value, engine ${i}: ${kind}`);
        same(found, value, `engine ${i}`);
      }
      if (i === 0) picked = { kind, found };
      else if ((kind === "value") !== (picked.kind === "value"))
        throw new Error(`engine 0: ${picked.kind}, engine ${i}: ${kind}`);
      else same(found, picked.found, `engine ${i}`);
    }
    return `${place} ${whole} ${picked.kind}`;
  };
}

export const checks = { "pck-pick": checkPick };
