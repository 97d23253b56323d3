/** Does this runtime make code of text? Pages with a strict policy and edge runtimes do not; what is tested works there too. */
export const canGenerate: boolean = isAllowed();

function isAllowed(): boolean {
  try {
    return Boolean(new Function("return true")());
  } catch {
    return false;
  }
}
