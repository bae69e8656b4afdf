// ElectroDB: two entities of a service in one table, collections, conditions,
// pages, patches, batches and transactions.
import assert from 'node:assert/strict'
import { DynamoDBClient, CreateTableCommand } from '@aws-sdk/client-dynamodb'
import { Entity, Service } from 'electrodb'

const client = new DynamoDBClient({ maxAttempts: 1 })
const table = 'electro'
await client.send(new CreateTableCommand({
  TableName: table,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: ['pk', 'sk', 'gsi1pk', 'gsi1sk'].map(AttributeName => ({ AttributeName, AttributeType: 'S' })),
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'sk', KeyType: 'RANGE' }],
  GlobalSecondaryIndexes: [{
    IndexName: 'gsi1',
    KeySchema: [{ AttributeName: 'gsi1pk', KeyType: 'HASH' }, { AttributeName: 'gsi1sk', KeyType: 'RANGE' }],
    Projection: { ProjectionType: 'ALL' },
  }],
}))

const Employee = new Entity({
  model: { entity: 'employee', version: '1', service: 'company' },
  attributes: {
    employee: { type: 'string', required: true },
    office: { type: 'string', required: true },
    title: { type: ['junior', 'senior'], required: true },
    salary: { type: 'number', required: true },
    skills: { type: 'set', items: 'string' },
    address: { type: 'map', properties: { city: { type: 'string' } } },
    log: { type: 'list', items: { type: 'string' } },
  },
  indexes: {
    byId: { pk: { field: 'pk', composite: ['employee'] }, sk: { field: 'sk', composite: [] } },
    byOffice: { index: 'gsi1', collection: 'workplace', pk: { field: 'gsi1pk', composite: ['office'] }, sk: { field: 'gsi1sk', composite: ['title', 'salary', 'employee'] } },
  },
}, { client, table })

const Office = new Entity({
  model: { entity: 'office', version: '1', service: 'company' },
  attributes: {
    office: { type: 'string', required: true },
    country: { type: 'string', required: true },
    seats: { type: 'number' },
  },
  indexes: {
    byCountry: { pk: { field: 'pk', composite: ['country'] }, sk: { field: 'sk', composite: ['office'] } },
    byOffice: { index: 'gsi1', collection: 'workplace', pk: { field: 'gsi1pk', composite: ['office'] }, sk: { field: 'gsi1sk', composite: [] } },
  },
}, { client, table })

const company = new Service({ employee: Employee, office: Office })

await Office.create({ office: 'porto', country: 'pt', seats: 40 }).go()
const employees = Array.from({ length: 30 }, (_, i) => ({ employee: `e${i}`, office: 'porto', title: i % 3 ? 'junior' : 'senior', salary: 1000 + i, skills: ['go', 'sql'], address: { city: 'Porto' }, log: [] }))
assert.deepEqual((await Employee.put(employees).go()).unprocessed, [])
await assert.rejects(Employee.create(employees[0]).go(), /conditional request failed/i)

const { data: one } = await Employee.get({ employee: 'e3' }).go()
assert.deepEqual(one, employees[3])
const { data: several } = await Employee.get([{ employee: 'e1' }, { employee: 'e2' }, { employee: 'nobody' }]).go()
assert.equal(several.length, 2)

const { data: place } = await company.collections.workplace({ office: 'porto' }).go({ pages: 'all' })
assert.equal(place.employee.length, 30)
assert.deepEqual(place.office, [{ office: 'porto', country: 'pt', seats: 40 }])

const { data: seniors } = await Employee.query.byOffice({ office: 'porto', title: 'senior' }).where(({ salary }, { gte }) => gte(salary, 1015)).go()
assert.deepEqual(seniors.map(e => e.salary), [1015, 1018, 1021, 1024, 1027])

let cursor = null, pages = 0, seen = 0
do {
  const page = await Employee.query.byOffice({ office: 'porto' }).go({ cursor, limit: 7 })
  seen += page.data.length
  pages++
  cursor = page.cursor
} while (cursor)
assert.equal(seen, 30)
assert.ok(pages >= 5)

const { data: patched } = await Employee.patch({ employee: 'e3' }).set({ title: 'junior' }).add({ salary: 500, skills: ['c'] }).append({ log: ['moved'] }).composite({ office: 'porto' })
  .go({ response: 'all_new' })
assert.equal(patched.salary, 1503)
assert.deepEqual(patched.skills.toSorted(), ['c', 'go', 'sql'])
assert.deepEqual(patched.log, ['moved'])
await assert.rejects(Employee.patch({ employee: 'nobody' }).set({ log: [] }).go(), /conditional request failed/i)

const moved = await company.transaction.write(({ employee, office }) => [
  employee.remove({ employee: 'e4' }).commit(),
  office.patch({ country: 'pt', office: 'porto' }).add({ seats: 1 }).where(({ seats }, { lt }) => lt(seats, 41)).commit(),
]).go()
assert.equal(moved.canceled, false)
const refused = await company.transaction.write(({ office }) => [
  office.patch({ country: 'pt', office: 'porto' }).add({ seats: 1 }).where(({ seats }, { lt }) => lt(seats, 41)).commit({ response: 'all_old' }),
]).go()
assert.equal(refused.canceled, true)
assert.equal(refused.data[0].code, 'ConditionalCheckFailed')

const { data: scanned } = await Employee.scan.go({ pages: 'all' })
assert.equal(scanned.length, 29)
console.log('ok')
