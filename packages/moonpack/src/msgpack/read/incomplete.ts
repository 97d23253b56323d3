/**
 * Returned instead of a value when the input ends inside an item that may continue in a later part. The reader's position is
 * the start of that item. Only a PartReader returns it. Hot loops test the type first: a comparison of any value with a symbol is a
 * call in V8.
 */
export const INCOMPLETE: unique symbol = /* @__PURE__ */ Symbol();
