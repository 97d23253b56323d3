/**
 * The parts of MessagePack that servers have by themselves and pages import when they need them: the complete reader and writer, the
 * presets of `fidelity`, generated readers. A bundle contains only the imported ones.
 *
 * @module
 */
export { complete, type Engine } from "./complete/index.js";
export { type FidelityPreset, js, jsRegExp } from "./fidelity/index.js";
export { codeGeneration, type ShapeSupport } from "./read/shapes/index.js";
