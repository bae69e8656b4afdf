import { NumberValue } from '@aws-sdk/lib-dynamodb';

/** An item as the document client has it. */
export type Item = Record<string, any>;

/** Whether a value is there: neither absent nor null. */
export function exists(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Whether an item has all of the attributes. */
export function there(item: Item, names: readonly string[]): boolean {
  return names.every((name) => exists(item[name]));
}

/** The attributes that are there, with sets in place of the lists under the names given. */
export function attributes(item: object, sets: readonly string[] = []): Item {
  const out: Item = {};
  for (const [name, value] of Object.entries(item)) {
    if (!sets.includes(name)) {
      if (exists(value)) {
        out[name] = value;
      }
    } else if (exists(setOf(value))) {
      out[name] = setOf(value);
    }
  }
  return out;
}

/** The set of a list's members; undefined when there are none, since DynamoDB has no empty sets. */
export function setOf(list: Iterable<unknown> | undefined): Set<unknown> | undefined {
  const set = new Set(list ?? []);
  return set.size > 0 ? set : undefined;
}

/** The attributes of the given names of a stored item, with lists in place of sets. */
export function selected<T>(stored: Item, names: readonly string[]): T {
  const out: Item = {};
  for (const name of names) {
    const value = stored[name];
    if (value !== undefined) {
      out[name] = value instanceof Set ? [...value] : value;
    }
  }
  return out as T;
}

/** Values in DynamoDB's order; undefined when they are not of one type. */
export function compare(a: unknown, b: unknown): number | undefined {
  if (typeof a === 'string' && typeof b === 'string') {
    return order(encoder.encode(a), encoder.encode(b));
  }
  if (typeof a === 'number' && typeof b === 'number') {
    return a - b;
  }
  if (a instanceof NumberValue || b instanceof NumberValue) {
    return Number(String(a)) - Number(String(b));
  }
  return a instanceof Uint8Array && b instanceof Uint8Array ? order(a, b) : undefined;
}

const encoder = new TextEncoder();

function order(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) {
      return difference;
    }
  }
  return a.length - b.length;
}

/** Whether values are the same, whatever they are made of. */
export function equal(a: unknown, b: unknown): boolean {
  const c = compare(a, b);
  if (c !== undefined) {
    return c === 0;
  }
  if (a instanceof Set && b instanceof Set) {
    return a.size === b.size && [...a].every((m) => [...b].some((n) => equal(m, n)));
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return exists(a) && a === b;
  }
  const names = Object.keys(a);
  return Array.isArray(a) === Array.isArray(b) && names.length === Object.keys(b).length && names.every((n) => equal((a as Item)[n], (b as Item)[n]));
}

/** A comparison as DynamoDB makes it: false of values that are not of one type. */
export function holds(a: unknown, op: '=' | '<>' | '<' | '<=' | '>' | '>=', b: unknown): boolean {
  if (op === '=' || op === '<>') {
    return equal(a, b) === (op === '=');
  }
  const c = compare(a, b);
  if (c === undefined) {
    return false;
  }
  return op === '<' ? c < 0 : op === '<=' ? c <= 0 : op === '>' ? c > 0 : c >= 0;
}

/** Whether a text begins with another one. */
export function beginsWith(a: unknown, b: unknown): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array) {
    return equal(a.slice(0, b.length), b);
  }
  return typeof a === 'string' && typeof b === 'string' && a.startsWith(b);
}

/** Whether a text has another one in it, or a list or set a member. */
export function contains(a: unknown, b: unknown): boolean {
  if (typeof a === 'string') {
    return typeof b === 'string' && a.includes(b);
  }
  return (Array.isArray(a) || a instanceof Set) && [...a].some((m) => equal(m, b));
}

/** What DynamoDB's size gives; undefined of what has none. */
export function size(value: unknown): number | undefined {
  if (typeof value === 'string') {
    return encoder.encode(value).length;
  }
  if (value instanceof Uint8Array || Array.isArray(value)) {
    return value.length;
  }
  if (value instanceof Set) {
    return value.size;
  }
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
}

/** The type of a value in DynamoDB's letters. */
export function typeOf(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return 'S';
    case 'number':
      return 'N';
    case 'boolean':
      return 'BOOL';
    case 'undefined':
      return undefined;
  }
  if (value instanceof Uint8Array) {
    return 'B';
  }
  if (value instanceof Set) {
    return `${typeOf([...value][0])}S`;
  }
  return value === null ? 'NULL' : Array.isArray(value) ? 'L' : 'M';
}

/** The sum of two numbers in decimals of 15 digits; undefined when one is not there. */
export function sum(a: unknown, b: unknown, sign: 1 | -1 = 1): any {
  if (!exists(a) || !exists(b)) {
    return undefined;
  }
  return Number((Number(a) + sign * Number(b)).toPrecision(15));
}

/** Values, each once. */
export function distinct<T>(values: readonly T[]): T[] {
  return values.filter((v, i) => values.findIndex((w) => equal(v, w)) === i);
}
