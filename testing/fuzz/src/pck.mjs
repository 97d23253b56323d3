// Checks for PCK: every engine must behave like the reference model, with any bytes and schemas.
import {
  codec,
  compare,
  decodeFramed,
  encodeFramed,
  fingerprint,
  fromDocument,
  MoonpackError,
  resolve,
  toDocument,
} from "@moonpack/pck";
import { emit, emitGo } from "@moonpack/pck/emit";
import { same } from "./outcome.mjs";
import { loadHarness } from "./pck-harness.mjs";
import { documents } from "./pck-seeds.mjs";

const hexOf = (bytes) => Buffer.from(bytes).toString("hex");

/** The kind of a case, and roughly where it ends. */
const kindOf = (one) => (one.kind === "rejected" ? `${one.error.code} ${Math.min(one.error.offset, 6)}` : one.kind);

/** Closures, generated code, the heap stack, emitted JavaScript and TypeScript give the same values, bytes and errors. */
async function checkMessages() {
  const { caseOf, check, emittedEngine, engines, Layout } = await loadHarness(
    ...["cases", "emitted", "engines", "layout", "random-cases"],
  );
  const docs = documents();
  const emitted = [{ target: "js" }, { target: "ts", runtime: "beside" }].map((options) =>
    emittedEngine(options, docs),
  );
  const all = [...engines(), ...(await Promise.all(emitted))];
  const opened = docs.map((doc) => ({ layout: new Layout(doc), endpoints: all.map((engine) => engine.open(doc)) }));
  return ([place = 0, ...bytes]) => {
    const { layout, endpoints } = opened[place % opened.length];
    const one = caseOf(layout, bytes);
    for (const [i, endpoint] of endpoints.entries()) {
      try {
        check(one, endpoint);
      } catch (error) {
        throw new Error(`${all[i].name}: ${JSON.stringify(one).slice(0, 1000)}`, { cause: error });
      }
    }
    return `${place % opened.length} ${kindOf(one)}`;
  };
}

/**
 * Framed messages: the fingerprint comes first. A message of another known schema is resolved; offsets count from its
 * start.
 */
async function checkFramed() {
  const { caseOf, check, fingerprintReference, Layout } = await loadHarness(
    ...["cases", "fingerprint", "layout", "random-cases"],
  );
  const known = documents().map((doc) => ({ doc, layout: new Layout(doc), one: codec(doc) }));
  const byPrint = new Map(known.map((entry) => [fingerprintReference(entry.layout), entry]));
  const resolver = (print) => byPrint.get(hexOf(print))?.one;
  return ([place = 0, ...framed]) => {
    const { one, doc } = known[place % known.length];
    const print = hexOf(framed.slice(0, 8));
    const of = framed.length < 8 ? undefined : byPrint.get(print);
    const head = { kind: "rejected", doc, bytes: hexOf(framed) };
    let wanted;
    if (framed.length < 8)
      wanted = { ...head, error: { code: "ERR_TRUNCATED", offset: 0, needMore: 8 - framed.length } };
    else if (of === undefined) wanted = { ...head, error: { code: "ERR_FINGERPRINT", offset: 0 } };
    else {
      wanted = { ...caseOf(of.layout, framed.slice(8)), bytes: hexOf(framed) };
      if (wanted.kind === "rejected") wanted.error = { ...wanted.error, offset: wanted.error.offset + 8 };
    }
    check(wanted, {
      decode: (bytes) => decodeFramed(bytes, one, { resolver }),
      encode: (value) => encodeFramed(of.one, value),
    });
    return `${place % known.length} ${of === known[place % known.length]} ${kindOf(wanted)}`;
  };
}

/** Returns the result of `act`; undefined for an invalid schema. */
function valid(act) {
  try {
    return act();
  } catch (error) {
    if (error instanceof MoonpackError && error.code === "ERR_SCHEMA") return undefined;
    throw error;
  }
}

/** A text is a valid schema or ERR_SCHEMA. Everything that a valid schema allows is built. */
async function checkDocument() {
  const { fingerprintReference, Layout } = await loadHarness("fingerprint", "layout");
  return (bytes) => {
    const text = new TextDecoder().decode(bytes);
    const schema = valid(() => fromDocument(text));
    if (schema === undefined) return `invalid ${text[0]}`;
    const doc = JSON.parse(text);
    const print = hexOf(fingerprint(schema));
    if (print !== fingerprintReference(new Layout(doc))) throw new Error("the fingerprint differs from the model's");
    const again = toDocument(schema);
    same(toDocument(fromDocument(JSON.stringify(again))), again, "the document");
    if (compare(again, doc).length > 0) throw new Error("compare finds a difference between equal schemas");
    const own = codec(schema, { codeGeneration: true });
    const resolved = resolve(schema, doc);
    for (const message of [new Uint8Array(0), new Uint8Array(9), new Uint8Array(9).fill(1)]) {
      const [a, b] = [own, resolved].map((decoder) => outcomeOf(() => decoder.decode(message)));
      same(a, b, "resolved");
      if ("value" in a && hexOf(own.encode(a.value)) !== hexOf(message))
        throw new Error("it is written as other bytes");
    }
    const js = valid(() => emit(doc, { target: "ts" }));
    const go = valid(() => emitGo(doc, { package: "p" }));
    return `${Math.min(Object.keys(doc.structs).length, 5)} ${js === undefined} ${go === undefined} ${text.length >> 6}`;
  };
}

function outcomeOf(act) {
  try {
    return { value: act() };
  } catch (error) {
    if (!(error instanceof MoonpackError)) throw error;
    return { code: error.code, offset: error.offset, needMore: error.needMore };
  }
}

/** Two schemas and a message: `resolve` and `compare` must agree with the reference model. */
async function checkResolve() {
  const { checkEvolution } = await loadHarness("evolution-check");
  return (bytes) => {
    const first = bytes.indexOf(0x0a);
    const second = bytes.indexOf(0x0a, first + 1);
    if (first < 0 || second < 0) return "fewer than two lines";
    const [writer, reader] = [bytes.subarray(0, first), bytes.subarray(first + 1, second)].map((line) =>
      new TextDecoder().decode(line),
    );
    if (valid(() => fromDocument(writer)) === undefined || valid(() => fromDocument(reader)) === undefined)
      return "no schemas";
    const seen = checkEvolution(JSON.parse(writer), JSON.parse(reader), [[...bytes.subarray(second + 1)]]);
    return `${[...seen].join()} ${writer.length >> 6} ${reader.length >> 6}`;
  };
}

export const checks = {
  pck: checkMessages,
  "pck-framed": checkFramed,
  "pck-document": checkDocument,
  "pck-resolve": checkResolve,
};
