/** How much is tried of what starts the command as a process. */

/** Is everything tried? With `CI=true`, `npm test -- --all` or a named test file. */
export const isWhole =
  process.env.CI === "true" || process.env.MOONPACK_ALL === "1" || process.env.MOONPACK_SHARE === "1";

/** Every third row of a table, from the first on; every row if everything is tried. */
export function rows<const Row>(table: readonly Row[]): readonly Row[] {
  return isWhole ? table : table.filter((_, i) => i % 3 === 0);
}
