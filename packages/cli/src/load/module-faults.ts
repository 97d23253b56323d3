/** Uncaught errors of a target's module: thrown in a timer or an event, or from an unhandled promise. */
import { describeError, Failure } from "../shared/failure.js";

/** Runs a load, and throws the first uncaught error as a failure of the module, not of the command. */
export async function failOnModuleFaults<T>(name: string, run: () => Promise<T>): Promise<T> {
  let fail: (error: unknown) => void = () => {};
  const faulted = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Unhandled rejections are reported here, too.
  const onError = (error: unknown) =>
    fail(new Failure(`cannot load ${name}: it threw an error that nothing catches: ${describeError(error)}`));
  process.on("uncaughtException", onError);
  try {
    return await Promise.race([run(), faulted]);
  } finally {
    process.off("uncaughtException", onError);
  }
}
