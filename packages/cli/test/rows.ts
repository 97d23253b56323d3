/** The rows of tables whose tests start the command as a process. */

const isWhole = process.env.CI === "true" || process.env.MOONPACK_ALL === "1" || process.env.MOONPACK_SHARE === "1";

/** Every third row of a table, from the first on; every row with `CI=true`, `npm test -- --all` or a named test file. */
export function rows<const Row>(table: readonly Row[]): readonly Row[] {
  return isWhole ? table : table.filter((_, i) => i % 3 === 0);
}
