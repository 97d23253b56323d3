import { refreshRegions } from "@moonpack/pck/emit";
import fc from "fast-check";
import { MoonpackError } from "moonpack/bytes";
import { describe, expect, test } from "vitest";

const FILE = `import x from "y";
// pck:assign({"schema": "Player", "options": {"a": 1, "b": 2}})
export class Player {
  // pck:emit("properties")
  old text
  // pck:end

  mine() {}
  // pck:start
  // pck:merge({"options": {"b": 3}})
    /* pck:emit("both") */
    /* pck:end */
  // pck:end
  # pck:emit("both")
  # pck:end
}
`;

const render = (type: string, data: Readonly<Record<string, unknown>>) =>
  `${type}: ${JSON.stringify(data)}\n\nsecond line\n`;

describe("regions", () => {
  test("are replaced, and everything else stays", () => {
    const data = '{"schema":"Player","options":{"a":1,"b":2}}';
    expect(refreshRegions(FILE, render)).toBe(`import x from "y";
// pck:assign({"schema": "Player", "options": {"a": 1, "b": 2}})
export class Player {
  // pck:emit("properties")
  properties: ${data}

  second line
  // pck:end

  mine() {}
  // pck:start
  // pck:merge({"options": {"b": 3}})
    /* pck:emit("both") */
    both: {"schema":"Player","options":{"a":1,"b":3}}

    second line
    /* pck:end */
  // pck:end
  # pck:emit("both")
  both: ${data}

  second line
  # pck:end
}
`);
  });

  test("do not change the second time, with any line endings", () => {
    for (const text of [FILE, FILE.replaceAll("\n", "\r\n")]) {
      const once = refreshRegions(text, render);
      expect(refreshRegions(once, render)).toBe(once);
      expect(once.includes("\r")).toBe(text.includes("\r"));
    }
  });

  test("a file without regions does not change, with any line endings", () => {
    const line = fc.oneof(fc.string(), fc.constantFrom("\n", "\r\n", "\r"));
    const file = fc.array(line).map((parts) => parts.join("").replaceAll("pck:", ""));
    const check = (text: string): void => {
      expect(refreshRegions(text, render)).toBe(text);
    };
    fc.assert(fc.property(file, check), { seed: 1, numRuns: 300 });
  });

  test.each([
    ["// pck:end", 1, /without pck:start/],
    ["// pck:start\n", 2, /without pck:end/],
    ['// pck:emit("a")', 1, /without pck:end/],
    ['a\n// pck:emit("a")\n// pck:start\n// pck:end', 3, /not allowed within a region/],
    ["// pck:emit(a)\n// pck:end", 1, /not valid JSON/],
    ["// pck:emit\n// pck:end", 1, /takes a type/],
    ['// pck:emit("a", 1)\n// pck:end', 1, /takes a type/],
    ['// pck:emit("a", "b", "c")\n// pck:end', 1, /takes a type/],
    ["// pck:assign(1)", 1, /takes an object/],
    ["// pck:assign({}, {})", 1, /takes an object/],
    ["// pck:start(1)\n// pck:end", 1, /no argument/],
    ["// pck:other", 1, /unknown directive/],
    ['// pck:emit("a") or so\n// pck:end', 1, /alone in its comment/],
  ])("%j throws", (text, line, message) => {
    expect(() => refreshRegions(text, render)).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_ARGUMENT", message: expect.stringMatching(message) }),
    );
    expect(() => refreshRegions(text, render)).toThrow(`line ${line}:`);
  });

  test("an error of the renderer names the line", () => {
    const text = 'a\n  // pck:emit("nothing")\n  // pck:end';
    const thrower = (): string => {
      throw new Error("the type is unknown");
    };
    expect(() => refreshRegions(text, thrower)).toThrow("line 2: the type is unknown");
  });

  test("a region may name its schema", () => {
    const text =
      '// pck:assign({"schema": "A", "b": 1})\n// pck:emit("x", "B")\n// pck:end\n// pck:emit("y")\n// pck:end';
    const seen: object[] = [];
    refreshRegions(text, (type, data) => {
      seen.push({ type, ...data });
      return "";
    });
    expect(seen).toEqual([
      { type: "x", schema: "B", b: 1 },
      { type: "y", schema: "A", b: 1 },
    ]);
  });

  test("a byte order mark is not part of the first directive", () => {
    const text = '\ufeff// pck:emit("a")\n// pck:end';
    expect(refreshRegions(text, () => "a")).toBe('\ufeff// pck:emit("a")\na\n// pck:end');
  });

  test("a coded error keeps its code", () => {
    const thrower = (): string => {
      throw new MoonpackError("ERR_SCHEMA", "no name");
    };
    expect(() => refreshRegions('// pck:emit("a")\n// pck:end', thrower)).toThrow(
      expect.objectContaining({ code: "ERR_SCHEMA", message: "line 1: no name" }),
    );
  });

  test("emitted text cannot end its region", () => {
    expect(() => refreshRegions('// pck:emit("a")\n// pck:end', () => "// pck:end")).toThrow(/contains a directive/);
  });

  test("names on Object.prototype are ordinary names", () => {
    const text = '// pck:merge({"__proto__": {"polluted": 1}, "toString": 2})\n// pck:emit("a")\n// pck:end';
    let seen: object = {};
    refreshRegions(text, (_type, data) => {
      seen = data;
      return "";
    });
    expect(Object.keys(seen)).toEqual(["__proto__", "toString"]);
    expect(({} as { polluted?: number }).polluted).toBe(undefined);
  });
});
