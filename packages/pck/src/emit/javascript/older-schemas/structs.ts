/** The functions that read older structs and unions as new ones. */

import { isWide } from "../../../evolve/numbers.js";
import type { Fill, StructPlan, Target, UnionConversion } from "../../../evolve/plan.js";
import { entryOf, quoted } from "../../../generate/code.js";
import { ownerName } from "../../../generate/module.js";
import { camel } from "../../../generate/names.js";
import { inType, memberType, structType } from "../../../generate/types.js";
import type { Member } from "../../../model/model.js";
import { absentValue, type FieldOrder, fieldOrder } from "../../older-schemas/field-order.js";
import { isDeepUnion, type OlderFunctions, objectText, olderName, pairKey } from "./functions.js";
import { OlderBody } from "./older-body.js";
import { callSkip, skipField } from "./skips.js";
import { isExpression, JavaScriptConversionEmitter, type PairFunctions } from "./values.js";

const LINE_WIDTH = 110;

/** Writes the functions that read one struct or union as another, at their first use. */
export class OlderStructs implements PairFunctions {
  readonly #functions: OlderFunctions;

  constructor(functions: OlderFunctions) {
    this.#functions = functions;
  }

  struct(plan: StructPlan): string {
    const { module, version } = this.#functions;
    const stem = camel("read", module.nameOf(plan.to), "From", version.name);
    return this.#functions.nameOf(`read ${pairKey(plan)}`, stem, (name) => {
      const body = new OlderBody(this.#functions, this.#functions.traits.isDeep(plan.from));
      body.checkDepth(0);
      body.countElements(this.#functions.added.of(plan));
      const entries = new JavaScriptFieldEmitter(body, this, plan).read();
      const line = `return ${objectText(entries)};`;
      if (line.length <= LINE_WIDTH) body.code.line(line);
      else {
        body.code.open("return {");
        body.code.line(...entries.map((entry) => `${entry},`));
        body.code.close("};");
      }
      return body.functionText(name, structType(module, plan.to, "out"));
    });
  }

  union(union: UnionConversion, unknown: Fill | undefined, owner: string): string {
    const { module, version } = this.#functions;
    const isMissing = union.arms.includes(undefined);
    const fallback = isMissing && unknown !== undefined ? this.#functions.fill(unknown, "start") : "";
    const arms = union.arms.map((arm, i) => (arm === undefined ? union.from.arms[i]!.struct.index : pairKey(arm.plan)));
    const names = union.from.arms.map((arm) => arm.name);
    const key = `union ${JSON.stringify([names, arms, union.to.discriminator, fallback])}`;
    return this.#functions.nameOf(key, camel("read", owner, "From", version.name), (name) => {
      const body = new OlderBody(this.#functions, isDeepUnion(this.#functions.traits, union.from));
      this.#arms(body, union, isMissing, fallback);
      const type = inType(module, union.to, "out");
      return body.functionText(name, fallback === "null" ? `${type} | null` : type);
    });
  }

  #arms(body: OlderBody, { from, to, arms }: UnionConversion, isMissing: boolean, fallback: string): void {
    const { code } = body;
    body.checkDepth(0);
    if (isMissing) code.line("const start = r.pos;");
    code.open(`switch (${body.use("readIndex")}(r, ${arms.length})) {`);
    for (const [i, arm] of arms.entries()) {
      // `readIndex` has checked the index, so the last arm needs no test.
      code.open(i < arms.length - 1 ? `case ${i}:` : "default:");
      const { struct } = from.arms[i]!;
      if (arm !== undefined || fallback !== "") body.countElements(body.module.weights.struct(struct));
      if (arm !== undefined) {
        const kind = entryOf(to.discriminator, quoted(to.arms[arm.place]!.name));
        const fields = `${this.struct(arm.plan)}(r${body.depthArgument(struct, 0)})`;
        code.line(`return { ${kind}, ...${fields} };`);
      } else if (fallback === "") code.line(`return ${body.use("noSuchName")}(start);`);
      else {
        callSkip(body, struct, 0);
        code.line(`return ${fallback};`);
      }
      code.endCase();
    }
    code.close();
  }
}

/** Writes the statements that read the fields of one struct. */
class JavaScriptFieldEmitter {
  readonly #body: OlderBody;
  readonly #values: JavaScriptConversionEmitter;
  readonly #plan: StructPlan;
  /** The expressions of the new fields. */
  readonly #expressions = new Map<Member, string>();

  constructor(body: OlderBody, pairs: PairFunctions, plan: StructPlan) {
    this.#body = body;
    this.#values = new JavaScriptConversionEmitter(body, pairs);
    this.#plan = plan;
  }

  /** Writes the statements. Returns the entries of the object. */
  read(): readonly string[] {
    const { to, added } = this.#plan;
    const order = fieldOrder(this.#plan);
    const bits = this.#store(order);
    for (const { from: member, target } of order.required) {
      this.#setOwner(member, target);
      if (target === undefined) skipField(this.#body, member);
      else {
        const name = this.#nameOf(target.member);
        this.#values.declare(name, target.conversion, 0, target.ifUnknown);
        this.#expressions.set(target.member, this.#normalized(target, name));
      }
    }
    for (const { from: member, target, bit } of order.optional) {
      this.#setOwner(member, target);
      this.#optional(member, target, `${this.#body.use("bitAt")}(r, ${bits}, ${bit})`);
    }
    for (const { member, fill } of added) this.#expressions.set(member, this.#body.functions.fill(fill, "r.pos"));
    return to.members.map((member) => entryOf(member.name, this.#expressions.get(member)!));
  }

  /** Reads the bit store. Returns the variable that has its position; "" if no bit is used. */
  #store({ bitCount, usesBits, bools }: FieldOrder): string {
    if (bitCount === 0) return "";
    const bits = usesBits ? this.#body.names.unique("bits") : "";
    this.#body.code.line(`${usesBits ? `const ${bits} = ` : ""}${this.#body.use("readBits")}(r, ${bitCount});`);
    for (const { target, bit } of bools) {
      this.#expressions.set(target.member, `${this.#body.use("bitAt")}(r, ${bits}, ${bit})`);
    }
    return bits;
  }

  /** Sets the owner name for the values that follow. */
  #setOwner(member: Member, target: Target | undefined): void {
    const { from, to } = this.#plan;
    this.#body.owner =
      target === undefined ? camel(olderName(from), member.name) : ownerName(this.#body.module, to, target.member);
  }

  #nameOf(member: Member): string {
    return this.#body.names.unique(member.name);
  }

  #optional(member: Member, target: Target | undefined, isThere: string): void {
    const { code, functions, module } = this.#body;
    if (target === undefined) {
      code.open(`if (${isThere}) {`);
      this.#body.countElements(module.weights.present(member.type));
      skipField(this.#body, member);
      return code.close();
    }
    const { conversion, ifAbsent, ifUnknown } = target;
    const name = this.#nameOf(target.member);
    const absent = functions.fill(ifAbsent!, "r.pos");
    // A constant is assigned at the declaration: it allocates nothing.
    const isFirst = /^(?:null|-?\d+n?|"[^"]*")$/.test(absent);
    const type = memberType(module, target.member, "out");
    code.line(`let ${name}${module.typed(`: ${type}`)}${isFirst ? ` = ${absent}` : ""};`);
    code.open(`if (${isThere}) {`);
    this.#body.countElements(module.weights.present(member.type));
    const kind = absentValue(member);
    const start = kind === undefined ? "" : this.#body.names.unique("start");
    if (kind !== undefined) code.line(`const ${start} = r.pos;`);
    let value = name;
    if (isExpression(conversion)) this.#values.assign(name, conversion, 0, ifUnknown);
    else {
      value = this.#body.names.unique(conversion.kind === "map" ? "map" : "list");
      this.#values.declare(value, conversion, 0);
    }
    if (kind !== undefined) {
      code.line(`if (${this.#test(kind, target, value)}) throw ${this.#body.use("notCanonical")}(${start});`);
    }
    // Non-canonical values of the older field were already rejected.
    const normalized = kind === undefined ? this.#normalized(target, value) : value;
    if (normalized !== name) code.line(`${name} = ${normalized};`);
    if (isFirst) code.close();
    else {
      code.reopen("} else {");
      code.line(`${name} = ${absent};`);
      code.close();
    }
    this.#expressions.set(target.member, name);
  }

  /** Returns the value, or null if it means absent in the new field. */
  #normalized(target: Target, value: string): string {
    const kind = absentValue(target.member);
    if (kind === undefined || !target.member.omit.has("null")) return value;
    return `${this.#test(kind, target, value)} ? null : ${value}`;
  }

  #test(kind: "zero" | "empty", { member: { type } }: Target, value: string): string {
    const isBig = isWide(type.kind) && this.#body.module.target.int64 === "bigint";
    return this.#body.isAbsent(kind, type, value, isBig);
  }
}
