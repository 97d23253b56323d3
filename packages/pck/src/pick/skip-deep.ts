/** Skips structs that are nested deeper than recursion may go: slower than skip.ts, with the same checks in the same order. */
import { holdsStructs, type Task } from "../closures/trampoline.js";
import { isInBits, minBytesOf, type Node, type NullableNode, type Struct } from "../model/model.js";
import { bitAt, checkDepth, type PackReader, readBits, readCount, readFlag, readIndex } from "../runtime/reader.js";

/** Skips a value within a struct or container at `depth`. */
export type Skip = (r: PackReader, depth: number) => void;

/** Fewest bytes of an element whose list begins with bits. */
export const BIT = 1 / 8;

/** Skips a struct whose own depth is `depth`. `skip` returns the skip of a type that contains no structs. */
export function* skipDeep(
  r: PackReader,
  struct: Struct,
  depth: number,
  skip: (type: Node) => Skip,
): Generator<Task, void> {
  const { optionals, bools } = struct;
  checkDepth(r, depth);
  const start = readBits(r, optionals.length + bools.length);
  for (const { type } of [...struct.fixed, ...struct.dynamic]) yield skipValue(r, type, depth, skip);
  for (const [i, { type }] of optionals.entries()) if (bitAt(r, start, i)) yield skipValue(r, type, depth, skip);
}

/** Skips a value within a struct or container at `depth`. */
function* skipValue(r: PackReader, node: Node, depth: number, skip: (type: Node) => Skip): Generator<Task, void> {
  if (!holdsStructs(node)) {
    skip(node)(r, depth);
    return;
  }
  const inner = depth + 1;
  switch (node.kind) {
    case "ref":
      yield skipDeep(r, node.struct, inner, skip);
      break;
    case "union":
      checkDepth(r, inner);
      yield skipDeep(r, node.arms[readIndex(r, node.arms.length)]!.struct, inner, skip);
      break;
    case "array": {
      const { element, length } = node;
      checkDepth(r, inner);
      const min = isInBits(element) ? BIT : minBytesOf(element);
      const count = length === 0 ? readCount(r, min, 0, Infinity) : length;
      if (element.kind === "nullable") {
        const bits = readBits(r, count);
        for (let i = 0; i < count; i++) if (bitAt(r, bits, i)) yield skipValue(r, element.value, inner, skip);
      } else yield skipEach(r, count, length === 0 ? min : 0, () => skipValue(r, element, inner, skip));
      break;
    }
    case "map": {
      checkDepth(r, inner);
      const min = minBytesOf(node.key) + minBytesOf(node.value);
      const skipKey = skip(node.key);
      yield skipEach(r, readCount(r, min, 0, Infinity), min, () => {
        skipKey(r, inner);
        return skipValue(r, node.value, inner, skip);
      });
      break;
    }
    default:
      if (readFlag(r)) yield skipValue(r, (node as NullableNode).value, depth, skip);
  }
}

/** Skips `count` elements. `reserved`: what their count owes for each of them. */
function* skipEach(r: PackReader, count: number, reserved: number, skip: () => Task): Generator<Task, void> {
  r.reserved += count * reserved;
  for (let i = 0; i < count; i++) {
    r.reserved -= reserved;
    yield skip();
  }
}
