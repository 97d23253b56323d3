// No import circles: among files at run time, and among the children of each folder, type imports included.
import { arrowsOf, circlesOf, roomsOf } from "./imports.mjs";

/** Returns what is wrong in one source tree, as lines that say where and what to do. */
export function circleFaults(paths, root) {
  return [...fileCircles(paths, root), ...roomCircles(paths, root)];
}

function fileCircles(paths, root) {
  return circlesOf(arrowsOf(paths, root, { types: false })).map(
    (circle) =>
      `${circle[0]}: files import each other in a circle: ${circle.join(" -> ")}. ` +
      "Move what both need into a file that imports neither.",
  );
}

function roomCircles(paths, root) {
  const faults = [];
  for (const inside of roomsOf(arrowsOf(paths, root, { types: true })).values()) {
    const arrows = new Map([...inside].map(([child, others]) => [child, [...others.keys()]]));
    for (const circle of circlesOf(arrows)) {
      const steps = circle.slice(1).map((other, i) => inside.get(circle[i]).get(other));
      faults.push(
        `${circle[0]}: folders use each other in a circle (type imports count): ${steps.join("; ")}. ` +
          "Move what both need into a file or folder that uses neither.",
      );
    }
  }
  return faults;
}
