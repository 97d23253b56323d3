// Modules of schemas are evaluated without running them: common code works, hostile code is reported, with its place.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as pck from "@moonpack/pck";
import { schemaSource } from "@moonpack/pck/emit";
import { infer } from "@moonpack/pck/infer";
import { describe, expect, it } from "vitest";
import { isUser, PARTS } from "../src/playground/schema/evaluate/names.ts";
import { readSchema } from "../src/playground/schema/read-schema.ts";
import { root } from "../src/repository.ts";

const IMPORT = `import { ${[...PARTS.keys()].join(", ")} } from "@moonpack/pck";\n`;

/** The schema of a module, which is to have no faults. */
function schemaOf(text: string): pck.AnySchema {
  const { faults, schemas, preferred } = readSchema(text);
  expect(faults).toEqual([]);
  return schemas[preferred]!.schema;
}

/** The first fault of a module behind the imports: its line there, its column, what it marks, and its message. */
function faultIn(text: string): { at: string; marked: string; message: string } {
  const whole = IMPORT + text;
  const { faults, schemas } = readSchema(whole);
  expect(schemas).toEqual([]);
  const { line, column, from, to, message } = faults[0]!;
  return { at: `${line - 1}:${column}`, marked: whole.slice(from, to), message };
}

describe("what people write", () => {
  const pages = readdirSync(join(root, "docs")).filter((name) => /^pck.*\.md$/.test(name));
  const modules = pages.flatMap((page) =>
    [...readFileSync(join(root, "docs", page), "utf8").matchAll(/^```(?:js|ts)[^\n]*\n([\s\S]*?)^```/gm)]
      .map(([, text = ""], index) => ({ name: `${page}, block ${index + 1}`, text }))
      .filter(
        ({ text }) => /from "@moonpack\/pck"/.test(text) && /\bschema\(/.test(text.replace(/\bschemaSource\(/g, "")),
      ),
  );
  const examples = ["weather", "weather-1"].map((name) => ({
    name: `examples/pck-weather/src/${name}.ts`,
    text: readFileSync(join(root, "examples/pck-weather/src", `${name}.ts`), "utf8"),
  }));

  it("finds the modules of the pages", () => expect(modules.length).toBeGreaterThan(15));

  it.each([...modules, ...examples])("reads $name", ({ text }) => {
    const { faults, schemas } = readSchema(text);
    expect(faults).toEqual([]);
    expect(schemas.length).toBeGreaterThan(0);
    // Without the imports that the tests of pages run, the constants are the same.
    const declared = [...text.matchAll(/^(?:export )?const (\w+)(?:: [^=]+)? = (?:schema|doc)\(/gm)].map(
      ([, name]) => name,
    );
    const isExporting = /^export const/m.test(text);
    for (const name of isExporting ? [] : declared) expect(schemas.map((one) => one.name)).toContain(name);
  });

  it("gives the same schema as the program", () => {
    const Position = pck.schema("Position", pck.ivar("x"), pck.ivar("y"));
    const Shape = pck.schema(
      "Shape",
      pck.doc(pck.omitNull(pck.ref("at", Position)), "Where."),
      pck.withDefault(pck.bytes("raw"), Uint8Array.of(1, 255)),
      pck.withDefault(pck.map("names", pck.UTF8, pck.nullable(pck.U64)), new Map([["a", -1n + 2n]])),
      pck.withDefault(pck.f64("level"), -0.5),
      pck.renamed(pck.union("form", { round: Position, none: () => Nothing }, "type"), "shape", "figure"),
      pck.array("list", pck.ARRAY(pck.ENUMERATION("on", "off")), 2 * 3),
    );
    const Nothing: pck.AnySchema = pck.schema("Nothing");
    const read = schemaOf(`
      import * as pck from '@moonpack/pck';
      import { schema as struct, ivar, type Infer } from "@moonpack/pck";
      type Position = Infer<typeof Position>;
      interface Other<T> { readonly of: T }
      declare function unused(x: number): void;
      const prefix = "form";
      const names = ["shape", "figure"] as const;
      const Position = struct("Position", ivar("x"), ivar(\`y\`));
      const later = () => Nothing;
      const OPTIONS = { round: Position, ...{ none: later } } satisfies object;
      const common = [pck.doc(pck.omitNull(pck.ref("at", Position)), "Whe" + "re."), [null]];
      export const Shape = pck.schema(
        "Shape",
        ...common,
        true ? pck.withDefault(pck.bytes("raw"), Uint8Array.of(1, 0xff)) : null,
        pck.withDefault(pck.map("names", pck.UTF8, pck.nullable(pck.U64)), new Map([["a", 1n]])),
        pck.withDefault(pck.f64("level"), -0.5),
        pck.renamed(pck.union(\`\${prefix}\`, OPTIONS, "type"), ...names),
        pck["array"]("list", pck.ARRAY(pck.ENUMERATION("on", "off")), 2 * 3)!,
      ) as pck.Schema<unknown>;
      const Nothing: pck.AnySchema = pck.schema("Nothing");
    `);
    expect(pck.toDocument(read)).toEqual(pck.toDocument(Shape));
    expect(pck.fingerprint(read)).toEqual(pck.fingerprint(Shape));
  });

  it("reads what infer writes", () => {
    const samples = Array.from({ length: 40 }, (_, i) => ({
      id: i,
      state: i % 2 === 0 ? "on" : "off",
      ["__proto__"]: "kept as data",
      child: i % 3 === 0 ? { id: i, child: null } : null,
      shape: i % 2 === 0 ? { type: "circle", radius: 1.5 } : { type: "box", width: 2, height: 3 },
    }));
    const { document } = infer(samples, { name: "Row" });
    expect(pck.fingerprint(schemaOf(schemaSource(document)))).toEqual(pck.fingerprint(pck.fromDocument(document)));
  });

  it("reads large schemas", () => {
    const chain = Array.from(
      { length: 1000 },
      (_, i) => `const S${i + 1} = schema("S${i + 1}", u8("x"), ref("s", S${i}));`,
    );
    expect(readSchema(`${IMPORT}const S0 = schema("S0", u8("x"));\n${chain.join("\n")}`).schemas).toHaveLength(1001);
    const wide = Array.from({ length: 4000 }, (_, i) => `doc(omitNull(utf8("field_${i}")), "Text.")`);
    expect(schemaOf(`${IMPORT}export const Wide = schema("Wide", ${wide.join(", ")});`).fields).toHaveLength(4000);
  });

  it("knows every export of @moonpack/pck", () => {
    expect(Object.keys(pck).filter((name) => !PARTS.has(name) && !isUser(name))).toEqual([]);
    for (const [name, part] of PARTS) expect(part).toBe((pck as Record<string, unknown>)[name]);
  });

  it("offers the schemas that are exported, by default the one by default", () => {
    const text = (exports: string) =>
      `${IMPORT}const A = schema("A", u8("x"));\nconst B = schema("B", ref("a", A));\n${exports}`;
    const offered = (exports: string) => {
      const { schemas, preferred, faults } = readSchema(text(exports));
      expect(faults).toEqual([]);
      return [schemas.map(({ name }) => name).join(), preferred];
    };
    expect(offered("")).toEqual(["A,B", 1]);
    expect(offered("export { A };")).toEqual(["A", 0]);
    expect(offered("export { A as First, B };")).toEqual(["First,B", 1]);
    expect(offered("export { A, B }; export default A;")).toEqual(["A,B", 0]);
    expect(offered("export default bundle({ One: A, Two: B });")).toEqual(["One,Two", 1]);
    expect(offered('export default schema("C", ref("b", B));')).toEqual(["C", 0]);
    expect(offered("export type { A };")).toEqual(["A,B", 1]);
  });

  it("leaves out what uses the schemas, and says so", () => {
    const { note, faults, schemas } = readSchema(`${IMPORT.replace("{", "{ codec,")}
const A = schema("A", u8("x"));
const messages = codec(A);
for (const x of [1, 2]) console.log(messages.encode({ x }));
function helper() {}
await helper(messages);`);
    expect(faults).toEqual([]);
    expect(schemas.map(({ name }) => name)).toEqual(["A"]);
    expect(note).toBe("Left out, since it makes no schema: lines 4 to 7.");
    expect(
      readSchema('import { codec, schema, u8 } from "@moonpack/pck"; codec(schema("In", u8("x")));').schemas[0]?.name,
    ).toBe("In");
  });
});

describe("what is hostile, or not a schema", () => {
  it.each<[string, string, string, string]>([
    ["a walk to a constructor", 'const a = [].constructor.constructor("return 1")();', "1:11", "[].constructor"],
    ["a constructor of a function", 'const a = schema.constructor("return 1");', "1:11", "schema.constructor"],
    ["a computed walk", 'const k = "con" + "structor"; const a = {}[k];', "1:41", "{}[k]"],
    ["a prototype", "const a = {}; const b = a.__proto__;", "1:25", "a.__proto__"],
    ["a prototype that is set", "const a = { __proto__: null };", "1:13", "__proto__: null"],
    ["a prototype by text", 'const a = { "__proto__": null };', "1:13", '"__proto__": null'],
    ["a method of text", 'const a = "x".repeat(9);', "1:11", '"x".repeat'],
    ["a method of a list", "const a = [1].map(u8);", "1:11", "[1].map"],
    ["a method of a Map", 'const a = new Map([]).get("x");', "1:11", "new Map([]).get"],
    ["what a schema inherits", 'const a = schema("A").toString();', "1:11", 'schema("A").toString'],
    ["a getter", "const a = { get x() { return 1; } };", "1:13", "get x() { return 1; }"],
    ["a method", "const a = { x() {} };", "1:13", "x() {}"],
    ["a tagged template", "const a = schema`x`;", "1:11", "schema`x`"],
    ["an import by a call", 'const a = import("x");', "1:11", 'import("x")'],
    ["eval", 'const a = eval("1");', "1:11", "eval"],
    ["Function", 'const a = new Function("1");', "1:11", 'new Function("1")'],
    ["a global object", "const a = globalThis;", "1:11", "globalThis"],
    ["this", "const a = this;", "1:11", "this"],
    ["import.meta", "const a = import.meta;", "1:11", "import.meta"],
    ["a loop", "while (true) {}", "1:1", "while (true) {}"],
    ["an assignment", "let a = 1; a = 2;", "1:12", "a = 2"],
    ["a change of a list", "const a = []; a.push(1);", "1:15", "a.push"],
    ["a call of an own function", "const f = () => A; const a = f(); const A = 1;", "1:30", "f"],
    ["a function with a parameter", "const f = (x) => x;", "1:11", "(x) => x"],
    ["a function with a body", "const f = () => { return 1; };", "1:11", "() => { return 1; }"],
    ["a function that calls itself", "const f = () => f();", "1:11", "() => f()"],
    ["a regular expression", "const a = /(a+)+$/;", "1:11", "/(a+)+$/"],
    ["a large power", "const a = 9n ** 99999999n;", "1:11", "9n ** 99999999n"],
    ["await", "const a = await 1;", "1:11", "await 1"],
    ["an enum", "enum A { x }", "1:1", "enum A { x }"],
    ["a pattern", "const { a } = { a: 1 };", "1:7", "{ a }"],
    ["another file", 'import { P } from "./p.ts"; const a = schema("A", ref("p", P));', "1:60", "P"],
    ["other exports", 'export * from "./p.ts";', "1:1", 'export * from "./p.ts";'],
    ["optional chaining", "const a = schema?.name;", "1:11", "schema?.name"],
    ["a private name of the engine", "const a = %DebugPrint(1);", "1:11", "%"],
  ])("reports %s", (_, text, at, marked) => {
    const fault = faultIn(text);
    expect({ at: fault.at, marked: fault.marked }).toEqual({ at, marked });
    expect(fault.message).not.toMatch(/undefined|\[object/);
  });

  it.each<[string, string, RegExp]>([
    ["a list that doubles", doubling((a) => `[...${a}, ...${a}]`), /steps/],
    ["lists within lists", `${doubling((a) => `[${a}, ${a}]`)} const A = schema("A", a40);`, /items/],
    [
      "a default of shared lists",
      `${doubling((a) => `[${a}, ${a}]`)} const A = schema("A", withDefault(array("x", U8), a40));`,
      /items/,
    ],
    ["a text that doubles", doubling((a) => `\`\${${a}}\${${a}}\``, '"text"'), /items/],
    ["a text that is added", doubling((a) => `"" + ${a} + ${a}`, '"text"'), /items/],
    [
      "an object that grows",
      `const a0 = { ${Array.from({ length: 999 }, (_, i) => `k${i}: 1`)} };\n${chain((a) => `{ ...${a} }`, 300)}`,
      /steps/,
    ],
    [
      "copies of a schema",
      `const a0 = schema("A", ${Array.from({ length: 2000 }, (_, i) => `u8("k${i}")`)});\n${chain((a) => `doc(${a}, "x")`, 2000)}`,
      /items/,
    ],
    ["much text", "x".repeat(200_001), /200,000 characters/],
  ])("ends with %s", (_, text, message) => {
    const { faults, schemas } = readSchema(IMPORT + text);
    expect(schemas).toEqual([]);
    expect(faults).toHaveLength(1);
    expect(faults[0]!.message).toMatch(message);
  });

  it("ends with a schema that refers to functions in a circle", () => {
    const { message, marked } = faultIn('const f = () => g; const g = () => f; const A = schema("A", ref("x", f));');
    expect(message).toContain("expected a schema");
    expect(marked).toBe('ref("x", f)');
  });

  it.each([
    "{a:",
    "f(",
    "`${",
    "x?",
    "()=>",
    "<T>(",
    "async(",
    "a<",
    "- ",
    "u8(",
    "1+",
    "x.y[",
    "a?.(",
    "class{x=",
  ])("is not stopped by many of %s", (part) => {
    for (const start of ["const a = ", "type A = "]) {
      for (const count of [30, 3000]) expect(readSchema(start + part.repeat(count)).faults.length).toBeGreaterThan(0);
    }
  });

  it.each(["(", "[", "{", "<", "/*", "!"])("is not stopped by 100,000 of %s", (part) => {
    for (const start of ["", "const a = "]) {
      const [fault, ...others] = readSchema(start + part.repeat(part.length === 1 ? 100_000 : 50_000)).faults;
      expect(fault!.message.length).toBeLessThan(200);
      expect(others).toEqual([]);
    }
  });

  it("reports deep nesting where it is too deep", () => {
    const deep = (levels: number) =>
      `const A = ${"[".repeat(levels)}${"]".repeat(levels)}; const B = schema("B", u8("x"));`;
    expect(readSchema(IMPORT + deep(90)).faults).toEqual([]);
    expect(faultIn(deep(110)).message).toContain("deeper than 100 levels");
    expect(faultIn(deep(50_000)).message).toBe("This is nested too deep.");
  });
});

/** Forty constants, each made of two of the one before. */
function doubling(next: (name: string) => string, first = '["x", "y"]'): string {
  return `const a0 = ${first}; ${chain(next, 40)}`;
}

function chain(next: (name: string) => string, count: number): string {
  return Array.from({ length: count }, (_, i) => `const a${i + 1} = ${next(`a${i}`)};`).join("\n");
}

describe("errors of schemas", () => {
  it.each<[string, string, string, string]>([
    ["twice the same name", 'const B = schema("B", u8("x"),\n u8("x"));', "1:11", 'schema("B", u8("x"),\n u8("x"))'],
    ["a field", 'const B = schema("B",\n enumeration("x"));', "2:2", 'enumeration("x")'],
    [
      "a default",
      'const B = schema("B",\n doc(withDefault(u8("x"), 300), ""));',
      "2:2",
      'doc(withDefault(u8("x"), 300), "")',
    ],
    [
      "a field of an inner struct",
      'const B = schema("B", ref("a", schema("A",\n array("y", U8, 0))));',
      "2:2",
      'array("y", U8, 0)',
    ],
    [
      "a struct without a name",
      'const B = schema(u8("z"), ref("a", schema(\n array("y", U8, 0))));',
      "2:2",
      'array("y", U8, 0)',
    ],
    ["a function in place of a type", 'const B = schema("B", array("x", BYTES));', "1:23", 'array("x", BYTES)'],
    ["a constant that comes later", 'const B = schema("B", ref("c", C));\nconst C = schema("C");', "1:32", "C"],
    ["a name that does not exist", 'const B = schema("B", ref("c", () => C));', "1:38", "C"],
    ["a call that builds nothing", 'const B = omitNull("x");', "1:11", 'omitNull("x")'],
    ["a name in the wrong case", 'const B = schema("B", Utf8("x"));', "1:23", "Utf8"],
    ["what is not closed", 'const B = schema("B", u8("x")', "1:30", ""],
  ])("stand at %s", (_, text, at, marked) => {
    const fault = faultIn(text);
    expect({ at: fault.at, marked: fault.marked }).toEqual({ at, marked });
  });

  it("are all reported, each once", () => {
    const { faults } = readSchema(
      `${IMPORT}const A = schema("A", nothing("x"));\nconst B = schema("B", ref("a", A));\nconst C = eval("1");\nexport { B };`,
    );
    expect(faults.map(({ line }) => line)).toEqual([2, 4]);
  });

  it("say what to import", () => {
    const [fault] = readSchema('const A = schema("A");').faults;
    expect(fault!.message).toBe('schema is not imported. Add it: import { schema } from "@moonpack/pck";');
    expect(readSchema('import { U9 } from "@moonpack/pck";').faults[0]!.message).toBe("@moonpack/pck exports no U9.");
    expect(readSchema('import { Enumeration } from "@moonpack/pck";').faults[0]!.message).toContain(
      "Is it enumeration?",
    );
    expect(readSchema("").faults[0]!.message).toContain("No schema found.");
  });
});

describe("documents", () => {
  const document = (fields: string, more = "") =>
    `{\n "pck": 1, "root": "A",${more}\n "structs": { "A": {\n "fields": [\n${fields}\n] } } }`;
  const faultOf = (text: string) => {
    const [fault] = readSchema(text).faults;
    return { line: fault!.line, marked: text.slice(fault!.from, fault!.to), code: fault!.code };
  };

  it("are read", () => {
    const { form, schemas } = readSchema(document('{ "name": "x", "type": "u8" }'));
    expect(form).toBe("document");
    expect(pck.fingerprint(schemas[0]!.schema)).toEqual(pck.fingerprint(pck.schema("A", pck.u8("x"))));
  });

  it("have errors at their places", () => {
    const good = '{ "name": "x", "type": "u8" },\n';
    const wrong = '{ "name": "y", "type": "u9" }';
    expect(faultOf(document(good + wrong))).toEqual({ line: 6, marked: wrong, code: "ERR_SCHEMA" });
    expect(faultOf(document('{ "name": "y", "type": "u8", "foo": 1 }')).marked).toBe('"foo": 1');
    expect(faultOf(document(`${good}{ "name": "x", "type": "u8" }`)).line).toBe(3);
    expect(faultOf(document('{ "name": "y", "type": "bool", "omit": ["null"] }')).line).toBe(5);
    expect(faultOf(document("", ' "toot": 2,')).marked).toBe('"toot": 2');
    expect(faultOf('{ "pck": 1, "root": "B", "structs": { "A": { "fields": [] } } }').marked).toBe('"root": "B"');
    expect(faultOf(document(good)).line).toBe(7);
    expect(faultOf('{ "pck": 1,').marked).toBe("");
    expect(faultOf('{ "pck": 1, "__proto__": 2 }').marked).toBe('"__proto__": 2');
  });

  it("differ from data", () => {
    for (const data of [
      '{"a": 1}',
      '[{"a": 1}]',
      '{"a": 1}\n{"a": 2}\n',
      "[1]\n[2]",
      "{}",
      '{ "__proto__": { "pck": 1 } }',
    ])
      expect(readSchema(data).faults.map(({ message }) => message)).toEqual([
        expect.stringContaining("If it is your data, put it into the samples"),
      ]);
    expect(readSchema('{"a":').faults[0]!.message).toContain("This is not JSON");
  });

  it("may be hostile", () => {
    const type = `${'{"array":'.repeat(4_000)}"u8"${"}".repeat(4_000)}`;
    expect(readSchema(document(`{ "name": "x", "type": ${type} }`)).faults[0]!.message).toContain(
      "nested deeper than 64",
    );
    expect(readSchema(`{"pck":1,"root":${"[".repeat(4_000)}`).faults).toHaveLength(1);
  });
});
