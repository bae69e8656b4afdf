import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  ExecuteStatementCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { type Instant, instant } from './keys.js';
import { compare, equal, type Item } from './values.js';

/** What may be told beside the client. */
export interface Options {
  /** The name of the table, unless it is that of the model. */
  table?: string;
  /** The current time. */
  now?: () => Date;
  /** A number from 0 to n-1, for keys that are spread over shards by chance. */
  random?: (n: number) => number;
}

/** A table, and what its functions need besides. */
export class Database {
  readonly documents: DynamoDBDocumentClient;
  readonly table: string;
  readonly random: (n: number) => number;
  private readonly clock: () => Date;

  constructor(client: DynamoDBClient, table: string, options: Options) {
    this.documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
    this.table = options.table ?? table;
    this.clock = options.now ?? (() => new Date());
    this.random = options.random ?? ((n) => Math.floor(Math.random() * n));
  }

  now(): Instant {
    return instant(this.clock());
  }
}

/** A query or scan, without the table; of several the groups are walked in order. */
export interface Request {
  readonly input: Item;
  readonly group: number;
}

/** An entry of an order: the place of an entity's items, or an attribute. */
export interface OrderBy {
  readonly attribute?: string;
  readonly type?: string;
  readonly descending?: boolean;
}

/** How the answers of several requests become one. */
export interface Merging {
  readonly by: 'none' | 'walk' | 'sort';
  readonly order: readonly OrderBy[];
  /** The attribute that names the entity, for an order over several. */
  readonly type?: string;
  readonly limit?: number;
  readonly scan?: boolean;
}

/** Some of the items, and where to go on. */
export interface Page<T> {
  readonly items: T[];
  /** For the next call; undefined after the last page. */
  readonly cursor?: string;
}

/** Which page is wanted. */
export interface PageOptions {
  readonly cursor?: string;
  /** How many items are read for the page. */
  readonly size?: number;
}

/** The requests that something can match, each once, in the order of their groups. */
export function requests(made: Iterable<Request | undefined>): Request[] {
  const out: Request[] = [];
  for (const r of made) {
    if (r && !out.some((o) => equal(o.input, r.input))) {
      out.push(r);
    }
  }
  return out.sort((a, b) => a.group - b.group);
}

/** The items of a query or scan, page after page. */
async function* items(db: Database, input: Item, scan: boolean): AsyncGenerator<Item> {
  let start: Item | undefined;
  do {
    const command = { ...input, TableName: db.table, ExclusiveStartKey: start };
    const page = await (scan ? db.documents.send(new ScanCommand(command)) : db.documents.send(new QueryCommand(command as any)));
    yield* page.Items ?? [];
    start = page.LastEvaluatedKey;
  } while (start);
}

/** The items of all requests, merged. */
export async function* read(db: Database, all: Request[], how: Merging): AsyncGenerator<Item> {
  let left = how.limit ?? Infinity;
  for (const group of groups(all, how)) {
    for await (const item of merged(group.map((r) => items(db, r.input, how.scan ?? false)), how)) {
      if (left-- <= 0) {
        return;
      }
      yield item;
      if (left <= 0) {
        return;
      }
    }
  }
}

function groups(all: Request[], how: Merging): Request[][] {
  switch (how.by) {
    case 'none':
      return all.map((r) => [r]);
    case 'sort':
      return [all];
  }
  const byGroup = new Map<number, Request[]>();
  for (const r of all) {
    byGroup.set(r.group, [...(byGroup.get(r.group) ?? []), r]);
  }
  return [...byGroup.values()];
}

/** Sequences that are in order, as one that is. */
async function* merged(sources: AsyncGenerator<Item>[], how: Merging): AsyncGenerator<Item> {
  const heads = await Promise.all(sources.map(async (source) => ({ source, head: await source.next() })));
  for (;;) {
    let first: (typeof heads)[number] | undefined;
    for (const h of heads) {
      if (!h.head.done && (first === undefined || before(h.head.value, first.head.value, how))) {
        first = h;
      }
    }
    if (first === undefined) {
      return;
    }
    yield first.head.value;
    first.head = await first.source.next();
  }
}

function before(a: Item, b: Item, how: Merging): boolean {
  for (const o of how.order) {
    let c = 0;
    if (o.type === undefined) {
      c = compare(a[o.attribute ?? ''], b[o.attribute ?? '']) ?? 0;
    } else {
      const [inA, inB] = [a[how.type ?? ''] === o.type, b[how.type ?? ''] === o.type];
      if (inA !== inB) {
        return inA;
      }
      c = inA && o.attribute !== undefined ? (compare(a[o.attribute], b[o.attribute]) ?? 0) : 0;
    }
    if (c !== 0) {
      return o.descending ? c > 0 : c < 0;
    }
  }
  return false;
}

/** How many items match. */
export async function count(db: Database, all: Request[], how: Merging): Promise<number> {
  let n = 0;
  for (const { input } of all) {
    let start: Item | undefined;
    do {
      const command = { ...input, TableName: db.table, Select: 'COUNT' as const, ExclusiveStartKey: start };
      const page = await (how.scan ? db.documents.send(new ScanCommand(command)) : db.documents.send(new QueryCommand(command as any)));
      n += page.Count ?? 0;
      start = page.LastEvaluatedKey;
    } while (start);
  }
  return Math.min(n, how.limit ?? Infinity);
}

/** A page of what a single request gives. */
export async function page<T>(db: Database, all: Request[], how: Merging, options: PageOptions, decode: (item: Item) => T): Promise<Page<T>> {
  const request = all[0];
  if (!request) {
    return { items: [] };
  }
  const start = options.cursor ? keyOf(options.cursor) : undefined;
  const command = { ...request.input, TableName: db.table, Limit: options.size, ExclusiveStartKey: start };
  const answer = await (how.scan ? db.documents.send(new ScanCommand(command)) : db.documents.send(new QueryCommand(command as any)));
  const found = (answer.Items ?? []).map(decode);
  return answer.LastEvaluatedKey ? { items: found, cursor: cursorOf(answer.LastEvaluatedKey) } : { items: found };
}

/** A key as text; bytes are marked, since JSON has none. */
function cursorOf(key: Item): string {
  const plain = (v: unknown) => (v instanceof Uint8Array ? { bytes: Buffer.from(v).toString('base64') } : v);
  return Buffer.from(JSON.stringify(Object.entries(key).map(([n, v]) => [n, plain(v)]))).toString('base64url');
}

function keyOf(cursor: string): Item {
  const entries: [string, any][] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  return Object.fromEntries(entries.map(([n, v]) => [n, v?.bytes === undefined ? v : new Uint8Array(Buffer.from(v.bytes, 'base64'))]));
}

/** An item by its key; undefined when there is none. */
export async function get(db: Database, input: Item): Promise<Item | undefined> {
  return (await db.documents.send(new GetCommand({ ...input, TableName: db.table } as any))).Item;
}

/** The items of keys, in the order of the keys, each once; without those that do not exist. */
export async function batchGet(db: Database, keys: Item[], input: Item): Promise<Item[]> {
  const wanted: Item[] = [];
  for (const key of keys) {
    if (!wanted.some((w) => equal(w, key))) {
      wanted.push(key);
    }
  }
  const found: Item[] = [];
  for (let i = 0; i < wanted.length; i += 100) {
    let left: Item[] = wanted.slice(i, i + 100);
    for (let attempt = 0; left.length > 0; attempt++) {
      await pause(attempt);
      const answer = await db.documents.send(new BatchGetCommand({ RequestItems: { [db.table]: { ...input, Keys: left } } }));
      found.push(...(answer.Responses?.[db.table] ?? []));
      left = answer.UnprocessedKeys?.[db.table]?.Keys ?? [];
    }
  }
  const place = (item: Item) => wanted.findIndex((key) => Object.entries(key).every(([n, v]) => equal(item[n], v)));
  return found.sort((a, b) => place(a) - place(b));
}

/** The items of several reads by key as they are at one moment. */
export async function transactGet(db: Database, reads: Item[]): Promise<(Item | undefined)[]> {
  const members = reads.map((r) => ({ Get: { ...r, TableName: db.table } as any }));
  const answer = await db.documents.send(new TransactGetCommand({ TransactItems: members }));
  return (answer.Responses ?? []).map((r) => r.Item);
}

/** A write of one item, as a transaction has it. */
export type Action = { Put: Item } | { Update: Item } | { Delete: Item } | { ConditionCheck: Item };

/** Makes one write, and returns the attributes that it asks for. */
export async function write(db: Database, action: Action, returns?: 'ALL_NEW' | 'ALL_OLD'): Promise<Item | undefined> {
  const on = (input: Item): any => ({ ...input, TableName: db.table, ReturnValues: returns });
  if ('Put' in action) {
    return (await db.documents.send(new PutCommand(on(action.Put)))).Attributes;
  }
  if ('Update' in action) {
    return (await db.documents.send(new UpdateCommand(on(action.Update)))).Attributes;
  }
  if ('Delete' in action) {
    return (await db.documents.send(new DeleteCommand(on(action.Delete)))).Attributes;
  }
  throw new Error('a check stands in a transaction only');
}

/** Makes all of the writes or none. */
export async function transactWrite(db: Database, actions: Action[], token?: string): Promise<void> {
  const members = actions.map((a) => Object.fromEntries(Object.entries(a).map(([kind, input]) => [kind, { ...input, TableName: db.table }])));
  if (members.length > 0) {
    await db.documents.send(new TransactWriteCommand({ TransactItems: members as any, ClientRequestToken: token }));
  }
}

/** Puts and deletes in batches; what is left undone is sent again. */
export async function batchWrite(db: Database, actions: Action[]): Promise<void> {
  const all: any[] = actions.map((a) => ('Put' in a ? { PutRequest: { Item: a.Put['Item'] } } : { DeleteRequest: { Key: 'Delete' in a ? a.Delete['Key'] : undefined } }));
  for (let i = 0; i < all.length; i += 25) {
    let left: any[] = all.slice(i, i + 25);
    for (let attempt = 0; left.length > 0; attempt++) {
      await pause(attempt);
      const answer = await db.documents.send(new BatchWriteCommand({ RequestItems: { [db.table]: left } }));
      left = answer.UnprocessedItems?.[db.table] ?? [];
    }
  }
}

/** Runs a PartiQL statement to its end. */
export async function execute(db: Database, statement: string, parameters: unknown[]): Promise<Item[]> {
  const found: Item[] = [];
  let next: string | undefined;
  do {
    const input: Item = { Statement: statement, NextToken: next };
    if (parameters.length > 0) {
      input['Parameters'] = parameters;
    }
    const answer = await db.documents.send(new ExecuteStatementCommand(input as any));
    found.push(...(answer.Items ?? []));
    next = answer.NextToken;
  } while (next);
  return found;
}

/** What is left undone is sent again after longer and longer pauses of chance. */
async function pause(attempt: number): Promise<void> {
  if (attempt > 0) {
    await new Promise((done) => setTimeout(done, Math.random() * Math.min(5000, 50 * 2 ** attempt)));
  }
}

/** The answer of ElectroDB; errors are those of the SDK, as of the other functions. */
export async function sent<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof Error && error.cause instanceof Error ? error.cause : error;
  }
}

/** The only item; an error when there are several. */
export async function only<T>(found: AsyncIterable<T> | Iterable<T>): Promise<T | undefined> {
  let one: T | undefined;
  for await (const item of found) {
    if (one !== undefined) {
      throw new Error('several items match where there is to be one');
    }
    one = item;
  }
  return one;
}

/** All items of a sequence. */
export async function collect<T>(found: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const item of found) {
    out.push(item);
  }
  return out;
}

/** What a sequence gives, each changed. */
export async function* each<T>(found: AsyncIterable<Item>, decode: (item: Item) => T): AsyncGenerator<T> {
  for await (const item of found) {
    yield decode(item);
  }
}

/**
 * Writes an item that was found, with its guards; 0 when it is no longer as the write requires it. A value that is
 * to be unique and is taken is an error.
 */
export async function writeFound(db: Database, actions: Action[]): Promise<number> {
  const [first, ...guards] = actions;
  if (!first) {
    return 0;
  }
  try {
    await (guards.length > 0 ? transactWrite(db, actions) : write(db, first));
    return 1;
  } catch (error) {
    const refused = error instanceof Error && error.name === 'ConditionalCheckFailedException';
    const codes: { Code?: string }[] = (error as { CancellationReasons?: { Code?: string }[] }).CancellationReasons ?? [];
    if (refused || codes[0]?.Code === 'ConditionalCheckFailed') {
      return 0;
    }
    throw error;
  }
}
