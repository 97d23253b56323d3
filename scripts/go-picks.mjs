// Emits Go that reads only some fields of random schemas, and tests it with go/golden. Used by go.mjs.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../tools/src/setup.mjs";
import { harness } from "./go-golden-cases.mjs";

/** The emitted packages: their options. */
const VARIANTS = [
  { name: "beside", options: {}, error: "PCKError", imports: "" },
  {
    name: "imported",
    options: { runtime: "moonpack/pck", strings: "view" },
    error: "pck.Error",
    imports: '\n\t"moonpack/pck"',
  },
];

/** Writes a Go module of emitted code and cases for some random schemas. Returns the numbers of picks and cases. */
export async function writePicks(folder, schemas) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "go.mod"),
    `module picked\n\ngo 1.24\n\nrequire moonpack v0.0.0\n\nreplace moonpack => ${join(root, "go")}\n`,
  );
  const { pickCases } = await harness(folder, "pick-cases");
  const { emitGo } = await import("../packages/pck/build/emit/go/index.js");
  const files = (i, doc, paths, { name, options }) =>
    emitGo(doc, { ...options, package: name, file: `p${i}.go`, names: namesOf(`P${i}`), picks: { Picked: { paths } } });
  const isForGo = (doc, paths) => {
    try {
      return files(0, doc, paths, VARIANTS[0]).length > 0;
    } catch (error) {
      if (error.code === "ERR_INVALID_ARGUMENT" || /larger than/.test(error.message)) return false;
      throw error;
    }
  };
  const picks = [...pickCases(20261220, schemas, isForGo)];
  const cases = picks.flatMap((one, pick) => one.cases.map((each) => JSON.stringify({ pick, ...each })));
  writeFileSync(join(folder, "cases.jsonl"), `${cases.join("\n")}\n`);
  for (const variant of VARIANTS) {
    const target = join(folder, variant.name);
    mkdirSync(target);
    for (const [i, { doc, paths }] of picks.entries())
      for (const { path, text } of files(i, doc, paths, variant)) writeFileSync(join(target, path), text);
    writeFileSync(join(target, "picks_test.go"), suiteOf(variant, picks.length));
  }
  return { picks: picks.length, cases: cases.length };
}

/** Names for one of many schemas in a package, free of collisions. */
function namesOf(prefix) {
  let others = 0;
  return ({ kind, name }) => (kind === "struct" && name === "Picked" ? `${prefix}Picked` : `${prefix}N${others++}`);
}

function suiteOf({ name, error, imports }, count) {
  const made = Array.from(
    { length: count },
    (_, i) => `\t\tfunc() encoding.BinaryUnmarshaler { return new(P${i}Picked) },\n`,
  );
  return `package ${name}

import (
	"encoding"
	"testing"

	"moonpack/golden"${imports}
)

func TestPicks(t *testing.T) {
	picks := []func() encoding.BinaryUnmarshaler{
${made.join("")}	}
	faultOf := golden.FaultOf(func(err *${error}) golden.Fault {
		return golden.Fault{Code: err.Code, Offset: err.Offset, NeedMore: err.NeedMore, Path: err.Path}
	})
	t.Logf("%d cases", golden.RunPicks(t, "../cases.jsonl", picks, faultOf))
}
`;
}
