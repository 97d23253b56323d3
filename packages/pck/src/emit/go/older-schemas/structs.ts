/** Methods that read older structs as new ones, and functions that do so for unions. */
import type { StructPlan, Target, UnionConversion } from "../../../evolve/plan.js";
import type { Member } from "../../../model/model.js";
import { absentValue, type FieldOrder, fieldOrder } from "../../older-schemas/field-order.js";
import { parametersOf } from "../read-body.js";
import { isPointer, pointed } from "../types.js";
import { filledMemory } from "./fill-memory.js";
import { OlderBody, type OlderFunctions } from "./functions.js";
import { isAbsent } from "./leaves.js";
import { fillOf } from "./literals.js";
import { callSkip, skipField } from "./skips.js";
import { GoConversionEmitter, type PairFunctions } from "./values.js";

/** Writes the functions that read one struct or union as another, at their first use. */
export class OlderStructs implements PairFunctions {
  readonly #functions: OlderFunctions;

  constructor(functions: OlderFunctions) {
    this.#functions = functions;
  }

  struct(plan: StructPlan): string {
    const { from, to } = plan;
    const { needs, context, suffix } = this.#functions;
    const type = context.names.struct(to);
    const self = context.receiver(to);
    return this.#functions.nameOf(`decode ${from.index}>${to.index}`, `decodeFrom${suffix}`, type, (name) => {
      const body = new OlderBody(this.#functions, needs.isDeep(from));
      body.checkDepth(0);
      body.takeMemory(context.memory.counted(filledMemory(plan, context), from.minBytes));
      new GoFieldEmitter(body, this, plan).read();
      body.add("return i, nil");
      const parameters = parametersOf(this.#functions.needsOf([from]));
      return body.close(
        `${name} reads ${self} from the fields of ${suffix} at i and returns their end.`,
        `func (${self} *${type}) ${name}(${parameters}) (int, *${body.runtime("Error")})`,
      );
    });
  }

  union(union: UnionConversion, unknown: string | undefined): string {
    const { from, to, arms } = union;
    const { needs, context, suffix } = this.#functions;
    const type = context.names.named(to).name;
    const pairs = arms.map((arm, i) => [from.arms[i]!.struct.index, arm?.plan.to.index, arm?.place]);
    const isMissing = arms.includes(undefined);
    const key = `union ${type} ${JSON.stringify([pairs, isMissing ? unknown : undefined])}`;
    return this.#functions.nameOf(key, `decode${type}From${suffix}`, "", (name) => {
      const body = new OlderBody(this.#functions, needs.typeIsDeep(from), "nil, ");
      this.#arms(body, union, unknown);
      const parameters = parametersOf(this.#functions.needsOf(from.arms.map(({ struct }) => struct)));
      return body.close(
        `${name} reads the index and the fields of an arm of ${suffix}.`,
        `func ${name}(${parameters}) (${type}, int, *${body.runtime("Error")})`,
      );
    });
  }

  #arms(body: OlderBody, { from, to, arms }: UnionConversion, unknown: string | undefined): void {
    body.checkDepth(0);
    const { parts } = body.context.names.named(to);
    const isRefused = unknown === undefined && arms.includes(undefined);
    if (isRefused) body.add("at := i");
    const last = arms.length - 1;
    if (last > 0) body.add("var place uint32");
    body.try(last > 0 ? "place" : "_", `${body.runtime("NameIndex")}(b, i, ${arms.length})`);
    const readArm = (i: number) => {
      const arm = arms[i];
      if (arm !== undefined) {
        body.takeMemory(body.context.memory.countedArm(to.arms[arm.place]!.struct, from.arms[i]!.struct));
        body.add(`arm := ${body.context.make(parts[arm.place]!)}`);
        new GoConversionEmitter(body, this).struct(arm.plan, "arm.Value", "depth");
        body.add("return arm, i, nil");
      } else if (unknown === undefined) body.fail(`${body.runtime("ReadError")}("ERR_UNKNOWN_INDEX", at)`);
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

/** Writes the statements that read the fields of one struct. */
class GoFieldEmitter {
  readonly #body: OlderBody;
  readonly #values: GoConversionEmitter;
  readonly #plan: StructPlan;

  constructor(body: OlderBody, pairs: PairFunctions, plan: StructPlan) {
    this.#body = body;
    this.#values = new GoConversionEmitter(body, pairs);
    this.#plan = plan;
  }

  read(): void {
    const body = this.#body;
    const order = fieldOrder(this.#plan);
    const store = this.#store(order);
    for (const { from: member, target } of order.required) {
      if (target === undefined) skipField(body, member);
      else this.#value(target);
    }
    for (const { from: member, target, bit } of order.optional) {
      const isThere = `if ${body.runtime("Bit")}(b, ${store}, ${bit})`;
      if (target === undefined) body.block(isThere, () => skipField(body, member));
      else {
        body.lines.either(
          isThere,
          () => this.#optional(member, target),
          () => body.add(`${this.#x(target.member)} = ${fillOf(body.functions, target.member, target.ifAbsent!)}`),
        );
      }
    }
    for (const { member, fill } of this.#plan.added)
      body.add(`${this.#x(member)} = ${fillOf(body.functions, member, fill)}`);
  }

  /** Reads the bit store. Returns the variable that has its position; "" if no bit is used. */
  #store({ bitCount, usesBits, bools }: FieldOrder): string {
    const body = this.#body;
    if (bitCount === 0) return "";
    const store = usesBits ? body.newName("store") : "";
    if (usesBits) body.add(`${store} := i`);
    body.try("", `${body.runtime("SkipBits")}(b, i, ${bitCount})`);
    for (const { target, bit } of bools) {
      const value = `${body.runtime("Bit")}(b, ${store}, ${bit})`;
      body.add(`${this.#x(target.member)} = ${body.context.owned(target.member.type, value)}`);
    }
    return store;
  }

  #x(member: Member): string {
    return `${this.#body.context.receiver(this.#plan.to)}.${this.#body.context.names.field(member)}`;
  }

  /** Reads a field that is present. Returns the expression of its value. */
  #value({ member, conversion, ifUnknown }: Target): string {
    const { context } = this.#body;
    const body = this.#body;
    const x = this.#x(member);
    if (isPointer(member)) {
      body.takeMemory(context.memory.countedTarget(member.type, conversion.from));
      body.add(`${x} = ${context.newOf(member.type)}`);
    }
    const value = isPointer(member) ? pointed(member.type, x) : x;
    this.#values.read(conversion, value, 0, ifUnknown === undefined ? undefined : { member, fill: ifUnknown });
    return value;
  }

  #optional(from: Member, target: Target): void {
    const body = this.#body;
    const kind = absentValue(from);
    if (kind === undefined) {
      this.#value(target);
      return;
    }
    const at = body.newName("at");
    body.add(`${at} := i`);
    const value = this.#value(target);
    const condition = isAbsent(body, kind, target.member.type, value);
    body.block(`if ${condition}`, () => body.fail(`${body.runtime("ReadError")}("ERR_NOT_CANONICAL", ${at})`));
  }
}
