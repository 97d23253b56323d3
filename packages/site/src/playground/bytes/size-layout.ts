// The places of rectangles in the picture of sizes.
import { hierarchy, treemap } from "d3-hierarchy";
import type { SizePart } from "./sizes.ts";

/** A rectangle, in pixels. */
export interface SizeBox {
  readonly part: SizePart;
  /** How many rectangles are around it. */
  readonly level: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Room for the name of a path above those inside it. */
const HEAD = 18;
/** Smaller ones cannot be pointed at. */
const LEAST = 3;

/** Lays out a path and its parts, outer ones first. The path's own bytes stay as free space. */
export function sizeBoxes(root: SizePart, width: number, height: number): SizeBox[] {
  const tree = hierarchy<SizePart>(root, ({ parts }) => parts).sum(
    ({ size, parts }) => size - parts.reduce((sum, part) => sum + part.size, 0),
  );
  return treemap<SizePart>()
    .size([width, height])
    .paddingInner(2)
    .paddingOuter(2)
    .paddingTop((node) => (node.children === undefined ? 0 : HEAD))
    .round(true)(tree)
    .descendants()
    .map(({ data, depth, x0, y0, x1, y1 }) => ({
      ...{ part: data, level: depth, x: x0, y: y0 },
      ...{ width: x1 - x0, height: y1 - y0 },
    }))
    .filter((box) => box.width >= LEAST && box.height >= LEAST);
}
