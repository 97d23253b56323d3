/**
 * True if this runtime can compile code from text. Pages with a strict policy and edge runtimes cannot.
 * Call it inside a test: workerd allows code generation while a worker starts, and forbids it afterwards.
 */
export function canGenerate(): boolean {
  try {
    return Boolean(new Function("return true")());
  } catch {
    return false;
  }
}
