import { describe, invalidArgument, refuseSimilar } from "moonpack/bytes";

/** Returns the definition of an extension. Refuses misspelt names, and members that are neither functions nor missing. */
export function extensionOptions<T extends { readonly encode: unknown; readonly decode: unknown }>(extension: T): T {
  if (typeof extension !== "object" || extension === null)
    throw invalidArgument(`an extension must be an object, not ${describe(extension)}`);
  refuseSimilar(extension, ["type", "encode", "decode", "objConstructor"]);
  for (const name of ["encode", "decode"] as const) {
    const member = extension[name];
    if (member !== undefined && member !== null && typeof member !== "function")
      throw invalidArgument(`${name} must be a function, not ${describe(member)}`);
  }
  return extension;
}
