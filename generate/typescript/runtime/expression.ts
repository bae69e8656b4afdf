import { UnfitError } from './keys.js';
import { compare, equal, exists, type Item } from './values.js';

/** Names and values of the expressions of one request, each behind a placeholder. */
export class Expression {
  private readonly names = new Map<string, string>();
  private readonly values: unknown[] = [];
  /** Whether nothing can match, as of a range whose ends have crossed. */
  never = false;

  /** The placeholder of an attribute. */
  name(name: string): string {
    const placeholder = this.names.get(name) ?? `#n${this.names.size}`;
    this.names.set(name, placeholder);
    return placeholder;
  }

  /** The placeholder of a value, which has to be there. */
  value(value: unknown): string {
    if (!exists(value)) {
      throw new UnfitError('a value that an expression needs is not given');
    }
    const known = this.values.findIndex((v) => equal(v, value));
    return `:v${known >= 0 ? known : this.values.push(value) - 1}`;
  }

  /** The placeholders of several values. */
  list(values: readonly unknown[]): string {
    if (values.length === 0) {
      throw new UnfitError('a list of values is empty');
    }
    return values.map((v) => this.value(v)).join(', ');
  }

  /** A projection of attributes. */
  projection(names: readonly string[]): string {
    return names.map((n) => this.name(n)).join(', ');
  }

  /** A comparison of a key. */
  key(name: string, op: '=' | '<' | '<=' | '>' | '>=', value: unknown): string {
    if (op === '=' && (value === '' || (value instanceof Uint8Array && value.length === 0))) {
      this.never = true;
    }
    return `${this.name(name)} ${op} ${this.value(value)}`;
  }

  /** A key between two values, both included. */
  between(name: string, low: unknown, high: unknown): string {
    if ((compare(low, high) ?? 0) > 0) {
      this.never = true;
    }
    return `${this.name(name)} BETWEEN ${this.value(low)} AND ${this.value(high)}`;
  }

  /** A key that begins with a text. */
  beginsWith(name: string, value: unknown): string {
    return `begins_with(${this.name(name)}, ${this.value(value)})`;
  }

  /** The condition that attributes are as they were read. */
  unchanged(old: Item, names: readonly string[]): string[] {
    return names.map((n) => (exists(old[n]) ? `${this.name(n)} = ${this.value(old[n])}` : `attribute_not_exists(${this.name(n)})`));
  }

  /** The request with what its expressions name; parts that are empty are left out. */
  in<T extends Item>(request: T): T & Item {
    const out: Item = {};
    for (const [name, part] of Object.entries(request)) {
      if (part !== undefined && part !== '') {
        out[name] = part;
      }
    }
    if (this.names.size > 0) {
      out['ExpressionAttributeNames'] = Object.fromEntries([...this.names].map(([name, placeholder]) => [placeholder, name]));
    }
    if (this.values.length > 0) {
      out['ExpressionAttributeValues'] = Object.fromEntries(this.values.map((v, i) => [`:v${i}`, v]));
    }
    return out as T & Item;
  }
}

/** Conditions, all of which are to hold. */
export function all(...conditions: (string | undefined)[]): string | undefined {
  const there = conditions.filter((c): c is string => c !== undefined && c !== '');
  return there.length > 1 ? there.map((c) => `(${c})`).join(' AND ') : there[0];
}

/** The clauses of an update that are not empty. */
export function update(clauses: Record<'SET' | 'REMOVE' | 'ADD' | 'DELETE', string[]>): string | undefined {
  const written = Object.entries(clauses).filter(([, actions]) => actions.length > 0);
  return written.map(([word, actions]) => `${word} ${actions.join(', ')}`).join(' ') || undefined;
}
