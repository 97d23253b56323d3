// Limits of the evaluation of a schema: steps, nesting, and the size of its values.
import { Schema } from "@moonpack/pck";
import { LimitError, type Place } from "./source-error.ts";

/** Expressions within expressions. */
const MAX_NESTED = 100;
const MAX_STEPS = 200_000;
/** Items of all arguments of functions, counted again for each call. */
const MAX_ITEMS = 1_000_000;
/** This many characters of text count as one item. */
const CHARACTERS_AN_ITEM = 8;

/** Counts the cost of an evaluation. Each method throws a {@link LimitError} at the place where it is too much. */
export class Budget {
  #steps = 0;
  #nested = 0;
  #items = 0;
  /** The items of nested values, counted as if nothing was shared: copies may have this many. */
  readonly #weights = new WeakMap<object, number>();

  /** Counts a step. */
  step(place: Place): void {
    if (++this.#steps > MAX_STEPS)
      throw new LimitError(`This takes more than ${MAX_STEPS.toLocaleString("en")} steps to evaluate.`, place);
  }

  /** Evaluates something within something else. */
  nested<Result>(place: Place, evaluate: () => Result): Result {
    if (this.#nested === MAX_NESTED)
      throw new LimitError(`Expressions are nested deeper than ${MAX_NESTED} levels here.`, place);
    this.#nested++;
    try {
      return evaluate();
    } finally {
      this.#nested--;
    }
  }

  /** Notes how many items a new value is made of. Returns the value. */
  made<Value>(value: Value, parts: Iterable<unknown>): Value {
    if (typeof value === "object" && value !== null && !this.#weights.has(value))
      this.#weights.set(value, 1 + this.#sum(parts));
    return value;
  }

  /** Counts values that are handed to a function, which may copy them. */
  hand(values: Iterable<unknown>, place: Place): void {
    this.#items += this.#sum(values);
    if (this.#items > MAX_ITEMS)
      throw new LimitError(`This makes more than ${MAX_ITEMS.toLocaleString("en")} items.`, place);
  }

  #sum(values: Iterable<unknown>): number {
    let sum = 0;
    for (const value of values) {
      if (typeof value === "string") sum += 1 + value.length / CHARACTERS_AN_ITEM;
      // Others refer to a schema, and do not hold it.
      else if (value instanceof Schema) sum++;
      else sum += typeof value === "object" && value !== null ? (this.#weights.get(value) ?? 1) : 1;
    }
    return sum;
  }
}
