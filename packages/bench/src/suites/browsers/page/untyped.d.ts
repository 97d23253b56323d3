// What only the bundler finds, and what packages have no types for.

declare module "virtual:moonpack-emitted/*" {
  const functions: Readonly<Record<string, unknown>>;
  export = functions;
}

declare module "avsc/etc/browser/avsc-types.js" {
  import type avsc from "avsc";

  const types: Pick<typeof avsc, "Type">;
  export default types;
}

declare module "buffer/index.js" {
  /** The class itself: not Node's, nor a global one. */
  export const Buffer: typeof globalThis.Buffer;
}
