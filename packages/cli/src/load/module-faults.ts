/** Errors of a target's module that nothing catches: thrown in a timer or an event, or of a promise that it forgot. */
import { describeError, Failure } from "../shared/failure.js";

/** Runs a load, and throws the first such error instead of ending the command with it as if the command had the mistake. */
export async function failOnModuleFaults<T>(name: string, run: () => Promise<T>): Promise<T> {
  let fail: (error: unknown) => void = () => {};
  const faulted = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Rejections that nobody handles come here too.
  const onError = (error: unknown) =>
    fail(new Failure(`cannot load ${name}: it threw an error that nothing catches: ${describeError(error)}`));
  process.on("uncaughtException", onError);
  try {
    return await Promise.race([run(), faulted]);
  } finally {
    process.off("uncaughtException", onError);
  }
}
