/** Regions of Go: methods for structs of a hand-written file. The emitted code runs where Go is installed. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { caughtOurs } from "@moonpack/harness/caught.ts";
import { toHex } from "@moonpack/harness/hex.ts";
import * as pck from "@moonpack/pck";
import { emitRegions, type GoRegionOptions } from "@moonpack/pck/emit";
import type { DecodeError } from "moonpack/bytes";
import { afterAll, describe, expect, test } from "vitest";

const { schema } = pck;
const Position = schema("Position", pck.ivar("x"), pck.ivar("y"));
const Square = schema("Square", pck.omitZero(pck.u64("side")), pck.utf8("label"));

interface Tree {
  name: string;
  children: Tree[];
  next: Tree | null;
}
const Tree: pck.Schema<Tree> = schema(
  "Tree",
  pck.utf8("name"),
  pck.omitEmpty(
    pck.array(
      "children",
      pck.REF(() => Tree),
    ),
  ),
  pck.omitNull(pck.ref("next", () => Tree)),
) as never;

/** A field of every type. */
const World = schema(
  "World",
  [pck.bool("on"), pck.u8("a8"), pck.u16("a16"), pck.u32("a32"), pck.u64("user_id")],
  [pck.i8("b8"), pck.i16("b16"), pck.i32("b32"), pck.i64("b64"), pck.f32("f"), pck.f64("g")],
  [pck.uvar("v"), pck.ivar("w"), pck.uvar64("v64"), pck.ivar64("w64"), pck.enumeration("color", "red", "green")],
  [pck.bytes("data"), pck.bytes("four", 4), pck.utf8("text"), pck.ascii("code", 3), pck.ascii("more")],
  [pck.ref("position", Position), pck.ref("inner", schema("Inner", pck.omitZero(pck.i64("id")), pck.u8("n")))],
  [
    pck.union("shape", { circle: Position, square: Square }),
    pck.array("list", pck.U32),
    pck.array("three", pck.U16, 3),
  ],
  [pck.map("scores", pck.UTF8, pck.REF(Square)), pck.array("maybe", pck.nullable(pck.UTF8))],
  [pck.omitNull(pck.omitZero(pck.ivar64("zero"))), pck.omitEmpty(pck.omitNull(pck.utf8("note")))],
  pck.ref("tree", Tree),
);

/** Hand-written structs with chosen names, a chosen type and a pointer. */
const FILE = `// Package world is kept by hand.
package world

import (
	"strconv"
)

// pck:emit("imports")
// pck:end

// UserID is a type of our own.
type UserID uint64

func (id UserID) String() string { return strconv.FormatUint(uint64(id), 10) }

// pck:assign({"names": {"Position.x": "East", "Position.y": "North", "union World.shape": "Shape"}})
// pck:merge({"names": {"arm World.shape.circle": "Circle", "arm World.shape.square": "SquareShape"}})
// pck:merge({"types": {"World.user_id": "UserID"}, "pointers": ["World.position", "value World.scores"]})
// pck:merge({"types": {"element World.list": "Small", "World.list": "Smalls", "key World.scores": "Key"}})
// pck:assign({"receivers": {"Position": "p", "World": "w"}})
// pck:assign({"factories": {"Position": "newPosition()", "arm World.shape.circle": "&Circle{}"}})

// Small, Smalls and Key are types of our own, too.
type (
	Small  uint32
	Smalls []Small
	Key    string
)

var made int

// newPosition is where positions come from: they hold something already.
func newPosition() *Position {
	made++
	return &Position{East: -1, North: -1}
}

// A Position is ours.
type Position struct {
	East, North int32
	Seen        bool // not in the schema
}

// pck:emit("size", "Position")
// pck:end

// pck:emit("append", "Position")
// pck:end

// pck:emit("unmarshal", "Position")
// pck:end

// pck:start
// pck:assign({"schema": "World"})

// pck:emit("struct")
// pck:end

// pck:emit("methods")
// pck:end

// pck:emit("unionType")
// pck:end

// pck:emit("tagSize")
// pck:end

// pck:emit("pckTag")
// pck:end

// pck:emit("unpckTag")
// pck:end

// pck:emit("taggedFactories")
// pck:end

// pck:emit("enumeration")
// pck:end

// pck:end

func mine() string { return "kept" }

// pck:emit("lib")
// pck:end

// pck:emit("rest")
// pck:end
`;

const GO: GoRegionOptions = { target: "go" };
const folder = mkdtempSync(join(tmpdir(), "moonpack-regions-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (command: string, ...args: readonly string[]) =>
  spawnSync(command, args, { cwd: folder, encoding: "utf8", env: { ...process.env, GOFLAGS: "-mod=mod" } });

/** The program that the tests run: it reads messages, and prints their bytes after writing, or the error. */
const MAIN = `package world

import (
	"encoding/hex"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

func TestMessages(t *testing.T) {
	given, err := os.ReadFile("messages.txt")
	if err != nil {
		t.Fatal(err)
	}
	var results strings.Builder
	var world World
	for _, line := range strings.Fields(string(given)) {
		message, _ := hex.DecodeString(strings.TrimPrefix(line, "-"))
		if err := world.UnmarshalBinary(message); err != nil {
			refused := err.(*PCKError)
			fmt.Fprintf(&results, "%s %d %d\\n", refused.Code, refused.Offset, refused.NeedMore)
			continue
		}
		written, err := world.MarshalBinary()
		if err != nil || world.Size() != len(written) {
			t.Fatal(err, world.Size(), len(written))
		}
		fmt.Fprintf(&results, "%x\\n", written)
	}
	if arm, ok := factoriesShape[1]().(*SquareShape); !ok || arm == nil {
		t.Fatal("not the second arm")
	}
	if made < 10 || reflect.TypeOf(world.Scores) != reflect.TypeFor[map[Key]*Square]() {
		t.Fatal("not as was chosen", made)
	}
	if mine() != "kept" || UserID(7).String() != "7" {
		t.Fatal("not kept")
	}
	if err := os.WriteFile("results.txt", []byte(results.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}
`;

describe("a file with hand-written structs", () => {
  const text = emitRegions(FILE, World, GO);

  test("changes only within regions, and not at all the second time", () => {
    expect(emitRegions(text, World, GO)).toBe(text);
    const own = (lines: string) => lines.replace(/(pck:emit\(.*\)\r?\n)[\s\S]*?(\/\/ pck:end)/g, "$1$2");
    expect(own(text)).toBe(own(FILE));
    const windows = emitRegions(FILE.replaceAll("\n", "\r\n"), World, GO);
    expect(windows).toBe(text.replaceAll("\n", "\r\n"));
  });

  test("gets the imports that it does not have itself", () => {
    const [, imports] = /pck:emit\("imports"\)\nimport \(([^)]*)\)/.exec(text)!;
    expect(imports!.match(/[\w/]+/g)).toEqual([
      "cmp",
      "encoding/binary",
      "math",
      "math/bits",
      "slices",
      "unicode/utf8",
      "unsafe",
    ]);
  });

  test("gets the names, types and pointers that it chooses", () => {
    for (const part of ["p.East", "w.Position.North", "UserID   UserID", "Position *Position", "type Shape interface"])
      expect(text).toContain(part);
    expect(text.match(/^func \(p \*Position\)/gm)).toHaveLength(7);
    expect(text.match(/^type (?:Position|Tree|Square|Inner) struct/gm)).toHaveLength(4);
  });

  test.skipIf(run("go", "version").status !== 0)("compiles, and does what a codec does", { timeout: 120_000 }, () => {
    const worlds = pck.codec(World);
    const whole = worlds.encode({
      ...{ on: true, a8: 1, a16: 2, a32: 3, user_id: 4n, b8: -1, b16: -2, b32: -3, b64: -4n, f: 0.5, g: 1e300, v: 300 },
      ...{ w: -300, v64: 2n ** 60n, w64: -(2n ** 60n), color: "green", data: Uint8Array.of(1) },
      ...{ four: Uint8Array.of(1, 2, 3, 4), text: "é", code: "abc", more: "", position: { x: 1, y: -1 } },
      ...{
        inner: { id: 5n, n: 6 },
        shape: { kind: "square", side: 7n, label: "side" },
        list: [1, 2],
        three: [1, 2, 3],
      },
      ...{ scores: new Map([["a", { side: 1n, label: "" }]]), maybe: [null, "x"], zero: 10n, note: null },
      tree: { name: "root", children: [{ name: "leaf", children: [], next: null }], next: null },
    });
    const messages = [whole];
    for (let end = 0; end < whole.length; end++) messages.push(whole.slice(0, end));
    for (let at = 0; at < whole.length; at++) messages.push(whole.map((byte, i) => (i === at ? byte ^ 0x81 : byte)));
    const expected = messages.map((message) => {
      try {
        return toHex(worlds.encode(worlds.decode(message)));
      } catch (error) {
        const { code, offset, needMore } = error as DecodeError;
        return `${code} ${offset} ${needMore}`;
      }
    });
    writeFileSync(join(folder, "go.mod"), "module world\n\ngo 1.24\n");
    writeFileSync(join(folder, "world.go"), text);
    writeFileSync(join(folder, "world_test.go"), MAIN);
    writeFileSync(join(folder, "messages.txt"), messages.map((message) => `-${toHex(message)}\n`).join(""));
    expect(run("gofmt", "-l", ".").stdout).toBe("");
    expect(run("go", "vet", ".")).toMatchObject({ status: 0, stderr: "" });
    expect(run("go", "test", ".")).toMatchObject({ status: 0, stderr: "" });
    expect(readFileSync(join(folder, "results.txt"), "utf8").trimEnd().split("\n")).toEqual(expected);
  });
});

test.skipIf(run("go", "version").status !== 0)("the page's file compiles", { timeout: 120_000 }, () => {
  const page = readFileSync(new URL("../../../docs/pck.md", import.meta.url), "utf8");
  const [, file] = /^```go regions\n([\s\S]*?)^```$/m.exec(page)!;
  const Player = schema("Player", pck.u64("id"), pck.ivar("health"), pck.ref("position", Position));
  const game = join(folder, "game");
  mkdirSync(game);
  writeFileSync(join(game, "go.mod"), "module game\n\ngo 1.24\n");
  writeFileSync(join(game, "game.go"), emitRegions(file!, Player, GO));
  expect(run("gofmt", "-l", "game").stdout).toBe("");
  expect(run("go", "-C", "game", "vet", ".")).toMatchObject({ status: 0, stderr: "" });
});

describe("an error names the line, and nothing changes", () => {
  const file = (...lines: readonly string[]) => `package p\n${lines.join("\n// pck:end\n")}\n// pck:end\n`;
  test.each([
    [file('// pck:emit("method", "World")'), /^line 2: unknown type of region "method"; known are struct, methods/],
    [file('// pck:emit("methods", "Player")'), /^line 2: no schema is named "Player"/],
    [file('// pck:emit("methods")'), /^line 2: the region needs a schema/],
    [file('// pck:emit("methods", "World")'), /^line 2: the file needs pck:emit\("imports"\) for encoding\/binary/],
    [
      file('// pck:emit("methods", "World")', '// pck:emit("pck", "World")'),
      /^line 4: the file already has append of World/,
    ],
    [file('// pck:emit("rest")', '// pck:emit("rest")'), /^line 4: the file already has pck:emit\("rest"\)/],
    [file('// pck:emit("union", "Tree")'), /^line 2: there is no union in "Tree"/],
    [file('// pck:assign({"names": {"World.b": "B"}})\n// pck:emit("rest")'), /"World.b" does not name anything/],
    [file('// pck:assign({"pointers": {"World.b": "B"}})\n// pck:emit("rest")'), /"pointers" must be a list/],
    [
      file('// pck:assign({"factories": {"World.a8": "f()"}})\n// pck:emit("rest")'),
      /"World.a8" does not name anything/,
    ],
    [
      file('// pck:assign({"receivers": {"World": 1}})\n// pck:emit("rest")'),
      /"receivers" must have a text for "World"/,
    ],
    [file('// pck:assign({"types": {"World.a8": 1}})\n// pck:emit("rest")'), /"types" must have a text for "World.a8"/],
    ["// nothing\n", /must begin with a package clause/],
    ["/*\npackage p\n*/\n", /must begin with a package clause/],
    ["/*\npackage p\n*/\npackage func\n", /package must be the name of a Go package/],
  ])("%j", (text, message) => {
    const error = caughtOurs(() => emitRegions(text, World, GO));
    expect(error.code).toBe("ERR_INVALID_ARGUMENT");
    expect(error.message).toMatch(message);
  });

  test("an imported runtime has no lib, and is imported", () => {
    const runtime = { ...GO, runtime: "example.com/x/codec" };
    expect(() => emitRegions(file('// pck:emit("lib")'), Position, runtime)).toThrow(/the runtime is imported/);
    const text = emitRegions(file('// pck:emit("imports")', '// pck:emit("methods", "Position")'), Position, runtime);
    expect(text).toContain('import pck "example.com/x/codec"\n');
    const own = `package p\n\nimport pck "example.com/x/codec"\n\n// pck:emit("methods", "Position")\n// pck:end\n`;
    expect(emitRegions(own, Position, runtime)).toContain("pck.WriteError(");
  });

  test("a package clause or an import in a comment is ignored", () => {
    const emitted = (before: string, after = "") =>
      emitRegions(
        `${before}package p\n${after}\n// pck:emit("imports")\n// pck:end\n// pck:emit("methods", "Square")\n// pck:end\n`,
        Square,
        GO,
      );
    expect(emitted("/*\npackage func is gone\n*/\n")).toContain('"encoding/binary"');
    const [first, second] = emitted("", '/*\nimport "encoding/binary"\n*/\n').matchAll(
      /^import.*"encoding\/binary"$/gm,
    );
    expect([first, second]).not.toContain(undefined);
    const own = 'import ( // (what we need)\n\t"encoding/binary" // "/*"\n)\n\nconst open = "/*"\n';
    expect(emitted("", own).match(/"encoding\/binary"/g)).toHaveLength(1);
  });

  test("a type's package is imported if the code names it", () => {
    const types =
      '// pck:assign({"types": {"Square.side": {"type": "units.Side", "import": "example.com/units/v2"}}})\n';
    const emitted = (...regions: readonly string[]) =>
      emitRegions(file(`${types}// pck:emit("imports")`, ...regions), Square, GO);
    expect(emitted('// pck:emit("struct", "Square")')).toContain('import "example.com/units/v2"\n');
    expect(emitted('// pck:emit("size", "Square")')).not.toContain('import "');
  });

  test("hooks choose what the file's data do not", () => {
    const names = ({ kind }: { kind: string }, proposed: string) => (kind === "field" ? `Of${proposed}` : proposed);
    const text = emitRegions(
      file('// pck:assign({"names": {"Position.x": "East"}})\n// pck:emit("struct", "Position")'),
      Position,
      { ...GO, names },
    );
    expect(text).toContain("type Position struct {\n\tEast int32\n\tOfY  int32\n}");
  });
});
