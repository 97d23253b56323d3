import {
  DecodeError,
  EncodeError,
  MoonpackError,
  type MsgpackOptions,
  type MsgpackTransformer,
  msgpackTransformer,
} from "@moonpack/trpc";

const options: MsgpackOptions = { encoder: { maxDepth: 16 }, decoder: { maxDepth: 16 } };
const transformer: MsgpackTransformer = msgpackTransformer(options);
const text = transformer.serialize({ at: new Date(5), set: new Set([1]) });
console.log(typeof text, transformer.deserialize(text)); // string { at: 1970-01-01T00:00:00.005Z, set: Set(1) { 1 } }
const errors = [() => transformer.serialize(() => 1), () => transformer.deserialize("!")].map((run): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
});
console.log(errors[0] instanceof EncodeError, errors[1] instanceof DecodeError); // true true
console.log(errors.every((error) => error instanceof MoonpackError)); // true
