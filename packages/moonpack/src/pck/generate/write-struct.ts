/**
 * Source text of the functions that write structs and unions. Room is made once for every run of fields of few bytes; what
 * fails fails with `at`, the field's path, which costs nothing while nothing does.
 */
import { pathStep } from "../../bytes/errors.js";
import { isNumber, isObjectMap } from "../codec/presence.js";
import type { Member, Node, Struct, UnionNode } from "../model/model.js";
import { Code, propertyOf, quoted } from "./code.js";
import { type Module, ownerName } from "./module.js";
import { camel, type Names } from "./names.js";
import { boundedPut } from "./put.js";
import { structType } from "./types.js";
import { depthArgument, type Place, writeValue } from "./write-values.js";

/** Room is made for so many bytes at most at once, but for single fields. */
const RUN_BYTES = 2048;

/** A struct that is written in this function: the whole value, or one of its fields that is inlined. */
interface Scope {
  readonly struct: Struct;
  /** The expression of its value. */
  readonly value: string;
  /** Its path in the function's struct. */
  readonly path: string;
  /** The same as names. */
  readonly names: readonly string[];
  /** What names of its fields begin with. */
  readonly stem: string;
  /** Has the value the types of what is read, as what a class holds has? */
  readonly isHeld: boolean;
}

/** A step of a function. */
interface Step {
  /** The most bytes that it writes at `p`; 0 for what writes none, Infinity for what goes by functions over the writer. */
  readonly bytes: number;
  /** Does it write them to `b`? The others go through the view, or write none. */
  readonly usesBytes: boolean;
  /** Can it be written by a function over the writer, when it stands alone? */
  readonly alone: (() => void) | null;
  write(): void;
}

/** The function that writes a struct, without its header. */
export class StructWriter {
  readonly #place: Place;
  readonly #module: Module;
  readonly #code: Code;
  readonly #names: Names;
  readonly #value: "value" | "this";
  /** The structs within that are written here too, by the names that lead to them. */
  readonly inlined: (readonly string[])[] = [];
  #runs = 0;
  /** Those of them that need `b`. */
  #byteRuns = 0;

  constructor(module: Module, struct: Struct, names: Names, value: "value" | "this" = "value") {
    this.#value = value;
    this.#module = module;
    this.#code = new Code();
    this.#names = names;
    const isDeep = module.facts.isDeep(struct);
    this.#place = { module, code: this.#code, names, isDeep, owner: "" };
  }

  /** The body: writes the value to `w`, and knows its `depth` where that counts. */
  body(struct: Struct): string {
    const { target } = this.#module;
    if (target.validate && this.#value === "value") this.#code.line(`${this.#use("objectOf")}(value);`);
    if (this.#place.isDeep) this.#code.line(`${this.#use("checkNesting")}(w, depth);`);
    const steps: Step[] = [];
    this.#plan({ struct, value: this.#value, path: "", names: [], stem: "", isHeld: this.#isClass(struct) }, steps);
    for (let i = 0; i < steps.length; ) i = this.#writeRun(steps, i);
    const text = this.#code.toString();
    return this.#byteRuns === 1 ? text.replace(/^let b = w\.bytes;$/m, "const b = w.bytes;") : text;
  }

  /** Writes the steps from `first` on that go together; answers the next one. */
  #writeRun(steps: readonly Step[], first: number): number {
    let bytes = 0;
    let end = first;
    let fields = 0;
    for (; end < steps.length; end++) {
      const step = steps[end]!;
      if (step.bytes === Infinity || (fields > 0 && bytes + step.bytes > RUN_BYTES)) break;
      bytes += step.bytes;
      if (step.bytes > 0) fields++;
    }
    if (end === first) {
      steps[first]!.write();
      return first + 1;
    }
    const run = steps.slice(first, end);
    const only = fields === 1 ? run.find((step) => step.bytes > 0) : undefined;
    if (fields === 0 || (only !== undefined && only.alone !== null)) {
      for (const step of run) (step === only ? step.alone! : step.write).call(step);
      return end;
    }
    const declared = (runs: number) => (runs === 0 ? "let " : "");
    this.#code.line(`w.reserve(${bytes});`);
    if (run.some((step) => step.usesBytes)) this.#code.line(`${declared(this.#byteRuns++)}b = w.bytes;`);
    this.#code.line(`${declared(this.#runs++)}p = w.pos;`);
    for (const step of run) step.write();
    this.#code.line("w.pos = p;");
    return end;
  }

  #isClass(struct: Struct): boolean {
    return this.#module.classOf(struct) !== null;
  }

  #use(name: Parameters<Module["use"]>[0]): string {
    return this.#module.use(name);
  }

  /** The steps of a struct, with those of the structs in it that are inlined. */
  #plan(scope: Scope, steps: Step[]): void {
    const { struct } = scope;
    const present = new Map<Member, { readonly name: string; readonly has: string }>();
    if (struct.optionals.length + struct.bools.length > 0) this.#planStore(scope, present, steps);
    for (const member of [...struct.fixed, ...struct.dynamic]) {
      const inner = this.#module.facts.inlined(member);
      if (inner !== null) this.#planInner(scope, member, inner, steps);
      else this.#planField(scope, member, this.#read(scope, member), null, steps);
    }
    for (const member of struct.optionals) {
      const { name, has } = present.get(member)!;
      this.#planField(scope, member, name, has, steps);
    }
  }

  #planInner(scope: Scope, member: Member, inner: Struct, steps: Step[]): void {
    const stem = scope.stem === "" ? member.name : camel(scope.stem, member.name);
    const path = scope.path + pathStep(member.name);
    const name = this.#names.of(stem);
    const given = this.#read(scope, member);
    const value = this.#module.target.validate ? `${this.#use("objectOf")}(${given})` : given;
    steps.push({
      bytes: 0,
      usesBytes: false,
      alone: null,
      write: () => this.#code.line(...this.#at(path), `const ${name} = ${value};`),
    });
    const names = [...scope.names, member.name];
    this.inlined.push(names);
    this.#plan({ struct: inner, value: name, path, names, stem, isHeld: scope.isHeld || this.#isClass(inner) }, steps);
  }

  /** The bit store: what is there, then what is true. */
  #planStore(scope: Scope, present: Map<Member, { name: string; has: string }>, steps: Step[]): void {
    const { optionals, bools, storeBytes } = scope.struct;
    const bits: string[] = [];
    const lines: string[] = [];
    for (const member of optionals) {
      const stem = scope.stem === "" ? member.name : camel(scope.stem, member.name);
      const name = this.#names.of(stem);
      const has = this.#names.of(camel("has", stem));
      present.set(member, { name, has });
      lines.push(...this.#at(scope.path + pathStep(member.name)));
      lines.push(`const ${name} = ${this.#coerced(member, this.#read(scope, member))}${this.#widened(scope, member)};`);
      lines.push(`const ${has} = ${this.#isThere(member, name)};`);
      bits.push(`(${has} ? ${1 << (bits.length & 7)} : 0)`);
    }
    for (const member of bools) {
      const name = this.#names.of(scope.stem === "" ? member.name : camel(scope.stem, member.name));
      const value = this.#read(scope, member);
      lines.push(...this.#at(scope.path + pathStep(member.name)));
      if (this.#module.target.validate) lines.push(`const ${name} = ${this.#use("asBit")}(${value});`);
      else lines.push(`const ${name} = ${value} ? 1 : 0;`);
      const shift = bits.length & 7;
      bits.push(shift === 0 ? name : `(${name} << ${shift})`);
    }
    for (let i = 0; i < bits.length; i += 8) {
      const byte = bits.slice(i, i + 8).join(" | ");
      lines.push(`b[p++] = ${byte.startsWith("(") && !byte.includes("|") ? byte.slice(1, -1) : byte};`);
    }
    steps.push({ bytes: storeBytes, usesBytes: true, alone: null, write: () => this.#code.line(...lines) });
  }

  #planField(scope: Scope, member: Member, value: string, has: string | null, steps: Step[]): void {
    const { type } = member;
    const owner = ownerName(this.#module, scope.struct, member);
    const path = scope.path + pathStep(member.name);
    const place: Place = { ...this.#place, owner };
    const bounded = boundedPut(this.#module, type, value, owner);
    const wrap = (write: () => void) => () => {
      if (has !== null) this.#code.open(`if (${has}) {`);
      this.#code.line(...this.#at(path));
      write();
      if (has !== null) this.#code.close();
    };
    const whole = wrap(() => writeValue(place, type, value, 0));
    if (bounded === null) steps.push({ bytes: Infinity, usesBytes: false, alone: null, write: whole });
    else {
      const lines = () => bounded.lines(bounded.isView ? "w.view" : "b", "p");
      const alone = this.#module.target.validate ? whole : null;
      steps.push({
        bytes: bounded.bytes,
        usesBytes: !bounded.isView,
        alone,
        write: wrap(() => this.#code.line(...lines())),
      });
    }
  }

  #at(path: string): readonly string[] {
    return [`at = ${quoted(path)};`];
  }

  /** The expression of a field's value. */
  #read({ value }: Scope, { name }: Member): string {
    if (this.#module.target.isOwnOnly(name)) return `${this.#use("ownProperty")}(${value}, ${quoted(name)})`;
    return propertyOf(value, name);
  }

  /** Where types are not looked at, what a number is written as must also say whether it is there. */
  #coerced({ omit, type }: Member, value: string): string {
    if (this.#module.target.validate || !omit.has("zero")) return value;
    return COERCIONS.get(type.kind)?.(value) ?? value;
  }

  /** A class has one type for its integers; that they are not the 0 of another one is asked for nevertheless. */
  #widened({ isHeld }: Scope, { omit, type }: Member): string {
    if (!isHeld || !omit.has("zero") || !WIDE.has(type.kind)) return "";
    return this.#module.typed(" as bigint | number");
  }

  /** The expression that an optional field is there. */
  #isThere({ omit, type }: Member, value: string): string {
    const tests = [`${value} !== undefined`];
    if (omit.has("null")) tests.push(`${value} !== null`);
    if (omit.has("empty")) tests.push(this.#isNotEmpty(type, value));
    if (omit.has("zero")) tests.push(this.#isNotZero(type, value));
    return tests.join(" && ");
  }

  #isNotEmpty(type: Node, value: string): string {
    switch (type.kind) {
      case "bytes":
        return `!${this.#use("isEmptyBytes")}(${value})`;
      case "array":
        return `!${this.#use(isNumber(type.element) ? "isEmptyNumbers" : "isEmptyList")}(${value})`;
      case "map":
        return `!${this.#use(isObjectMap(type, this.#module.target) ? "isEmptyRecord" : "isEmptyMap")}(${value})`;
      default:
        return `${value} !== ""`;
    }
  }

  #isNotZero(type: Node, value: string): string {
    switch (type.kind) {
      case "f64":
        return `!Object.is(${value}, 0)`;
      case "f32":
        return `!${this.#use("isZeroF32")}(${value})`;
      case "u64":
      case "i64":
      case "uvar64":
      case "ivar64":
        return `${value} !== 0 && ${value} !== 0n`;
      default:
        return `${value} !== 0`;
    }
  }
}

const WIDE: ReadonlySet<string> = /* @__PURE__ */ new Set(["u64", "i64", "uvar64", "ivar64"]);

const COERCIONS: ReadonlyMap<Node["kind"], (value: string) => string> = /* @__PURE__ */ new Map([
  ["u8", (value: string) => `${value} & 0xff`],
  ["u16", (value: string) => `${value} & 0xffff`],
  ["u32", (value: string) => `${value} >>> 0`],
  ["uvar", (value: string) => `${value} >>> 0`],
  ["i8", (value: string) => `(${value} << 24) >> 24`],
  ["i16", (value: string) => `(${value} << 16) >> 16`],
  ["i32", (value: string) => `${value} | 0`],
  ["ivar", (value: string) => `${value} | 0`],
]);

/** The parameter of what writes a struct: TypeScript may be told to refuse one that is not used. */
function writerName(module: Module, struct: Struct): string {
  return module.facts.isVoid(struct) ? "_w" : "w";
}

/** A function that writes a struct. `type`: that of its value, in typed code. */
export function structWriter(module: Module, name: string, struct: Struct, type: string): string {
  const isDeep = module.facts.isDeep(struct);
  const names = module.names.inner();
  for (const local of ["w", "value", "depth", "at", "b", "p", "error"]) names.take(local);
  const writer = new StructWriter(module, struct, names);
  const body = writer.body(struct);
  const inlined = writer.inlined.map((path) => `[${path.map(quoted).join(", ")}]`).join(", ");
  const error = module.target.validate ? within(module) : `blame(error, at, value, [${inlined}])`;
  return writerFunction(module, name, type, isDeep, body, writerName(module, struct), error);
}

/** The method `pck` of a struct's class: it writes `this`. */
export function structMethod(module: Module, struct: Struct): string {
  const isDeep = module.facts.isDeep(struct);
  const names = module.names.inner();
  for (const local of ["w", "depth", "at", "b", "p", "error"]) names.take(local);
  const body = new StructWriter(module, struct, names, "this").body(struct);
  const code = new Code();
  const type = module.typed(": PackWriter");
  if (body === "") code.line(`pck(_w${type})${module.typed(": void")} {}`);
  else {
    code.open(`pck(${writerName(module, struct)}${type}${isDeep ? ", depth = 1" : ""})${module.typed(": void")} {`);
    guarded(code, body, within(module));
    code.close();
  }
  return code.toString();
}

/** A function that writes a union. */
export function unionWriter(module: Module, name: string, union: UnionNode, type: string): string {
  const isDeep = union.arms.some((arm) => module.facts.isDeep(arm.struct));
  const { discriminator } = union;
  const code = new Code();
  const names = module.names.inner();
  const place: Place = { module, code, names, isDeep, owner: "" };
  code.line(`${module.use("objectOf")}(value);`);
  if (isDeep) code.line(`${module.use("checkNesting")}(w, depth);`);
  code.line(`at = ${quoted(pathStep(discriminator))};`);
  const isOwnOnly = module.target.isOwnOnly(discriminator);
  const kind = isOwnOnly
    ? `${module.use("ownProperty")}(value, ${quoted(discriminator)})`
    : propertyOf("value", discriminator);
  code.open(`switch (${kind}) {`);
  for (const [i, arm] of union.arms.entries()) {
    code.open(`case ${quoted(arm.name)}:`);
    code.line(i < 0x80 ? `${module.use("writeU8")}(w, ${i});` : `${module.use("writeUvar")}(w, ${i});`, `at = "";`);
    const depth = module.facts.isDeep(arm.struct) ? depthArgument(place, 0).replace(" + 0", "") : "";
    // What a call answers does not tell the type of its argument.
    const value = isOwnOnly ? `value${module.typed(` as ${structType(module, arm.struct, "in")}`)}` : "value";
    code.line(`${module.writeCall(arm.struct, value, depth)};`, "break;");
    code.end();
  }
  code.open("default:");
  // Of no type by now: what it is nevertheless is asked for once more.
  const unknown = isOwnOnly ? kind : `Reflect.get(value, ${quoted(discriminator)})`;
  code.line(`throw ${module.use("unknownName")}(${unknown});`);
  code.end();
  code.close();
  return writerFunction(module, name, type, isDeep, code.toString());
}

function writerFunction(
  module: Module,
  name: string,
  type: string,
  isDeep: boolean,
  body: string,
  writer = "w",
  error = within(module),
): string {
  const code = new Code();
  const depth = isDeep ? `, depth${module.typed(": number")}` : "";
  code.open(
    `function ${name}(${writer}${module.typed(": PackWriter")}, value${module.typed(`: ${type}`)}${depth})${module.typed(": void")} {`,
  );
  guarded(code, body, error);
  code.close();
  return code.toString();
}

/** The expression of an error that tells where it was. */
function within(module: Module): string {
  return `${module.use("within")}(error, at)`;
}

/** Statements whose errors become what `error` says. */
function guarded(code: Code, body: string, error: string): void {
  code.line('let at = "";');
  code.open("try {");
  for (const line of body.trimEnd().split("\n")) code.line(line);
  code.turn("} catch (error) {");
  code.line(`throw ${error};`);
  code.close();
}
