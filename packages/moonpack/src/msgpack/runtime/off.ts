/** What pages and edge workers have by themselves: no generated code, and the presets only as imports of their own. */
export * from "../fidelity/off.js";
export * from "../read/shapes/off.js";
