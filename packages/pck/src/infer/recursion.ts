/** Recursive data: folders in folders, answers to answers, the nodes of a syntax tree. */
import { isDictionary } from "./dictionary.js";
import { discriminatorOf } from "./discriminator.js";
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
    isDictionary: false,
    type: undefined,
    hasGrown: false,
  };
  for (const object of objects) add(group, object);
  return group;
}

/** Decides whether the objects of a group are dictionaries, a union, or structs. A message, the root, is always a struct. */
export function classify(group: Group): void {
  const objects = [...group.objects];
  group.isDictionary = group.depth > 0 && isDictionary(objects);
  group.discriminator = group.depth > 0 && !group.isDictionary ? discriminatorOf(objects) : undefined;
  group.arms = new Set();
  if (group.discriminator !== undefined) for (const object of objects) group.arms.add(object[group.discriminator]);
}

/**
 * Adds objects that were found within groups to the first one that they belong to, and returns it. `way`: the steps from a sample
 * to the objects.
 */
export function joinHome(objects: readonly SampleObject[], groups: readonly Group[], way: Route): Group | undefined {
  if (groups.length === 0) return undefined;
  const kinds = kindsByName(objects);
  return groups.find((group, index) => {
    // In PCK a map cannot contain itself directly: a struct must be between, since only structs have names.
    if (group.isDictionary && groups.slice(index).every((each) => each.isDictionary)) return false;
    const route = way.slice(group.depth);
    if (objects.every((object) => group.objects.has(object))) {
      group.routes.set(JSON.stringify(route), route);
      return true;
    }
    const isAlike =
      group.discriminator === undefined ? looksLike(kinds, group) : hasArmsOf(objects, group, group.discriminator);
    return isAlike && join(group, objects, route);
  });
}

/**
 * Adds to a new group the objects that the routes of an earlier group of this place lead to, so that the places within it are visited
 * once.
 */
export function growAlong(group: Group, around: readonly Group[], way: Route, routes: Iterable<Route>): void {
  const groups = [...around, group];
  for (const route of routes) {
    const objects = [...group.objects].flatMap((object) => objectsAt(object, route));
    if (objects.length > 0) joinHome(objects, groups, [...way, ...route]);
  }
}

/** True if most properties are the same, and none would be of two kinds. */
function looksLike(inner: ReadonlyMap<string, number>, { kinds: outer }: Group): boolean {
  if (inner.size < FEWEST) return false;
  // If one side has many more names, too few are common.
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
 * Adds objects to a group, with the objects that the group's routes and their own routes lead to: each route is found once, however
 * deep the data is. Returns false, and adds nothing, if a property would then have two kinds that no discriminator distinguishes:
 * four levels of folders whose last one has numbers instead of folders.
 */
function join(group: Group, objects: readonly SampleObject[], route: Route): boolean {
  const name = JSON.stringify(route);
  const routes = new Map(group.routes).set(name, route);
  const kinds = new Map(group.kinds);
  const all = new Set(group.objects);
  const open = [...objects];
  for (let object = open.pop(); object !== undefined; object = open.pop()) {
    if (all.has(object)) continue;
    all.add(object);
    addKinds(kinds, object);
    for (const known of routes.values()) for (const below of objectsAt(object, known)) open.push(below);
  }
  const isMixture = [...kinds.values()].some(isMixed);
  if (isMixture && (group.depth === 0 || discriminatorOf([...all]) === undefined)) return false;
  group.routes.set(name, route);
  for (const object of all) if (!group.objects.has(object)) add(group, object);
  group.hasGrown = true;
  return true;
}

function add(group: Group, object: SampleObject): void {
  group.objects.add(object);
  addKinds(group.kinds, object);
  if (group.discriminator !== undefined) group.arms.add(object[group.discriminator]);
}

/** Returns the objects that a route leads to. */
function objectsAt(object: SampleObject, route: Route): readonly SampleObject[] {
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
