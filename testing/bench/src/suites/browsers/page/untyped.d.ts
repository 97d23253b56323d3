// Packages without types.

declare module "avsc/etc/browser/avsc-types.js" {
  import type avsc from "avsc";

  const types: Pick<typeof avsc, "Type">;
  export default types;
}

declare module "buffer/index.js" {
  /** The class itself, not Node's and not a global one. */
  export const Buffer: typeof globalThis.Buffer;
}
