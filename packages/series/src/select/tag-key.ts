/** Checks keys of tags in questions. */
import { invalidArgument } from "moonpack/bytes";
import { isFindable } from "./text-matcher.js";

/**
 * Checks the key of a tag. In keys of the index a zero byte ends it, and the empty key is the name. Throws `ERR_INVALID_ARGUMENT`.
 */
export function checkedTag(tag: string): string {
  if (isFindable(tag)) return tag;
  throw invalidArgument(
    tag === ""
      ? "a tag has an empty key, which no metric has: the matcher of the name is the option name"
      : `no metric has the tag ${JSON.stringify(tag)}: it has a zero character or a lone surrogate`,
  );
}
