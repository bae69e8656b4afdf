// The JavaScript SDK v3 and its document client: a table with an index and a
// stream, items of every type, conditions, pages, batches, transactions.
import assert from 'node:assert/strict'
import { DynamoDBClient, CreateTableCommand, DescribeTableCommand, waitUntilTableExists, TransactionCanceledException, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { DynamoDBStreamsClient, DescribeStreamCommand, GetShardIteratorCommand, GetRecordsCommand } from '@aws-sdk/client-dynamodb-streams'
import { DynamoDBDocumentClient, PutCommand, GetCommand, UpdateCommand, DeleteCommand, BatchWriteCommand, BatchGetCommand, TransactWriteCommand, TransactGetCommand, ExecuteStatementCommand, paginateQuery, paginateScan } from '@aws-sdk/lib-dynamodb'

const raw = new DynamoDBClient({ maxAttempts: 1 })
const db = DynamoDBDocumentClient.from(raw, { marshallOptions: { convertEmptyValues: false, removeUndefinedValues: true } })
const TableName = 'orders'

await raw.send(new CreateTableCommand({
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' }, { AttributeName: 'sk', AttributeType: 'S' },
    { AttributeName: 'status', AttributeType: 'S' }, { AttributeName: 'price', AttributeType: 'N' },
  ],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'sk', KeyType: 'RANGE' }],
  GlobalSecondaryIndexes: [{
    IndexName: 'byStatus',
    KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }, { AttributeName: 'price', KeyType: 'RANGE' }],
    Projection: { ProjectionType: 'ALL' },
  }],
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
}))
await waitUntilTableExists({ client: raw, maxWaitTime: 30 }, { TableName })

// Every type goes there and back.
const item = {
  pk: 'CUSTOMER#1', sk: 'ORDER#1', status: 'open', price: 12.5, count: 3, gift: false, nothing: null, empty: '',
  tags: new Set(['a', 'b']), sizes: new Set([1, 2.5]), photo: new Uint8Array([0, 255, 7]), parts: [{ sku: 'x', qty: 1 }, 'é😀'], more: { deep: { er: [] } },
}
await db.send(new PutCommand({ TableName, Item: item }))
const got = await db.send(new GetCommand({ TableName, Key: { pk: item.pk, sk: item.sk }, ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL' }))
assert.deepEqual({ ...got.Item, photo: [...got.Item.photo] }, { ...item, photo: [...item.photo] })
assert.equal(got.ConsumedCapacity.CapacityUnits, 1)

// Conditions, updates and what they return.
await assert.rejects(
  db.send(new PutCommand({ TableName, Item: item, ConditionExpression: 'attribute_not_exists(pk)', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' })),
  e => e instanceof ConditionalCheckFailedException && e.Item.sk.S === 'ORDER#1')
const updated = await db.send(new UpdateCommand({
  TableName, Key: { pk: item.pk, sk: item.sk },
  UpdateExpression: 'SET #n = #n + :one, parts[0].qty = :two ADD tags :tag REMOVE nothing',
  ExpressionAttributeNames: { '#n': 'count' },
  ExpressionAttributeValues: { ':one': 1, ':two': 2, ':tag': new Set(['c']) },
  ReturnValues: 'ALL_NEW',
}))
assert.equal(updated.Attributes.count, 4)
assert.equal(updated.Attributes.parts[0].qty, 2)
assert.deepEqual(updated.Attributes.tags, new Set(['a', 'b', 'c']))
assert.ok(!('nothing' in updated.Attributes))

// Batches and pages.
for (let from = 2; from <= 101; from += 25) {
  const puts = Array.from({ length: 25 }, (_, i) => ({ PutRequest: { Item: { pk: 'CUSTOMER#2', sk: `ORDER#${String(from + i).padStart(3, '0')}`, status: 'paid', price: from + i, text: 'x'.repeat(20000) } } }))
  const out = await db.send(new BatchWriteCommand({ RequestItems: { [TableName]: puts } }))
  assert.deepEqual(out.UnprocessedItems, {})
}
let pages = 0, orders = []
for await (const page of paginateQuery({ client: db }, { TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': 'CUSTOMER#2' }, ScanIndexForward: false })) {
  pages++
  orders.push(...page.Items.map(i => i.sk))
}
assert.equal(orders.length, 100)
assert.equal(orders[0], 'ORDER#101')
assert.equal(pages, 2) // of 1 MB
const prices = []
for await (const page of paginateQuery({ client: db, pageSize: 7 }, { TableName, IndexName: 'byStatus', KeyConditionExpression: '#s = :s AND price BETWEEN :a AND :b', ProjectionExpression: 'price', ExpressionAttributeNames: { '#s': 'status' }, ExpressionAttributeValues: { ':s': 'paid', ':a': 10, ':b': 30 } })) {
  prices.push(...page.Items.map(i => i.price))
}
assert.deepEqual(prices, Array.from({ length: 21 }, (_, i) => i + 10))
let scanned = 0
for await (const page of paginateScan({ client: db }, { TableName, Select: 'COUNT' })) scanned += page.Count
assert.equal(scanned, 101)
const batch = await db.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [{ pk: 'CUSTOMER#2', sk: 'ORDER#002' }, { pk: 'none', sk: 'none' }], ProjectionExpression: 'sk' } } }))
assert.deepEqual(batch.Responses[TableName], [{ sk: 'ORDER#002' }])

// Transactions.
const transaction = {
  TransactItems: [
    { Put: { TableName, Item: { pk: 'CUSTOMER#3', sk: 'PROFILE' }, ConditionExpression: 'attribute_not_exists(pk)' } },
    { Update: { TableName, Key: { pk: item.pk, sk: item.sk }, UpdateExpression: 'SET price = price - :t', ExpressionAttributeValues: { ':t': 2.5 } } },
  ],
}
await db.send(new TransactWriteCommand(transaction))
await assert.rejects(db.send(new TransactWriteCommand(transaction)),
  e => e instanceof TransactionCanceledException && e.CancellationReasons[0].Code === 'ConditionalCheckFailed' && e.CancellationReasons[1].Code === 'None')
const pair = await db.send(new TransactGetCommand({ TransactItems: [{ Get: { TableName, Key: { pk: item.pk, sk: item.sk } } }, { Get: { TableName, Key: { pk: 'none', sk: 'none' } } }] }))
assert.equal(pair.Responses[0].Item.price, 10)
assert.equal(pair.Responses[1].Item, undefined)

// PartiQL, and what is deleted.
const selected = await db.send(new ExecuteStatementCommand({ Statement: `SELECT sk FROM "${TableName}" WHERE pk = ? AND begins_with(sk, ?)`, Parameters: ['CUSTOMER#2', 'ORDER#00'] }))
assert.equal(selected.Items.length, 8)
const gone = await db.send(new DeleteCommand({ TableName, Key: { pk: 'CUSTOMER#3', sk: 'PROFILE' }, ReturnValues: 'ALL_OLD' }))
assert.deepEqual(gone.Attributes, { pk: 'CUSTOMER#3', sk: 'PROFILE' })

// The stream has all of it in order.
const streams = new DynamoDBStreamsClient({ maxAttempts: 1 })
const { Table: { LatestStreamArn } } = await raw.send(new DescribeTableCommand({ TableName }))
const { StreamDescription: { Shards } } = await streams.send(new DescribeStreamCommand({ StreamArn: LatestStreamArn }))
const names = []
for (const { ShardId } of Shards) {
  let { ShardIterator } = await streams.send(new GetShardIteratorCommand({ StreamArn: LatestStreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }))
  for (let records = [1]; ShardIterator && records.length > 0;) {
    const out = await streams.send(new GetRecordsCommand({ ShardIterator }))
    records = out.Records
    ShardIterator = out.NextShardIterator
    names.push(...records.filter(r => r.dynamodb.Keys.pk.S !== 'CUSTOMER#2').map(r => r.eventName))
  }
}
assert.deepEqual(names.toSorted(), ['INSERT', 'INSERT', 'MODIFY', 'MODIFY', 'REMOVE'])
console.log('ok')
