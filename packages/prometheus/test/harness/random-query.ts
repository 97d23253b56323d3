/** Random trees of queries, as the parser makes them. */
import type {
  AggregationOperator,
  Binary,
  BinaryOperator,
  DurationExpression,
  DurationOperand,
  DurationValue,
  Expression,
  LabelMatcher,
  NumberLiteral,
  ValueType,
  VectorMatching,
  VectorSelector,
} from "@moonpack/prometheus";
import { signatureOf } from "../../src/parse/functions.ts";

type Random = (below: number) => number;
type Kind<T> = T extends unknown ? Omit<T, "start" | "end"> : never;

const at = { start: 0, end: 0 };
const pick = <T>(random: Random, items: readonly T[]): T => items[random(items.length)]!;
const made = <T extends Expression | DurationOperand>(node: Kind<T>): T => ({ ...node, ...at }) as unknown as T;

const NAMES = ["a", "up", "sum", "a:b", "offset", "fill", "by", "step", "end", "x_1"];
const LABELS = ["job", "le", "by", "x.y", "ä b", "without", "inf", 'q"', "on"];
const VALUES = ["", "a", "a|b", '"', "\\", "\n", "ä", "😀", "\0", "\udcff", "'`", ".*"];
const NUMBERS = [
  0,
  1,
  2.5,
  1e-9,
  1e21,
  123456789,
  0.1,
  Number.POSITIVE_INFINITY,
  Number.NaN,
  5e-324,
  1.7976931348623157e308,
];
const MS = [1, 999, 1000, 1001, 60_000, 5_400_000, 604_800_000, 31_536_000_000, 691_200_001];
const CALLS = [
  "abs",
  "rate",
  "label_join",
  "time",
  "scalar",
  "clamp",
  "round",
  "vector",
  "histogram_quantile",
  "max_of",
  "hour",
];
const WITH_PARAMETER = ["topk", "quantile", "count_values", "limit_ratio"];
const OPERATORS: BinaryOperator[] = [
  "+",
  "-",
  "*",
  "/",
  "%",
  "^",
  "atan2",
  "==",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "and",
  "or",
  "unless",
  "</",
  ">/",
];

/** Returns a random tree of this type; printed and parsed, it is the same. */
export function randomTree(random: Random, type: ValueType, depth: number): Expression {
  if (depth > 0 && type !== "string" && type !== "matrix") {
    const choice = random(6);
    if (choice === 0) return parenthesised(randomTree(random, type, depth - 1));
    if (choice === 1) {
      const expression = parenthesised(randomTree(random, type, depth - 1));
      return made<Expression>({ kind: "unary", valueType: type, operator: pick(random, ["+", "-"]), expression });
    }
    if (choice < 4) return randomBinary(random, type, depth);
  }
  return randomAtom(random, type, depth);
}

/** A tree that stays whole beside any operator. */
function randomAtom(random: Random, type: ValueType, depth: number): Expression {
  if (type === "string") return made<Expression>({ kind: "string", valueType: "string", value: pick(random, VALUES) });
  if (depth > 0 && type !== "matrix" && random(2) === 0) {
    const call = randomCall(random, type, depth);
    if (call !== undefined) return call;
    if (type === "vector") return randomAggregation(random, depth);
  }
  if (type === "scalar") return randomNumber(random);
  if (type === "vector") return randomSelector(random);
  if (depth === 0 || random(2) === 0)
    return made<Expression>({
      kind: "matrix",
      valueType: "matrix",
      selector: randomSelector(random),
      range: randomDuration(random),
    });
  const step = random(3) === 0 ? undefined : randomDuration(random);
  const expression = randomAtom(random, "vector", depth - 1);
  return made<Expression>({
    kind: "subquery",
    valueType: "matrix",
    expression,
    range: randomDuration(random),
    step,
    ...randomTime(random),
  });
}

function parenthesised(expression: Expression): Expression {
  return made<Expression>({ kind: "parentheses", valueType: expression.valueType, expression });
}

function randomBinary(random: Random, type: "scalar" | "vector", depth: number): Expression {
  const operator = pick(random, OPERATORS);
  const isComparison = /^[<>=!]=?=?$/.test(operator);
  const isSet = operator === "and" || operator === "or" || operator === "unless";
  const areVectors = type === "vector" && (isSet || random(2) === 0);
  if (isSet && !areVectors) return randomAtom(random, type, depth);
  const sides: ValueType[] = areVectors
    ? [type, type]
    : type === "scalar"
      ? [type, type]
      : pick(random, [
          ["scalar", type],
          [type, "scalar"],
        ]);
  const [left, right] = sides.map((side) => randomAtom(random, side, depth - 1)) as [Expression, Expression];
  const returnsBool = isComparison && (type === "scalar" || random(3) === 0);
  const matching = areVectors ? randomMatching(random, isSet) : undefined;
  return made<Binary>({ kind: "binary", valueType: type, operator, left, right, returnsBool, matching });
}

function randomMatching(random: Random, isSet: boolean): VectorMatching {
  const fill = (): number | undefined => (isSet || random(2) === 0 ? undefined : pick(random, NUMBERS));
  const labels = LABELS.filter(() => random(3) === 0);
  const isOn = random(2) === 0;
  const plain = {
    cardinality: isSet ? "many-to-many" : "one-to-one",
    isOn,
    labels,
    include: [],
    fillLeft: fill(),
    fillRight: fill(),
  } as const;
  if (isSet || random(2) === 0) return plain;
  const include = LABELS.filter((label) => !labels.includes(label) && random(3) === 0);
  return { ...plain, cardinality: pick(random, ["many-to-one", "one-to-many"]), include };
}

function randomCall(random: Random, type: ValueType, depth: number): Expression | undefined {
  const signature = signatureOf(pick(random, CALLS))!;
  if (signature.returnType !== type) return undefined;
  const { argumentTypes } = signature;
  const args = argumentTypes.map((one) => randomTree(random, one, depth - 1));
  return made<Expression>({ kind: "call", valueType: type, function: signature, arguments: args });
}

function randomAggregation(random: Random, depth: number): Expression {
  const hasParameter = random(2) === 0;
  const operator = pick(
    random,
    hasParameter ? WITH_PARAMETER : ["sum", "avg", "count", "group"],
  ) as AggregationOperator;
  const parameter = hasParameter
    ? randomTree(random, operator === "count_values" ? "string" : "scalar", depth - 1)
    : undefined;
  const expression = randomTree(random, "vector", depth - 1);
  const grouping = LABELS.filter(() => random(4) === 0);
  const isWithout = random(2) === 0;
  return made<Expression>({
    kind: "aggregation",
    valueType: "vector",
    operator,
    expression,
    parameter,
    grouping,
    isWithout,
  });
}

function randomNumber(random: Random): NumberLiteral {
  const isDuration = random(3) === 0;
  const ms = pick(random, MS);
  const value = isDuration ? Math.floor(ms / 1000) + (ms % 1000) / 1000 : pick(random, NUMBERS);
  return made<NumberLiteral>({ kind: "number", valueType: "scalar", value, isDuration });
}

function randomSelector(random: Random): VectorSelector {
  const name = random(4) === 0 ? "" : pick(random, NAMES);
  const matchers = LABELS.filter(() => random(4) === 0).map((label): LabelMatcher => {
    const value = pick(random, VALUES);
    const operator = /^[\w|.*]*$/.test(value) ? pick(random, ["=", "!=", "=~", "!~"] as const) : "=";
    return { name: label, operator, value };
  });
  matchers.push({ name: "__name__", operator: "=", value: name === "" ? "ä.b" : name });
  return made<VectorSelector>({ kind: "selector", valueType: "vector", name, matchers, ...randomTime(random) });
}

function randomTime(random: Random): Pick<VectorSelector, "offset" | "at"> {
  const offset = random(3) > 0 ? 0 : randomOffset(random);
  return { offset, at: pick(random, [undefined, undefined, "start", "end", 0, 1234, -5, 1e15]) };
}

/** An offset that ends before an operator: a literal, a sign before parentheses, or a call. */
function randomOffset(random: Random): DurationValue {
  if (random(2) === 0) return pick(random, MS) * pick(random, [1, -1]);
  const right = wrapped(randomArithmetic(random, 2)) as DurationOperand;
  return made<DurationExpression>({
    kind: "duration",
    operator: pick(random, ["+", "-"]),
    left: undefined,
    right,
    isWrapped: false,
  });
}

function randomDuration(random: Random): DurationValue {
  if (random(2) === 0) return pick(random, MS);
  const duration = randomArithmetic(random, 2);
  return duration.kind === "number" ? pick(random, MS) : duration;
}

function wrapped(duration: DurationOperand): DurationValue {
  if (duration.kind === "duration") return { ...duration, isWrapped: true };
  return made<DurationExpression>({
    kind: "duration",
    operator: "+",
    left: undefined,
    right: duration,
    isWrapped: true,
  });
}

function randomArithmetic(random: Random, depth: number): DurationOperand {
  const choice = depth === 0 ? 0 : random(5);
  const inner = (): DurationOperand => randomArithmetic(random, depth - 1);
  const none = { left: undefined, right: undefined, isWrapped: false };
  if (choice === 0) return randomDurationLiteral(random);
  if (choice === 1)
    return made<DurationExpression>({ kind: "duration", operator: pick(random, ["step", "range"]), ...none });
  if (choice === 2)
    return made<DurationExpression>({
      kind: "duration",
      operator: pick(random, ["min_of", "max_of"]),
      left: inner(),
      right: inner(),
      isWrapped: false,
    });
  if (choice === 3)
    return made<DurationExpression>({
      kind: "duration",
      operator: "-",
      left: undefined,
      right: wrapped(inner()) as DurationOperand,
      isWrapped: false,
    });
  const [left, right] = [inner(), inner()].map((one) =>
    one.kind === "number" ? one : (wrapped(one) as DurationOperand),
  );
  return made<DurationExpression>({
    kind: "duration",
    operator: pick(random, ["+", "-", "*", "/", "%", "^"]),
    left,
    right,
    isWrapped: false,
  });
}

function randomDurationLiteral(random: Random): NumberLiteral {
  const isDuration = random(2) === 0;
  const value = isDuration ? pick(random, [60, 3600, 0.5]) : pick(random, [1, 300, 0.25]);
  return made<NumberLiteral>({ kind: "number", valueType: "scalar", value, isDuration });
}
