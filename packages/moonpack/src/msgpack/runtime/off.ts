/** The defaults in pages: the small reader and writer. Generated code and presets are separate imports. */
export * from "../complete/off.js";
export * from "../fidelity/off.js";
export * from "../read/shapes/off.js";
