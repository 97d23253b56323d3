/** The functions that read older structs and unions as new ones. */

import { isWide } from "../../../evolve/numbers.js";
import type { Fill, StructPlan, Target, UnionConversion } from "../../../evolve/plan.js";
import { Code, entryOf, quoted } from "../../../generate/code.js";
import { ownerName } from "../../../generate/module.js";
import { camel } from "../../../generate/names.js";
import { inType, memberType, structType } from "../../../generate/types.js";
import type { Member } from "../../../model/model.js";
import { Body } from "./body.js";
import { isDeepUnion, type OlderFunctions, objectText, olderName, pairKey } from "./functions.js";
import { callSkip, skipField } from "./skips.js";
import { isExpression, type PairFunctions, ValueReader } from "./values.js";

const LINE_WIDTH = 110;

/** Functions of pairs of structs, written when they are asked for. */
export class OlderStructs implements PairFunctions {
  readonly #functions: OlderFunctions;

  constructor(functions: OlderFunctions) {
    this.#functions = functions;
  }

  struct(plan: StructPlan): string {
    const { module, version } = this.#functions;
    const stem = camel("read", module.nameOf(plan.to), "From", version.name);
    return this.#functions.of(`read ${pairKey(plan)}`, stem, (name) => {
      const body = new Body(this.#functions, this.#functions.facts.isDeep(plan.from));
      body.checkDepth(0);
      const entries = new Fields(body, this, plan).read();
      const line = `return ${objectText(entries)};`;
      if (line.length <= LINE_WIDTH) body.code.line(line);
      else {
        body.code.open("return {");
        body.code.line(...entries.map((entry) => `${entry},`));
        body.code.close("};");
      }
      return functionText(body, name, structType(module, plan.to, "out"));
    });
  }

  union(union: UnionConversion, unknown: Fill | undefined, owner: string): string {
    const { module, version } = this.#functions;
    const isMissing = union.arms.includes(undefined);
    const fallback = isMissing && unknown !== undefined ? this.#functions.fill(unknown, "start") : "";
    const arms = union.arms.map((arm, i) => (arm === undefined ? union.from.arms[i]!.struct.index : pairKey(arm.plan)));
    const names = union.from.arms.map((arm) => arm.name);
    const key = `union ${JSON.stringify([names, arms, union.to.discriminator, fallback])}`;
    return this.#functions.of(key, camel("read", owner, "From", version.name), (name) => {
      const body = new Body(this.#functions, isDeepUnion(this.#functions.facts, union.from));
      this.#arms(body, union, isMissing, fallback);
      const type = inType(module, union.to, "out");
      return functionText(body, name, fallback === "null" ? `${type} | null` : type);
    });
  }

  #arms(body: Body, { from, to, arms }: UnionConversion, isMissing: boolean, fallback: string): void {
    const { code } = body;
    body.checkDepth(0);
    if (isMissing) code.line("const start = r.pos;");
    code.open(`switch (${body.use("readIndex")}(r, ${arms.length})) {`);
    for (const [i, arm] of arms.entries()) {
      // The index is one of these: the last one needs no test.
      code.open(i < arms.length - 1 ? `case ${i}:` : "default:");
      const { struct } = from.arms[i]!;
      if (arm !== undefined) {
        const kind = entryOf(to.discriminator, quoted(to.arms[arm.place]!.name));
        const fields = `${this.struct(arm.plan)}(r${body.depthArgument(struct, 0)})`;
        code.line(`return { ${kind}, ...${fields} };`);
      } else if (fallback === "") code.line(`return ${body.use("noSuchName")}(start);`);
      else {
        callSkip(body, struct, 0);
        code.line(`return ${fallback};`);
      }
      code.end();
    }
    code.close();
  }
}

/** Reads the fields of one struct. */
class Fields {
  readonly #body: Body;
  readonly #values: ValueReader;
  readonly #plan: StructPlan;
  /** The expressions of the new fields. */
  readonly #expressions = new Map<Member, string>();

  constructor(body: Body, pairs: PairFunctions, plan: StructPlan) {
    this.#body = body;
    this.#values = new ValueReader(body, pairs);
    this.#plan = plan;
  }

  /** Writes what reads them; answers the entries of the object. */
  read(): readonly string[] {
    const { from, to, fields, added } = this.#plan;
    const bits = this.#store();
    for (const { from: member, target } of fields) {
      if (member.isOptional || member.type.kind === "bool") continue;
      this.#own(member, target);
      if (target === undefined) skipField(this.#body, member);
      else {
        const name = this.#nameOf(target.member);
        this.#values.declare(name, target.conversion, 0, target.ifUnknown);
        this.#expressions.set(target.member, this.#settled(target, name));
      }
    }
    for (const [i, member] of from.optionals.entries()) {
      const { target } = fields.find((field) => field.from === member)!;
      this.#own(member, target);
      this.#optional(member, target, `${this.#body.use("bitAt")}(r, ${bits}, ${i})`);
    }
    for (const { member, fill } of added) this.#expressions.set(member, this.#body.functions.fill(fill, "r.pos"));
    return to.members.map((member) => entryOf(member.name, this.#expressions.get(member)!));
  }

  /** Reads the bit store; answers the variable that has its place, if there is any use for it. */
  #store(): string {
    const { from, fields } = this.#plan;
    const count = from.optionals.length + from.bools.length;
    if (count === 0) return "";
    const bools = fields.filter((field) => field.from.type.kind === "bool");
    const isUsed = from.optionals.length > 0 || bools.some(({ target }) => target !== undefined);
    const bits = isUsed ? this.#body.names.of("bits") : "";
    this.#body.code.line(`${isUsed ? `const ${bits} = ` : ""}${this.#body.use("readBits")}(r, ${count});`);
    for (const [i, { target }] of bools.entries()) {
      if (target === undefined) continue;
      const bit = from.optionals.length + i;
      this.#expressions.set(target.member, `${this.#body.use("bitAt")}(r, ${bits}, ${bit})`);
    }
    return bits;
  }

  /** Whose the values are that follow. */
  #own(member: Member, target: Target | undefined): void {
    const { from, to } = this.#plan;
    this.#body.owner =
      target === undefined ? camel(olderName(from), member.name) : ownerName(this.#body.module, to, target.member);
  }

  #nameOf(member: Member): string {
    return this.#body.names.of(member.name);
  }

  #optional(member: Member, target: Target | undefined, isThere: string): void {
    const { code, functions, module } = this.#body;
    if (target === undefined) {
      code.open(`if (${isThere}) {`);
      skipField(this.#body, member);
      return code.close();
    }
    const { conversion, ifAbsent, ifUnknown } = target;
    const name = this.#nameOf(target.member);
    const absent = functions.fill(ifAbsent!, "r.pos");
    // What costs nothing to be made is there at once.
    const isFirst = /^(?:null|-?\d+n?|"[^"]*")$/.test(absent);
    const type = memberType(module, target.member, "out");
    code.line(`let ${name}${module.typed(`: ${type}`)}${isFirst ? ` = ${absent}` : ""};`);
    code.open(`if (${isThere}) {`);
    const kind = absenceKind(member);
    const start = kind === undefined ? "" : this.#body.names.of("start");
    if (kind !== undefined) code.line(`const ${start} = r.pos;`);
    let value = name;
    if (isExpression(conversion)) this.#values.assign(name, conversion, 0, ifUnknown);
    else {
      value = this.#body.names.of(conversion.kind === "map" ? "map" : "list");
      this.#values.declare(value, conversion, 0);
    }
    if (kind !== undefined) {
      code.line(`if (${this.#test(kind, target, value)}) throw ${this.#body.use("notCanonical")}(${start});`);
    }
    // What means absent has been refused where it meant so to the older field.
    const settled = kind === undefined ? this.#settled(target, value) : value;
    if (settled !== name) code.line(`${name} = ${settled};`);
    if (isFirst) code.close();
    else {
      code.turn("} else {");
      code.line(`${name} = ${absent};`);
      code.close();
    }
    this.#expressions.set(target.member, name);
  }

  /** A value, or null where it means absent to the new field. */
  #settled(target: Target, value: string): string {
    const kind = absenceKind(target.member);
    if (kind === undefined || !target.member.omit.has("null")) return value;
    return `${this.#test(kind, target, value)} ? null : ${value}`;
  }

  #test(kind: "zero" | "empty", { member: { type } }: Target, value: string): string {
    const isBig = isWide(type.kind) && this.#body.module.target.int64 === "bigint";
    return this.#body.isAbsent(kind, type, value, isBig);
  }
}

/** Which value means absent, null apart. */
function absenceKind({ omit }: Member): "zero" | "empty" | undefined {
  return omit.has("zero") ? "zero" : omit.has("empty") ? "empty" : undefined;
}

function functionText({ code: inner, isDeep, module }: Body, name: string, type: string): string {
  const code = new Code();
  const depth = isDeep ? `, depth${module.typed(": number")}` : "";
  code.open(`function ${name}(r${module.typed(": PackReader")}${depth})${module.typed(`: ${type}`)} {`);
  for (const line of inner.toString().trimEnd().split("\n")) code.line(line);
  code.close();
  return code.toString();
}
