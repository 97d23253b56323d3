/** Lists, maps and what may be nil, as Go reads them. */
import { minBytesOf, type Node } from "../../model/model.js";
import type { FunctionBody } from "./function.js";
import { leastOf, MAX_LEAST } from "./plan.js";
import type { Shared } from "./shared.js";
import { numberCode } from "./store.js";
import { operand, times } from "./text.js";
import { widthOf } from "./types.js";

/** A map makes room for so many pairs at once; what a count says beyond that, the bytes have to prove. */
const MAX_ROOM = 1024;

/** What writes the function that a container is read in. */
export interface FunctionEmitter {
  body(): FunctionBody;
  /** Reads a value into `x`, in so many containers of the struct. */
  node(node: Node, x: string, level: number): void;
  /** A container begins: where depth counts, it is checked. */
  enter(level: number): void;
  /** Reads `x` by a call that may fail. */
  attempt(x: string, call: string): void;
  fail(error: string): void;
}

/** Writes how containers are read into `x`. */
export class ContainerEmitter {
  readonly #shared: Shared;
  readonly #reader: FunctionEmitter;
  readonly #run = (name: string): string => this.#shared.run(name);

  constructor(shared: Shared, reader: FunctionEmitter) {
    this.#shared = shared;
    this.#reader = reader;
  }

  /** A value that may be nil and is there. */
  nullable(value: Node, x: string, level: number): void {
    if (value.kind !== "union") this.#reader.body().add(`${x} = new(${this.#shared.type(value)})`);
    this.#reader.node(value, value.kind === "union" || value.kind === "ref" ? x : `*${x}`, level);
  }

  array(node: Node & { readonly kind: "array" }, x: string, level: number): void {
    const { element, length } = node;
    const body = this.#reader.body();
    this.#reader.enter(level);
    const isInBits = element.kind === "bool" || element.kind === "nullable";
    const n = length > 0 ? String(length) : body.fresh("n");
    if (length === 0) {
      body.add(`var ${n} int`);
      this.#reader.attempt(
        n,
        isInBits ? `${this.#run("BitCount")}(b, i, owed)` : `${this.#run("Count")}(b, i, owed, ${leastOf(element)})`,
      );
    }
    if (element.kind === "u8" && length === 0) {
      body.add(`${x} = append([]byte{}, b[i:i+${n}]...)`, `i += ${n}`);
      return;
    }
    const at = body.fresh("at");
    if (element.kind === "nullable") {
      body.add(`${at} := i`);
      body.block(`if i, ${body.err} = ${this.#run("Bits")}(b, i, ${n}); err != nil`, () => this.#reader.fail("err"));
    }
    const list = length > 0 ? x : body.fresh("list");
    if (length === 0) body.add(`${list} := make([]${this.#shared.type(element)}, ${n})`);
    if (element.kind === "bool") {
      const whole = length > 0 ? `${operand(list)}[:]` : list;
      body.block(`if i, ${body.err} = ${this.#run("Bools")}(b, i, ${whole}); err != nil`, () =>
        this.#reader.fail("err"),
      );
    } else if (widthOf(element) > 0) this.#numbers(element, list, length, n);
    else if (element.kind === "uvar") {
      const whole = length > 0 ? `${operand(list)}[:]` : list;
      body.block(`if i, ${body.err} = ${this.#run("Uvars")}(b, i, ${whole}); err != nil`, () =>
        this.#reader.fail("err"),
      );
    } else {
      const k = body.fresh("k");
      const owes = length === 0 && !isInBits && this.#shared.plan.typeHasCounts(element);
      const least = leastOf(element);
      if (owes) body.add(`owed += ${times(least, n).replace("*", " * ")}`);
      body.block(`for ${k} := range ${list}`, () => {
        if (owes) body.add(least === 1 ? "owed--" : `owed -= ${least}`);
        if (element.kind !== "nullable") {
          this.#reader.node(element, `${operand(list)}[${k}]`, level + 1);
          return;
        }
        body.lines.either(
          `if ${this.#run("Bit")}(b, ${at}, ${k})`,
          () => this.nullable(element.value, `${operand(list)}[${k}]`, level + 1),
          // A fixed list is of the struct itself, and may hold old elements.
          length > 0 ? () => body.add(`${operand(list)}[${k}] = nil`) : undefined,
        );
      });
    }
    if (length === 0) body.add(`${x} = ${list}`);
  }

  /** Numbers of fixed width, which lie side by side. Of a list with a count, all are there. */
  #numbers(element: Node, list: string, length: number, n: string): void {
    const body = this.#reader.body();
    const width = widthOf(element);
    if (length > 0) {
      body.block(`if len(b)-i < ${width * length}`, () =>
        this.#reader.fail(`${this.#run("CutShortEach")}(b, i, ${width})`),
      );
    }
    if (element.kind === "u8") body.add(`copy(${operand(list)}[:], b[i:])`);
    else {
      const k = body.fresh("k");
      const at = width === 1 ? `b[i+${k}]` : `b[i+${times(width, k)}:]`;
      body.block(`for ${k} := range ${list}`, () =>
        body.add(`${operand(list)}[${k}] = ${numberCode(this.#shared, element, at)}`),
      );
    }
    body.add(`i += ${length > 0 ? width * length : times(width, n).replace("*", " * ")}`);
  }

  map(node: Node & { readonly kind: "map" }, x: string, level: number): void {
    const body = this.#reader.body();
    const { plan } = this.#shared;
    const least = Math.min(MAX_LEAST, minBytesOf(node.key) + minBytesOf(node.value));
    const [n, pairs, k] = [body.fresh("n"), body.fresh("pairs"), body.fresh("k")];
    const [key, value, last, at] = [body.fresh("key"), body.fresh("value"), body.fresh("last"), body.fresh("at")];
    const [keyType, valueType] = [this.#shared.type(node.key), this.#shared.type(node.value)];
    this.#reader.enter(level);
    body.add(`var ${n} int`);
    this.#reader.attempt(n, `${this.#run("Count")}(b, i, owed, ${least})`);
    body.add(`${pairs} := make(map[${keyType}]${valueType}, min(${n}, ${MAX_ROOM}))`, `var ${last} ${keyType}`);
    const owes = plan.typeHasCounts(node.value);
    if (owes) body.add(`owed += ${times(least, n).replace("*", " * ")}`);
    body.block(`for ${k} := range ${n}`, () => {
      if (owes) body.add(least === 1 ? "owed--" : `owed -= ${least}`);
      body.add(`${at} := i`, `var ${key} ${keyType}`);
      this.#reader.node(node.key, key, level + 1);
      body.block(`if ${k} > 0 && ${key} <= ${last}`, () =>
        this.#reader.fail(`${this.#run("Fail")}("ERR_MAP_ORDER", ${at})`),
      );
      body.add(`${last} = ${key}`, `var ${value} ${valueType}`);
      this.#reader.node(node.value, value, level + 1);
      body.add(`${pairs}[${key}] = ${value}`);
    });
    body.add(`${x} = ${pairs}`);
  }
}
