/** How much is tried of what starts the command as a process. */

/** Are all tests run? With `CI=true` or `npm test -- --all`. */
const isAll = process.env.CI === "true" || process.env.MOONPACK_ALL === "1";

/** Was a test file named? Then it is tried whole, too. */
export const isNamed = !isAll && process.env.MOONPACK_SHARE === "1";

/** Is everything tried? */
export const isWhole = isAll || isNamed;

/** Every third row of a table, from the first on; every row if everything is tried. */
export function rows<const Row>(table: readonly Row[]): readonly Row[] {
  return isWhole ? table : table.filter((_, i) => i % 3 === 0);
}
