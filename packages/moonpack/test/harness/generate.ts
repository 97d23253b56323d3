/**
 * Does this runtime make code of text? Pages with a strict policy and edge runtimes do not; what is tested works there too.
 * Asked within a test: the edge allows while a worker starts what it forbids later.
 */
export function canGenerate(): boolean {
  try {
    return Boolean(new Function("return true")());
  } catch {
    return false;
  }
}
