// Emits Go for the schemas of all vectors of PCK and of the random cases, and tests what it does by go/golden: called by go.mjs.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allCases } from "./go-golden-cases.mjs";
import { root } from "./setup.mjs";

/** Packages: all schemas as by default, some of them with every option that changes code, and some as hooks choose. */
const VARIANTS = [
  { package: "copied", options: {}, isFor: () => true },
  { package: "viewed", options: { strings: "view", runtime: "moonpack/pck" }, isFor: (_, i) => i % 4 === 0 },
  { package: "chosen", options: {}, isFor: (_, i) => i % 5 === 0, choices },
];

/** Hooks that choose what they can, and the Go that their choices need: types of one's own, values that are not new, receivers. */
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

/** Names for one of many schemas in a package, whatever the schema's are; and what harnesses need to know of them. */
function naming(prefix) {
  const fields = new Map();
  const unions = new Map();
  let rootName;
  let union;
  let others = 0;
  const names = ({ kind, struct }, proposed) => {
    if (kind === "field") {
      // What would collide gets another name, as what Go cannot say.
      const taken =
        fields.get(struct) ??
        new Set(["Size", "AppendTo", "MarshalBinary", "UnmarshalBinary", "UnmarshalBinaryFromOld"]);
      fields.set(struct, taken);
      const name = proposed === "" || taken.has(proposed) ? `F${others++}` : proposed;
      taken.add(name);
      return name;
    }
    // Fields' names differ, but what is made of two names may not.
    const name = `${prefix}N${others++}${kind === "struct" ? "" : proposed.slice(0, 20)}`;
    rootName ??= name;
    if (kind === "union") unions.set((union = name), []);
    if (kind === "arm") unions.get(union).push(name);
    return name;
  };
  return { names, unions, root: () => rootName };
}

function suiteOf(name, roots, unions) {
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
`;
}

/** Go compiles packages side by side, and large ones slowly. */
const SCHEMAS_A_FOLDER = 150;

/**
 * Writes a Go module of emitted code and cases, so many schemas of them random, with an older one or without. Answers how many of
 * what; `refused` are schemas with types that are too large for Go.
 */
export async function writeGolden(folder, random, cases = allCases) {
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

/** Writes the packages and cases of some schemas; answers how many were refused. */
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
    for (const [i, { doc, from }] of schemas.entries()) {
      const { names, unions: own, root: rootOf } = naming(`S${i}`);
      const chosen = variant.choices?.(`S${i}`, variant.package);
      const options = {
        ...variant.options,
        ...chosen?.hooks,
        package: variant.package,
        file: `s${i}.go`,
        names,
        from,
      };
      const files = wanted[i] ? await emitted(doc, options) : undefined;
      roots.push(files === undefined ? undefined : rootOf());
      if (files === undefined) {
        refused += wanted[i] && variant === VARIANTS[0] ? 1 : 0;
        continue;
      }
      unions.push(...own);
      if (chosen !== undefined) writeFileSync(join(target, `s${i}_types.go`), chosen.text());
      for (const { path, text } of files) writeFileSync(join(target, path), text);
    }
    writeFileSync(join(target, "suite_test.go"), suiteOf(variant.package, roots, unions));
  }
  return refused;
}

/** The files for a schema; undefined where Go has no type that is large enough. */
async function emitted(doc, options) {
  const { emitGo } = await import("../packages/moonpack/dist/pck/emit/go/index.js");
  try {
    return emitGo(doc, options);
  } catch (error) {
    if (error.code === "ERR_SCHEMA" && /larger than/.test(error.message)) return undefined;
    throw error;
  }
}
