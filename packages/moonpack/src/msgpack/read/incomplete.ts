/**
 * Returned instead of a value when the input ends inside an item that may continue in a later part. The reader's position is
 * the start of that item. Only a PartReader returns it.
 */
export const INCOMPLETE: unique symbol = /* @__PURE__ */ Symbol("incomplete");
