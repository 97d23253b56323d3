// Emits Go for the schemas of all PCK vectors and of random cases, and tests it with go/golden. Used by go.mjs.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../tools/src/setup.mjs";

/**
 * The emitted packages: all schemas with default options, some with every option that changes code, some with hooks.
 */
const VARIANTS = [
  { package: "copied", options: {}, isFor: () => true },
  { package: "viewed", options: { strings: "view", runtime: "moonpack/pck" }, isFor: (_, i) => i % 4 === 0 },
  { package: "chosen", options: {}, isFor: (_, i) => i % 5 === 0, choices },
];

/**
 * Hooks that choose as much as possible, and the Go code that their choices need: named types, used values,
 * receivers.
 */
function choices(prefix, packageName) {
  const lines = [];
  const receivers = ["s", "self", "p", "list", "k"];
  let asked = 0;
  return {
    hooks: {
      types: (_, go) => {
        if (asked++ % 4 === 0) return undefined;
        const type = `${prefix}T${asked}`;
        lines.push(`type ${type} ${go}`);
        return { type };
      },
      pointers: () => asked++ % 3 > 0,
      factories: ({ kind }, go) => {
        const type = /^new\((.+)\)$/u.exec(go)[1];
        if (asked++ % 4 === 0) return undefined;
        if (kind === "arm" && asked % 2 === 0) return { make: `&${type}{}` };
        return { make: `golden.Used[${type}]()`, import: "moonpack/golden" };
      },
      receivers: () => receivers[asked++ % receivers.length],
    },
    text: () => [`package ${packageName}\n`, ...lines.map((line) => `\n${line}\n`)].join(""),
  };
}

/** Names for one of many schemas in a package, free of collisions, and the names that test suites need. */
function naming(prefix) {
  const fields = new Map();
  const unions = new Map();
  let rootName;
  let union;
  let others = 0;
  const names = ({ kind, struct }, proposed) => {
    if (kind === "field") {
      // A name that would collide, or is not valid in Go, is replaced.
      const taken =
        fields.get(struct) ??
        new Set(["Size", "AppendTo", "MarshalBinary", "UnmarshalBinary", "UnmarshalBinaryFromOld"]);
      fields.set(struct, taken);
      const name = proposed === "" || taken.has(proposed) ? `F${others++}` : proposed;
      taken.add(name);
      return name;
    }
    // Fields' names differ, but names that are made from two names may collide.
    const name = `${prefix}N${others++}${kind === "struct" ? "" : proposed.slice(0, 20)}`;
    rootName ??= name;
    if (kind === "union") unions.set((union = name), []);
    if (kind === "arm") unions.get(union).push(name);
    return name;
  };
  return { names, unions, root: () => rootName };
}

function suiteOf(name, roots, unions, sizes) {
  const isImported = VARIANTS.find((variant) => variant.package === name).options.runtime !== undefined;
  const error = isImported ? "pck.Error" : "PCKError";
  return `package ${name}

import (
${unions.length > 0 ? '\t"reflect"\n' : ""}	"testing"

	"moonpack/golden"${isImported ? '\n\t"moonpack/pck"' : ""}
)

func TestCases(t *testing.T) {
	arms := golden.Arms{}
${unions
  .map(([union, arms]) => {
    const types = arms.map((arm) => `reflect.TypeFor[*${arm}]()`).join(", ");
    return `\tarms[reflect.TypeFor[${union}]()] = []reflect.Type{${types}}\n`;
  })
  .join("")}	suite := golden.Suite{
		New: []func() golden.Message{
${roots.map((type) => `\t\t\t${type === undefined ? "nil" : `func() golden.Message { return new(${type}) }`},\n`).join("")}		},
		Arms: arms,
		FaultOf: golden.FaultOf(func(err *${error}) golden.Fault {
			return golden.Fault{Code: err.Code, Offset: err.Offset, NeedMore: err.NeedMore, Path: err.Path}
		}),
	}
	t.Logf("%d cases", suite.Run(t, "../cases.jsonl"))
}
${sizes.length === 0 ? "" : `\nfunc TestSizes(t *testing.T) {\n${sizes.map(([type, size]) => `\tgolden.TestSize[${type}](t, ${size})\n`).join("")}}\n`}`;
}

/** Go compiles packages in parallel, and large packages slowly. */
const SCHEMAS_A_FOLDER = 150;

/**
 * Writes a Go module of emitted code and cases; `random` of its schemas are random, with or without an older schema.
 * Returns the number of schemas, of cases, and of schemas that were refused because a type is too large for Go.
 */
export async function writeGolden(folder, random, cases) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const schemas = await cases(folder, random);
  writeFileSync(
    join(folder, "go.mod"),
    `module emitted\n\ngo 1.24\n\nrequire moonpack v0.0.0\n\nreplace moonpack => ${join(root, "go")}\n`,
  );
  let refused = 0;
  for (let from = 0; from < schemas.length; from += SCHEMAS_A_FOLDER) {
    const part = join(folder, `from${from}`);
    mkdirSync(part);
    refused += await writePart(part, schemas.slice(from, from + SCHEMAS_A_FOLDER));
  }
  return { schemas: schemas.length, cases: schemas.reduce((sum, { cases }) => sum + cases.length, 0), refused };
}

/** Writes the packages and cases of some schemas. Returns how many schemas were refused. */
async function writePart(folder, schemas) {
  let text = "";
  for (const [schema, { doc, cases }] of schemas.entries()) {
    text += `${JSON.stringify({ schema, doc })}\n`;
    for (const one of cases) text += `${JSON.stringify({ ...one, doc: undefined })}\n`;
  }
  writeFileSync(join(folder, "cases.jsonl"), text);
  let refused = 0;
  for (const variant of VARIANTS) {
    const wanted = schemas.map((schema, i) => variant.isFor(schema, i));
    if (!wanted.includes(true)) continue;
    const target = join(folder, variant.package);
    mkdirSync(target);
    const roots = [];
    const unions = [];
    const sizes = [];
    for (const [i, { doc, from }] of schemas.entries()) {
      const { names, unions: own, root: rootOf } = naming(`S${i}`);
      const chosen = variant.choices?.(`S${i}`, variant.package);
      const options = {
        ...variant.options,
        ...chosen?.hooks,
        package: variant.package,
        file: `s${i}.go`,
        names,
        older: from,
      };
      const files = wanted[i] ? await emitted(doc, options) : undefined;
      roots.push(files === undefined ? undefined : rootOf());
      if (files === undefined) {
        refused += wanted[i] && variant === VARIANTS[0] ? 1 : 0;
        continue;
      }
      unions.push(...own);
      if (chosen === undefined) sizes.push(...(await sizesOf(doc, { ...options, names: naming(`S${i}`).names })));
      if (chosen !== undefined) writeFileSync(join(target, `s${i}_types.go`), chosen.text());
      for (const { path, text } of files) writeFileSync(join(target, path), text);
    }
    writeFileSync(join(target, "suite_test.go"), suiteOf(variant.package, roots, unions, sizes));
  }
  return refused;
}

/** The files for a schema; undefined if a type is too large for Go. */
async function emitted(doc, options) {
  const { emitGo } = await import("../packages/pck/build/emit/go/index.js");
  try {
    return emitGo(doc, options);
  } catch (error) {
    if (error.code === "ERR_SCHEMA" && /larger than/.test(error.message)) return undefined;
    throw error;
  }
}

/** The names of a schema's structs in Go, and the sizes that the emitter computes for them. */
async function sizesOf(doc, options) {
  const emitter = "../packages/pck/build/emit";
  const [{ inputOf }, { goSettings }, { GoContext }] = await Promise.all(
    ["input", "go/options", "go/context"].map((name) => import(`${emitter}/${name}.js`)),
  );
  const { model, given } = inputOf(doc);
  const { memory, names } = new GoContext(model, given, goSettings(options));
  return model.structs.map((struct) => [names.struct(struct), memory.structSize(struct)]);
}
