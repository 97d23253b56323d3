// Limits of samples.

/** The longest text and the largest file that is read. */
export const MAX_SAMPLE_BYTES: number = 50 * 1024 * 1024;
/** The first samples, at most this many, are used, as in the command line. */
export const MAX_SAMPLES = 100_000;

/** Says what to do with samples that are too large. */
export function tooLargeText(bytes: number): string {
  const [size, most] = [bytes, MAX_SAMPLE_BYTES].map((one) => Math.ceil(one / 1024 / 1024).toLocaleString("en"));
  return (
    `These samples have ${size} MB; a page reads up to ${most} MB. The command line reads any size: ` +
    "npx @moonpack/cli infer samples.ndjson"
  );
}
