/** The defaults on servers: the complete reader and writer, generated readers for recurring objects, and the presets by name. */
export * from "../complete/on.js";
export * from "../fidelity/on.js";
export * from "../read/shapes/on.js";
