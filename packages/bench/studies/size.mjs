// How much this process measures: child.mjs is told so by its last argument.

/** Small sizes, in which claims about what is counted are decided all the same. */
export const isSmoke = process.argv[4] === "smoke";
