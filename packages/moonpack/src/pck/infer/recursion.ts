/** Data that contains data of its own kind: folders in folders, answers to answers, the nodes of a syntax tree. */
import { ELEMENT, ENTRY, type Group, type Route, type SampleObject } from "./draft.js";
import { addKinds, isMixed, kindOf, kindsByName, LIST, MAP, OBJECT } from "./kinds.js";

/** The share of all properties that two places must have in common. */
const ALIKE = 0.6;
/** Of so few properties nothing follows. */
const FEWEST = 2;

/** Returns a group of objects whose type is not known yet. `depth`: steps from a sample to it. */
export function newGroup(objects: readonly SampleObject[], depth: number): Group {
  const group: Group = {
    objects: new Set(),
    kinds: new Map(),
    routes: new Map(),
    depth,
    discriminator: undefined,
    arms: new Set(),
    type: undefined,
    hasGrown: false,
  };
  for (const object of objects) add(group, object);
  return group;
}

/** Sets the discriminator of a group. */
export function discriminate(group: Group, discriminator: string | undefined): void {
  group.discriminator = discriminator;
  group.arms = new Set();
  if (discriminator !== undefined) for (const object of group.objects) group.arms.add(object[discriminator]);
}

/** Returns the first group to which objects that were found within it belong. */
export function homeOf(objects: readonly SampleObject[], groups: readonly Group[]): Group | undefined {
  if (groups.length === 0) return undefined;
  const kinds = kindsByName(objects);
  return groups.find((group) =>
    group.discriminator === undefined ? looksLike(kinds, group) : hasArmsOf(objects, group, group.discriminator),
  );
}

/** True if most properties are the same, and none would be of two kinds. */
function looksLike(inner: ReadonlyMap<string, number>, { kinds: outer }: Group): boolean {
  if (inner.size < FEWEST) return false;
  // With so many more names on one side, too few are common.
  if (Math.min(inner.size, outer.size) < ALIKE * Math.max(inner.size, outer.size)) return false;
  let common = 0;
  for (const [name, kind] of inner) {
    const other = outer.get(name);
    if (other === undefined) continue;
    if (isMixed(kind | other)) return false;
    common++;
  }
  return common >= FEWEST && common >= ALIKE * (outer.size + inner.size - common);
}

/** True if all objects have the union's discriminator, and at least half of them are of an arm that it has. */
function hasArmsOf(objects: readonly SampleObject[], { arms }: Group, discriminator: string): boolean {
  let known = 0;
  for (const object of objects) {
    const arm = Object.hasOwn(object, discriminator) ? object[discriminator] : undefined;
    if (typeof arm !== "string") return false;
    if (arms.has(arm)) known++;
  }
  return 2 * known >= objects.length;
}

/**
 * Adds objects to a group that they were found in by a route, and at once what the group's routes lead to from them: each
 * route is found once, however deep the data is.
 */
export function join(group: Group, objects: readonly SampleObject[], route: Route): void {
  group.routes.set(JSON.stringify(route), route);
  const open = [...objects];
  for (let object = open.pop(); object !== undefined; object = open.pop()) {
    if (group.objects.has(object)) continue;
    add(group, object);
    group.hasGrown = true;
    for (const known of group.routes.values()) for (const below of follow(object, known)) open.push(below);
  }
}

function add(group: Group, object: SampleObject): void {
  group.objects.add(object);
  addKinds(group.kinds, object);
  if (group.discriminator !== undefined) group.arms.add(object[group.discriminator]);
}

/** Returns the objects that a route leads to. */
function follow(object: SampleObject, route: Route): readonly SampleObject[] {
  let values: unknown[] = [object];
  for (const step of route) values = values.flatMap((value) => stepFrom(value, step));
  return values.filter((value) => kindOf(value) === OBJECT) as SampleObject[];
}

function stepFrom(value: unknown, step: Route[number]): readonly unknown[] {
  const kind = kindOf(value);
  if (step === ELEMENT) return kind === LIST && Array.isArray(value) ? value : [];
  if (step === ENTRY) {
    if (kind === MAP) return [...(value as ReadonlyMap<unknown, unknown>).values()];
    return kind === OBJECT ? Object.values(value as SampleObject) : [];
  }
  return kind === OBJECT && Object.hasOwn(value as SampleObject, step) ? [(value as SampleObject)[step]] : [];
}
