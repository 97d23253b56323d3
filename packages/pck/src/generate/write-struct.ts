/**
 * Source text of the functions that write structs and unions. Room is reserved once for each run of small fields.
 * Errors carry `at`, the field's path, which costs nothing while no error occurs.
 */
import { pathStep } from "moonpack/bytes";
import { isNumber, isObjectMap } from "../closures/representation.js";
import type { Member, Node, Struct, UnionNode } from "../model/model.js";
import { Code, propertyOf, quoted } from "./code.js";
import { type Module, ownerName } from "./module.js";
import { camel, type Names } from "./names.js";
import { isWide, structType } from "./types.js";
import { smallWrite } from "./write-small.js";
import { depthArgument, type WriteContext, writeValue } from "./write-values.js";

/** The most bytes for which space is reserved in one step, except for a single larger field. */
const RUN_BYTES = 2048;
/** The most fields of a function that are checked in place: V8 does not optimise a function of more than 60 KB of bytecode. */
const CHECKED_FIELDS = 128;

/** A struct that this function writes: its own, or an inlined field. */
interface Scope {
  readonly struct: Struct;
  /** The expression of its value. */
  readonly value: string;
  /** Its path within the function's struct. */
  readonly path: string;
  /** The names on that path. */
  readonly names: readonly string[];
  /** The beginning of names for its fields. */
  readonly stem: string;
  /** Whether the value has the types of decoded values, as the fields of a class do. */
  readonly hasDecodedTypes: boolean;
}

/** One step of a function. */
interface WriteStep {
  /**
   * The most bytes that it writes at `p`: 0 if it writes none, Infinity if it calls a function that takes the writer.
   */
  readonly bytes: number;
  /** Whether it writes to `b`, and not through the view. */
  readonly usesBytes: boolean;
  /** Writes the step with a function that takes the writer, if no other step shares its room; null if there is none. */
  readonly alone: (() => void) | null;
  write(): void;
}

/** The body of a function that writes a struct. */
export class StructWriter {
  readonly #context: WriteContext;
  readonly #module: Module;
  readonly #code: Code;
  readonly #names: Names;
  readonly #value: "value" | "this";
  /** The inlined structs, each as the names that lead to it. */
  readonly inlined: (readonly string[])[] = [];
  #runs = 0;
  /** The runs that use `b`. */
  #byteRuns = 0;
  #fields = 0;

  constructor(module: Module, struct: Struct, names: Names, value: "value" | "this" = "value") {
    this.#value = value;
    this.#module = module;
    this.#code = new Code();
    this.#names = names;
    const isDeep = module.traits.isDeep(struct);
    this.#context = { module, code: this.#code, names, isDeep, owner: "" };
  }

  /** Returns the text of the body. It writes the value to `w`, and uses `depth` if the struct is deep. */
  body(struct: Struct): string {
    const { target } = this.#module;
    if (target.validate && this.#value === "value") this.#code.line(`${this.#use("objectOf")}(value);`);
    if (this.#context.isDeep) this.#code.line(`${this.#use("checkNesting")}(w, depth);`);
    const steps: WriteStep[] = [];
    this.#plan(
      { struct, value: this.#value, path: "", names: [], stem: "", hasDecodedTypes: this.#isClass(struct) },
      steps,
    );
    for (let i = 0; i < steps.length; ) i = this.#writeRun(steps, i);
    const text = this.#code.toString();
    return this.#byteRuns === 1 ? text.replace(/^let b = w\.bytes;$/m, "const b = w.bytes;") : text;
  }

  /** Writes the steps from `first` that share their room. Returns the index of the next step. */
  #writeRun(steps: readonly WriteStep[], first: number): number {
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

  /** Adds the steps of a struct, and of the structs that are inlined in it. */
  #plan(scope: Scope, steps: WriteStep[]): void {
    const { struct } = scope;
    const present = new Map<Member, { readonly name: string; readonly has: string }>();
    if (struct.optionals.length + struct.bools.length > 0) this.#planStore(scope, present, steps);
    for (const member of [...struct.fixed, ...struct.dynamic]) {
      const inner = this.#module.traits.inlined(member);
      if (inner !== null) this.#planInner(scope, member, inner, steps);
      else this.#planField(scope, member, this.#read(scope, member), null, steps);
    }
    for (const member of struct.optionals) {
      const { name, has } = present.get(member)!;
      this.#planField(scope, member, name, has, steps);
    }
  }

  #planInner(scope: Scope, member: Member, inner: Struct, steps: WriteStep[]): void {
    const stem = scope.stem === "" ? member.name : camel(scope.stem, member.name);
    const path = scope.path + pathStep(member.name);
    const name = this.#names.unique(stem);
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
    this.#plan(
      { struct: inner, value: name, path, names, stem, hasDecodedTypes: scope.hasDecodedTypes || this.#isClass(inner) },
      steps,
    );
  }

  /** Adds the bit store: presence bits, then bools. */
  #planStore(scope: Scope, present: Map<Member, { name: string; has: string }>, steps: WriteStep[]): void {
    const { optionals, bools, storeBytes } = scope.struct;
    const bits: string[] = [];
    const lines: string[] = [];
    for (const member of optionals) {
      const stem = scope.stem === "" ? member.name : camel(scope.stem, member.name);
      const name = this.#names.unique(stem);
      const has = this.#names.unique(camel("has", stem));
      present.set(member, { name, has });
      lines.push(...this.#at(scope.path + pathStep(member.name)));
      lines.push(`const ${name} = ${this.#coerced(member, this.#read(scope, member))}${this.#widened(scope, member)};`);
      lines.push(`const ${has} = ${this.#isThere(member, name)};`);
      bits.push(`(${has} ? ${1 << (bits.length & 7)} : 0)`);
    }
    for (const member of bools) {
      const name = this.#names.unique(scope.stem === "" ? member.name : camel(scope.stem, member.name));
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

  #planField(scope: Scope, member: Member, value: string, has: string | null, steps: WriteStep[]): void {
    const { type } = member;
    const owner = ownerName(this.#module, scope.struct, member);
    const path = scope.path + pathStep(member.name);
    const context: WriteContext = { ...this.#context, owner };
    const stem = scope.stem === "" ? member.name : camel(scope.stem, member.name);
    const local = this.#fields++ < CHECKED_FIELDS ? () => this.#names.unique(stem) : null;
    const bounded = smallWrite(this.#module, type, value, owner, local);
    const wrap = (write: () => void) => () => {
      if (has !== null) this.#code.open(`if (${has}) {`);
      this.#code.line(...this.#at(path));
      write();
      if (has !== null) this.#code.close();
    };
    const whole = wrap(() => writeValue(context, type, value, 0));
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

  /** Returns the expression of a field's value. */
  #read({ value }: Scope, { name }: Member): string {
    if (this.#module.target.isOwnOnly(name)) return `${this.#use("ownProperty")}(${value}, ${quoted(name)})`;
    return propertyOf(value, name);
  }

  /** Without validation, a number is converted before its presence is tested, so that both agree. */
  #coerced({ omit, type }: Member, value: string): string {
    if (this.#module.target.validate || !omit.has("zero")) return value;
    return COERCIONS.get(type.kind)?.(value) ?? value;
  }

  /** Returns the field's type. A class has one type for its integers: it is widened, because zero is checked as 0 and as 0n. */
  #widened({ hasDecodedTypes }: Scope, { omit, type }: Member): string {
    if (!hasDecodedTypes || !omit.has("zero") || !isWide(type.kind)) return "";
    return this.#module.typed(" as bigint | number");
  }

  /** Returns the test whether an optional field is present: `omitNull`, `omitEmpty` and `omitZero` add conditions. */
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

/** Returns the name of the parameter for the writer: TypeScript can be set to reject unused ones. */
function writerName(module: Module, struct: Struct): string {
  return module.traits.hasNoBytes(struct) ? "_w" : "w";
}

/** Returns the function that writes a struct. `type`: the type of its value, in typed code. */
export function structWriter(module: Module, name: string, struct: Struct, type: string): string {
  const isDeep = module.traits.isDeep(struct);
  const names = module.names.inner();
  for (const local of ["w", "value", "depth", "at", "b", "p", "error"]) names.reserve(local);
  const writer = new StructWriter(module, struct, names);
  const body = writer.body(struct);
  const inlined = writer.inlined.map((path) => `[${path.map(quoted).join(", ")}]`).join(", ");
  const error = module.target.validate ? within(module) : `locateError(error, at, value, [${inlined}])`;
  return writerFunction(module, name, type, isDeep, body, writerName(module, struct), error);
}

/** Returns the method `pck` of a struct's class, which writes `this`. */
export function structMethod(module: Module, struct: Struct): string {
  const isDeep = module.traits.isDeep(struct);
  const names = module.names.inner();
  for (const local of ["w", "depth", "at", "b", "p", "error"]) names.reserve(local);
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

/** Returns the function that writes a union. */
export function unionWriter(module: Module, name: string, union: UnionNode, type: string): string {
  const isDeep = union.arms.some((arm) => module.traits.isDeep(arm.struct));
  const { discriminator } = union;
  const code = new Code();
  const names = module.names.inner();
  const context: WriteContext = { module, code, names, isDeep, owner: "" };
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
    const depth = module.traits.isDeep(arm.struct) ? depthArgument(context, 0).replace(" + 0", "") : "";
    // `ownProperty` does not narrow the type of its argument.
    const value = isOwnOnly ? `value${module.typed(` as ${structType(module, arm.struct, "in")}`)}` : "value";
    code.line(`${module.writeCall(arm.struct, value, depth)};`, "break;");
    code.endCase();
  }
  code.open("default:");
  // TypeScript has narrowed the value to never; read it again untyped.
  const unknown = isOwnOnly ? kind : `Reflect.get(value, ${quoted(discriminator)})`;
  code.line(`throw ${module.use("unknownName")}(${unknown});`);
  code.endCase();
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

/** Returns the expression of an error that carries the path. */
function within(module: Module): string {
  return `${module.use("within")}(error, at)`;
}

/** Adds statements. `error`: the expression that is thrown when they fail. */
function guarded(code: Code, body: string, error: string): void {
  code.line('let at = "";');
  code.open("try {");
  for (const line of body.trimEnd().split("\n")) code.line(line);
  code.reopen("} catch (error) {");
  code.line(`throw ${error};`);
  code.close();
}
