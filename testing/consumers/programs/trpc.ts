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
const { at, set } = transformer.deserialize(text) as { at: Date; set: Set<number> };
console.log(typeof text, at.getTime(), set.has(1)); // string 5 true
const errors = [() => transformer.serialize(() => 1), () => transformer.deserialize("!")].map((run): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
});
console.log(errors[0] instanceof EncodeError, errors[1] instanceof DecodeError); // true true
console.log(errors.every((error) => error instanceof MoonpackError)); // true
