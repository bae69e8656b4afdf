// OneTable: a schema of accounts and users in one table that it creates itself,
// unique fields, queries of an index, pages, batches, transactions, upserts.
import assert from 'node:assert/strict'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { Dynamo } from 'dynamodb-onetable/Dynamo'
import { Table } from 'dynamodb-onetable'

const client = new Dynamo({ client: new DynamoDBClient({ maxAttempts: 1 }) })
const table = new Table({
  client,
  name: 'onetable',
  partial: true,
  schema: {
    format: 'onetable:1.1.0',
    version: '0.0.1',
    indexes: { primary: { hash: 'pk', sort: 'sk' }, gs1: { hash: 'gs1pk', sort: 'gs1sk', project: 'all' } },
    models: {
      Account: {
        pk: { type: String, value: 'account#${id}' },
        sk: { type: String, value: 'account#' },
        id: { type: String, generate: 'ulid' },
        name: { type: String, required: true },
        balance: { type: Number, default: 0 },
      },
      User: {
        pk: { type: String, value: 'account#${account}' },
        sk: { type: String, value: 'user#${email}' },
        account: { type: String, required: true },
        name: { type: String, required: true },
        email: { type: String, unique: true, required: true },
        born: { type: Date },
        address: { type: Object, schema: { city: { type: String }, zip: { type: String } } },
        tags: { type: Set },
      },
      Note: {
        pk: { type: String, value: 'account#${account}' },
        sk: { type: String, value: 'note#${topic}' },
        gs1pk: { type: String, value: 'note#' },
        gs1sk: { type: String, value: 'note#${topic}' },
        account: { type: String, required: true },
        topic: { type: String, required: true },
      },
    },
    params: { isoDates: true, timestamps: true },
  },
})

await table.createTable({ params: { BillingMode: 'PAY_PER_REQUEST' } })
assert.ok(await table.exists())
const Account = table.getModel('Account'), User = table.getModel('User'), Note = table.getModel('Note')

const account = await Account.create({ name: 'Acme' })
assert.equal(account.balance, 0)
const born = new Date('1990-05-17T00:00:00Z')
const ann = await User.create({ account: account.id, name: 'Ann', email: 'ann@example.com', born, address: { city: 'Porto', zip: '4000' }, tags: new Set(['a']) })
assert.equal(ann.born.getTime(), born.getTime())
await assert.rejects(User.create({ account: account.id, name: 'Ann', email: 'ann@example.com' }), /unique/i)
const read = await User.get({ account: account.id, email: 'ann@example.com' })
assert.deepEqual({ address: read.address, tags: [...read.tags] }, { address: { city: 'Porto', zip: '4000' }, tags: ['a'] })

const batch = {}
for (let i = 0; i < 20; i++) await Note.create({ account: account.id, topic: `N${String(i).padStart(2, '0')}` }, { batch })
await table.batchWrite(batch)
const notes = await Note.find({ account: account.id })
assert.equal(notes.length, 20)
const byTopic = await Note.find({ gs1pk: 'note#', gs1sk: { begins: 'note#N0' } }, { index: 'gs1' })
assert.equal(byTopic.length, 10)

let next, seen = 0
do {
  const page = await Note.find({ account: account.id }, { limit: 8, next })
  seen += page.length
  next = page.next
} while (next)
assert.equal(seen, 20)

const updated = await User.update({ account: account.id, email: 'ann@example.com', address: { city: 'Braga' } }, { set: { name: 'Anna' }, return: 'get' })
assert.equal(updated.name, 'Anna')
assert.deepEqual(updated.address, { city: 'Braga', zip: '4000' })
await assert.rejects(Account.update({ id: account.id }, { add: { balance: 1 }, where: '${balance} > {10}' }), /[Cc]onditional/)
assert.equal((await Account.update({ id: account.id }, { add: { balance: 5 } })).balance, 5)
assert.equal((await Account.upsert({ id: 'other', name: 'Other' })).name, 'Other')

const transaction = {}
await Account.update({ id: account.id }, { add: { balance: -5 }, transaction })
await Account.update({ id: 'other' }, { add: { balance: 5 }, transaction })
await table.transact('write', transaction)
assert.equal((await Account.get({ id: account.id })).balance, 0)
assert.equal((await Account.get({ id: 'other' })).balance, 5)

await User.remove({ account: account.id, email: 'ann@example.com' })
assert.equal(await User.get({ account: account.id, email: 'ann@example.com' }), undefined)
assert.equal((await table.scanItems()).length > 20, true)
console.log('ok')
