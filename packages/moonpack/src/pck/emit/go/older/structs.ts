/** Methods that read older structs as new ones, and functions for unions. */
import type { StructPlan, Target, UnionConversion } from "../../../evolve/plan.js";
import type { Member } from "../../../model/model.js";
import { parametersOf } from "../read-body.js";
import { isPointer, pointed } from "../types.js";
import { OlderBody, type OlderFunctions } from "./functions.js";
import { isAbsent } from "./leaves.js";
import { fillOf } from "./literals.js";
import { callSkip, skipField } from "./skips.js";
import { type PairFunctions, ValueReader } from "./values.js";

/** Functions of pairs of structs, written when they are asked for. */
export class OlderStructs implements PairFunctions {
  readonly #functions: OlderFunctions;

  constructor(functions: OlderFunctions) {
    this.#functions = functions;
  }

  struct(plan: StructPlan): string {
    const { from, to } = plan;
    const { plan: needs, shared, suffix } = this.#functions;
    const type = shared.names.struct(to);
    const self = shared.receiver(to);
    return this.#functions.of(`decode ${from.index}>${to.index}`, `decodeFrom${suffix}`, type, (name) => {
      const body = new OlderBody(this.#functions, needs.isDeep(from));
      body.checkDepth(0);
      new Fields(body, this, plan).read();
      body.add("return i, nil");
      const parameters = parametersOf(needs.isDeep(from), needs.hasCounts(from));
      return body.close(
        `${name} reads ${self} from fields of ${suffix} at i and answers where they end.`,
        `func (${self} *${type}) ${name}(b []byte, ${parameters} int) (int, *${body.run("Error")})`,
      );
    });
  }

  union(union: UnionConversion, unknown: string | undefined): string {
    const { from, to, arms } = union;
    const { plan, shared, suffix } = this.#functions;
    const type = shared.names.named(to).name;
    const pairs = arms.map((arm, i) => [from.arms[i]!.struct.index, arm?.plan.to.index, arm?.place]);
    const isMissing = arms.includes(undefined);
    const key = `union ${type} ${JSON.stringify([pairs, isMissing ? unknown : undefined])}`;
    return this.#functions.of(key, `decode${type}From${suffix}`, "", (name) => {
      const body = new OlderBody(this.#functions, plan.typeIsDeep(from), "nil, ");
      this.#arms(body, union, unknown);
      const parameters = parametersOf(plan.typeIsDeep(from), plan.typeHasCounts(from));
      return body.close(
        `${name} reads the place and the fields of an arm of ${suffix}.`,
        `func ${name}(b []byte, ${parameters} int) (${type}, int, *${body.run("Error")})`,
      );
    });
  }

  #arms(body: OlderBody, { from, to, arms }: UnionConversion, unknown: string | undefined): void {
    body.checkDepth(0);
    const { parts } = body.shared.names.named(to);
    const isRefused = unknown === undefined && arms.includes(undefined);
    if (isRefused) body.add("at := i");
    const last = arms.length - 1;
    if (last > 0) body.add("var place uint32");
    body.try(last > 0 ? "place" : "_", `${body.run("Place")}(b, i, ${arms.length})`);
    const readArm = (i: number) => {
      const arm = arms[i];
      if (arm !== undefined) {
        body.add(`arm := ${body.shared.make(parts[arm.place]!)}`);
        new ValueReader(body, this).struct(arm.plan, "arm.Value", "depth");
        body.add("return arm, i, nil");
      } else if (unknown === undefined) body.fail(`${body.run("Fail")}("ERR_UNKNOWN_INDEX", at)`);
      else {
        callSkip(body, from.arms[i]!.struct, "depth");
        body.add(`return ${unknown}, i, nil`);
      }
    };
    if (last === 0) return readArm(0);
    body.add("switch place {");
    for (const i of arms.keys()) {
      body.add(i < last ? `case ${i}:` : "default:");
      body.lines.indent(() => readArm(i));
    }
    body.add("}");
  }
}

/** Reads the fields of one struct. */
class Fields {
  readonly #body: OlderBody;
  readonly #values: ValueReader;
  readonly #plan: StructPlan;

  constructor(body: OlderBody, pairs: PairFunctions, plan: StructPlan) {
    this.#body = body;
    this.#values = new ValueReader(body, pairs);
    this.#plan = plan;
  }

  read(): void {
    const { from, fields, added } = this.#plan;
    const body = this.#body;
    const store = this.#store();
    for (const { from: member, target } of fields) {
      if (member.isOptional || member.type.kind === "bool") continue;
      if (target === undefined) skipField(body, member);
      else this.#value(target);
    }
    for (const [place, member] of from.optionals.entries()) {
      const { target } = fields.find((field) => field.from === member)!;
      const isThere = `if ${body.run("Bit")}(b, ${store}, ${place})`;
      if (target === undefined) body.block(isThere, () => skipField(body, member));
      else {
        body.lines.either(
          isThere,
          () => this.#optional(member, target),
          () => body.add(`${this.#x(target.member)} = ${fillOf(body.functions, target.member, target.ifAbsent!)}`),
        );
      }
    }
    for (const { member, fill } of added) body.add(`${this.#x(member)} = ${fillOf(body.functions, member, fill)}`);
  }

  /** Reads the bit store; answers the variable that has its place, if there is any use for it. */
  #store(): string {
    const { from, fields } = this.#plan;
    const body = this.#body;
    const count = from.optionals.length + from.bools.length;
    if (count === 0) return "";
    const bools = fields.filter((field) => field.from.type.kind === "bool");
    const isUsed = from.optionals.length > 0 || bools.some(({ target }) => target !== undefined);
    const store = isUsed ? body.fresh("store") : "";
    if (isUsed) body.add(`${store} := i`);
    body.try("", `${body.run("Bits")}(b, i, ${count})`);
    for (const [i, { target }] of bools.entries()) {
      if (target === undefined) continue;
      const bit = `${body.run("Bit")}(b, ${store}, ${from.optionals.length + i})`;
      body.add(`${this.#x(target.member)} = ${body.shared.owned(target.member.type, bit)}`);
    }
    return store;
  }

  #x(member: Member): string {
    return `${this.#body.shared.receiver(this.#plan.to)}.${this.#body.shared.names.field(member)}`;
  }

  /** Reads a field that is there; answers the variable of its value. */
  #value({ member, conversion, ifUnknown }: Target): string {
    const { shared } = this.#body;
    const body = this.#body;
    const x = this.#x(member);
    if (isPointer(member)) body.add(`${x} = ${shared.newOf(member.type)}`);
    const value = isPointer(member) ? pointed(member.type, x) : x;
    this.#values.read(conversion, value, 0, ifUnknown === undefined ? undefined : { member, fill: ifUnknown });
    return value;
  }

  #optional(from: Member, target: Target): void {
    const body = this.#body;
    const kind = from.omit.has("zero") ? "zero" : from.omit.has("empty") ? "empty" : undefined;
    if (kind === undefined) {
      this.#value(target);
      return;
    }
    const at = body.fresh("at");
    body.add(`${at} := i`);
    const value = this.#value(target);
    const condition = isAbsent(body, kind, target.member.type, value);
    body.block(`if ${condition}`, () => body.fail(`${body.run("Fail")}("ERR_NOT_CANONICAL", ${at})`));
  }
}
