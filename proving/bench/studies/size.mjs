// How much this process measures, from the last argument of child.mjs.

/** True for small sizes, which still decide claims about counted figures. */
export const isSmoke = process.argv[4] === "smoke";
