import { UsageError } from "./failure.js";

/** Reads an option's value that must be a whole number from 1 on. */
export function countArgument(option: string): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (Number.isInteger(count) && count >= 1) return count;
    throw new UsageError(`${option} must be a whole number of at least 1, not ${text}`);
  };
}
