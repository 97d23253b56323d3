/** Shared results for absent lists, maps and bytes: they are empty and cannot be changed. */
import { invalidArgument } from "moonpack/bytes";

/** A Map that cannot be filled. */
class EmptyMap<K, V> extends Map<K, V> {
  override set(): never {
    throw invalidArgument("an absent map is shared: make a copy to change it");
  }
}

/** Freezes an empty list, object or typed array and returns it. */
export function frozen<T extends object>(empty: T): T {
  return Object.freeze(empty) as T;
}

/** Returns an empty Map whose `set` throws `ERR_INVALID_ARGUMENT`. */
export function frozenMap<K, V>(): Map<K, V> {
  return Object.freeze(new EmptyMap<K, V>());
}
