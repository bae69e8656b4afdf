/** A moment, in nanoseconds since 1970. */
export type Instant = bigint;

/** How an attribute writes a time; "local" is without a zone. */
export type Form =
  | 'month'
  | 'date'
  | 'minute'
  | 's'
  | 'ms'
  | 'us'
  | 'ns'
  | 'minute local'
  | 's local'
  | 'ms local'
  | 'us local'
  | 'ns local'
  | 'epoch'
  | 'epoch_ms';

/** What a time is read out of. */
export type Timed = 'month' | 'date' | 'datetime' | 'epoch' | 'epoch_ms' | 'ulid' | 'ksuid' | 'uuid7' | 'none';

/** A period that a key names; a bucket is one of so many minutes. */
export type Period = 'year' | 'month' | 'week' | 'day' | 'hour' | 'minute' | number;

/** The text that sorts after everything in a key. */
export const max = '\u{10ffff}';

const second = 1_000_000_000n;
const day = 86_400n * second;

/** Thrown when what is given cannot be what the model needs. */
export class UnfitError extends Error {
  override readonly name = 'UnfitError';
}

/** The value, which has to be there. */
export function given<T>(value: T, what: string): NonNullable<T> {
  if (value === undefined || value === null) {
    throw new UnfitError(`${what} is not given`);
  }
  return value;
}

/** A value as it stands in a key. */
export function text(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return decimal(value);
    case 'boolean':
      return String(value);
  }
  throw new UnfitError(`${String(value)} cannot stand in a key`);
}

/** A number as DynamoDB writes it, without an exponent. */
function decimal(value: number): string {
  const plain = String(value === 0 ? 0 : value);
  const parts = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(plain);
  if (!parts) {
    return plain;
  }
  const [, sign, whole = '', fraction = '', exponent] = parts;
  const point = whole.length + Number(exponent);
  const digits = whole + fraction;
  if (point <= 0) {
    return `${sign}0.${'0'.repeat(-point)}${digits}`;
  }
  return sign + digits.padEnd(point, '0');
}

/** The text in small letters, character by character. */
export function lower<T extends string | undefined>(value: T): T {
  return mapped(value, (c) => (c === '\u0130' ? 'i' : c.toLowerCase()));
}

/** The text in capitals, character by character. */
export function upper<T extends string | undefined>(value: T): T {
  return mapped(value, (c) => c.toUpperCase());
}

function mapped<T extends string | undefined>(value: T, change: (c: string) => string): T {
  if (typeof value !== 'string') {
    return value;
  }
  const one = (c: string) => {
    const changed = change(c);
    return [...changed].length === 1 ? changed : c;
  };
  return [...value].map(one).join('') as T;
}

/** The first characters of a text. */
export function prefix(value: string, length: number): string {
  return [...value].slice(0, length).join('');
}

/** A whole number with so many digits. */
export function pad(value: number, digits: number): string {
  const written = decimal(value);
  if (!/^\d+$/.test(written) || written.length > digits) {
    throw new UnfitError(`${value} is no whole number of ${digits} digits`);
  }
  return written.padStart(digits, '0');
}

/** pad, of what it lacks to the greatest number: greater ones sort first. */
export function invert(value: number, digits: number): string {
  return [...pad(value, digits)].map((c) => String(9 - Number(c))).join('');
}

/** pad or invert in a key that is looked for: a number that no key can hold is before or after all of them. */
export function seek(write: (value: number, digits: number) => string, value: number, digits: number): string {
  if (Number.isInteger(value) && (value < 0 || decimal(value).length > digits)) {
    return value < 0 === (write === pad) ? '/' : ':';
  }
  return write(value, digits);
}

/** The shard of a value: FNV-1a of its text, modulo the number of shards. */
export function shard(value: unknown, shards: number): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text(value))) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash % shards;
}

/** The moment that a date holds. */
export function instant(date: Date): Instant {
  return BigInt(date.getTime()) * 1_000_000n;
}

/** The moment as a date, whose precision is the millisecond. */
function dateOf(at: Instant): Date {
  return new Date(Number(floor(at, 1_000_000n) / 1_000_000n));
}

/** The greatest multiple of a unit that is not above the moment. */
function floor(at: Instant, unit: bigint): Instant {
  const over = at % unit;
  return at - (over < 0n ? over + unit : over);
}

/** The time as an attribute writes it. */
export function formatTime(at: Instant, form: Form): any {
  const date = dateOf(at);
  const year = date.getUTCFullYear();
  if (!(year >= 0 && year <= 9999)) {
    throw new UnfitError('a time is not within the years 0 to 9999');
  }
  const iso = date.toISOString();
  switch (form) {
    case 'month':
      return iso.slice(0, 7);
    case 'date':
      return iso.slice(0, 10);
    case 'epoch':
      return Number(floor(at, second) / second);
    case 'epoch_ms':
      return date.getTime();
  }
  const [precision = 's', local] = form.split(' ');
  const zone = local ? '' : 'Z';
  const minute = iso.slice(0, 16);
  if (precision === 'minute') {
    return minute + zone;
  }
  const digits = { s: 0, ms: 3, us: 6, ns: 9 }[precision] ?? 0;
  const fraction = String(at - floor(at, second)).padStart(9, '0').slice(0, digits);
  return minute + iso.slice(16, 19) + (digits > 0 ? `.${fraction}` : '') + zone;
}

/** The moment that a value holds; undefined when it holds none. */
export function readTime(value: unknown, type: Timed): Instant | undefined {
  if (type === 'epoch' || type === 'epoch_ms') {
    return Number.isInteger(value) ? BigInt(value as number) * (type === 'epoch' ? second : 1_000_000n) : undefined;
  }
  if (typeof value !== 'string') {
    return undefined;
  }
  switch (type) {
    case 'month':
      return /^\d{4}-\d\d$/.test(value) ? parseTime(`${value}-01T00:00`) : undefined;
    case 'date':
      return /^\d{4}-\d\d-\d\d$/.test(value) ? parseTime(`${value}T00:00`) : undefined;
    case 'datetime':
      return parseTime(value);
    case 'ulid':
      return ulidTime(value);
    case 'ksuid':
      return ksuidTime(value);
    case 'uuid7':
      return uuid7Time(value);
  }
  return undefined;
}

const datetime = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9})\d*)?)?(Z|[+-]\d\d:\d\d)?$/;

function parseTime(value: string): Instant | undefined {
  const parts = datetime.exec(value);
  if (!parts) {
    return undefined;
  }
  const [, year, month, dayOfMonth, hour, minute, seconds = '0', fraction = '', zone = 'Z'] = parts;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(dayOfMonth));
  date.setUTCHours(Number(hour), Number(minute), Number(seconds));
  if (date.getUTCDate() !== Number(dayOfMonth) || date.getUTCHours() !== Number(hour)) {
    return undefined;
  }
  const at = instant(date) + BigInt(fraction.padEnd(9, '0'));
  if (zone === 'Z') {
    return at;
  }
  const offset = BigInt(Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6))) * 60n * second;
  return zone.startsWith('-') ? at + offset : at - offset;
}

function ulidTime(value: string): Instant | undefined {
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{9}.{16}$/i.test(value)) {
    return undefined;
  }
  let ms = 0n;
  for (const c of value.slice(0, 10).toUpperCase()) {
    ms = ms * 32n + BigInt('0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(c));
  }
  return ms * 1_000_000n;
}

function ksuidTime(value: string): Instant | undefined {
  if (!/^[0-9A-Za-z]{27}$/.test(value)) {
    return undefined;
  }
  let n = 0n;
  for (const c of value) {
    n = n * 62n + BigInt('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.indexOf(c));
  }
  const seconds = n >> 128n;
  return seconds >> 32n === 0n ? (seconds + 1_400_000_000n) * second : undefined;
}

function uuid7Time(value: string): Instant | undefined {
  return /^[0-9a-f]{8}-[0-9a-f]{4}.{23}$/i.test(value) ? BigInt(`0x${value.slice(0, 8)}${value.slice(9, 13)}`) * 1_000_000n : undefined;
}

/** A time moved by nanoseconds; undefined stays so. */
export function moved(value: unknown, type: Timed, by: bigint, form: Form): any {
  if (value === undefined) {
    return undefined;
  }
  const at = readTime(value, type);
  if (at === undefined) {
    throw new UnfitError(`${String(value)} is no time`);
  }
  return formatTime(at + by, form);
}

/** The period that a time falls in. */
export function period(value: unknown, type: Timed, unit: Period): string {
  const at = readTime(value, type);
  const finer = (type === 'month' && unit !== 'year' && unit !== 'month') || (type === 'date' && (unit === 'hour' || unit === 'minute' || typeof unit === 'number'));
  if (at === undefined || finer) {
    throw new UnfitError(`${String(value)} does not say which ${unit} it is`);
  }
  return periodText(periodStart(at, unit), unit);
}

function periodStart(at: Instant, unit: Period): Instant {
  const date = dateOf(at);
  switch (unit) {
    case 'year':
      return yearMonth(date.getUTCFullYear(), 0);
    case 'month':
      return yearMonth(date.getUTCFullYear(), date.getUTCMonth());
    case 'week':
      return floor(at, day) - BigInt((date.getUTCDay() + 6) % 7) * day;
    case 'day':
      return floor(at, day);
    case 'hour':
      return floor(at, 3600n * second);
    case 'minute':
      return floor(at, 60n * second);
  }
  return floor(at, BigInt(unit) * 60n * second);
}

function yearMonth(year: number, month: number): Instant {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 1);
  return instant(date);
}

function periodText(start: Instant, unit: Period): string {
  const minute = String(formatTime(start, 'minute'));
  switch (unit) {
    case 'year':
      return minute.slice(0, 4);
    case 'month':
      return minute.slice(0, 7);
    case 'day':
      return minute.slice(0, 10);
    case 'hour':
      return minute.slice(0, 13);
    case 'week': {
      const year = String(formatTime(start + 3n * day, 'date')).slice(0, 4); // that of its Thursday
      const first = periodStart(yearMonth(Number(year), 0) + 3n * day, 'week');
      return `${year}-W${String((start - first) / (7n * day) + 1n).padStart(2, '0')}`;
    }
  }
  return minute.slice(0, 16);
}

function parsePeriod(value: string, unit: Period): Instant {
  if (unit === 'week') {
    const [year, week] = value.split('-W').map(Number);
    return periodStart(yearMonth(year ?? NaN, 0) + 3n * day, 'week') + BigInt((week ?? NaN) - 1) * 7n * day;
  }
  const at = parseTime(value + '0000-01-01T00:00'.slice(value.length));
  if (at === undefined) {
    throw new UnfitError(`${value} is no ${unit}`);
  }
  return at;
}

function nextPeriod(start: Instant, unit: Period): Instant {
  const date = dateOf(start);
  switch (unit) {
    case 'year':
      return yearMonth(date.getUTCFullYear() + 1, 0);
    case 'month':
      return yearMonth(date.getUTCFullYear(), date.getUTCMonth() + 1);
    case 'week':
      return start + 7n * day;
    case 'day':
      return start + day;
    case 'hour':
      return start + 3600n * second;
    case 'minute':
      return start + 60n * second;
  }
  return start + BigInt(unit) * 60n * second;
}

/** The periods from that of low to that of high, without an end that is excluded. */
export function periods(low: string, high: string, unit: Period, withoutLow: boolean, withoutHigh: boolean): string[] {
  const all: string[] = [];
  let start = parsePeriod(low, unit);
  for (let bucket = low; bucket <= high; bucket = periodText(start, unit)) {
    if (!(withoutLow && bucket === low) && !(withoutHigh && bucket === high)) {
      all.push(bucket);
    }
    if (all.length > 20_000) {
      throw new UnfitError(`from ${low} to ${high} are more than 20000 periods`);
    }
    start = nextPeriod(start, unit);
    if (dateOf(start).getUTCFullYear() > 9999) {
      break;
    }
  }
  return all;
}
