// What the shop's ElectroDB entities read of items that were written elsewhere,
// and that functions fail alike, whichever way they go. It prints "ok" at the end.
import assert from 'node:assert/strict'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import * as shop from './out/shop/index.js'

const client = new DynamoDBClient({
  endpoint: process.argv[2],
  region: 'local',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  maxAttempts: 1,
})
const db = shop.connect(client, { now: () => new Date('2026-04-01T12:00:00Z') })
const { electro } = db
const customerId = '01J8ZQ6V3N5T0K2R4M6P8S0A1B'

// A collection: all that a customer has.
const { data: all } = await electro.service.collections.tableByCustomerId({ customerId }).go({ pages: 'all' })
assert.deepEqual(all.Customer.map((c) => c.name), ['Ada'])
assert.deepEqual(all.Address.map((a) => a.label), ['home'])
assert.deepEqual(all.Order.map((o) => o.placedAt), ['2026-03-09T10:15:00Z', '2026-03-26T18:40:00Z'])
assert.deepEqual(all.CartLine, [])

// Keys that ElectroDB composes, and keys that are computed.
const { data: late } = await electro.Order.query.table({ customerId }).gte({ placedAt: '2026-03-20T00:00:00Z' }).go()
assert.deepEqual(late.map((o) => o.status), ['placed'])
const { data: items } = await electro.OrderItem.query.table({ orderId: '01JNWM26V3N5T0K2R4M6P8S0A1' }).go()
assert.deepEqual(items.map((i) => i.line), [1, 2])
const { data: open } = await electro.Order.query.OpenOrders({ OpenPK: 'OPEN#2026-03-26' }).go()
assert.deepEqual(open.map((o) => o.orderId), ['01JQ7WZ6V3N5T0K2R4M6P8S0A2'])

// What ElectroDB writes by itself the functions find, and has nothing else in it than the model says.
await electro.Product.create({ sku: 'spoon', title: 'Spoon', category: 'kitchen', price: 99, stock: 4 }).go()
const { items: cheap } = await shop.productsByPrice(db, { category: 'kitchen', from: 0, to: 2000 })
assert.deepEqual(cheap.map((p) => p.sku), ['spoon', 'mug-blue'])
assert.deepEqual((await electro.Product.get({ sku: 'spoon' }).go({ data: 'raw' })).data.Item, {
  EntityType: 'Product',
  PK: 'PRODUCT#spoon',
  SK: 'PRODUCT',
  GSI1PK: 'CATEGORY#kitchen',
  GSI1SK: 'PRICE#00000099#spoon',
  sku: 'spoon',
  title: 'Spoon',
  category: 'kitchen',
  price: 99,
  stock: 4,
})

// Errors are the SDK's either way.
const refused = { name: 'ConditionalCheckFailedException' }
await assert.rejects(shop.addCoupon(db, { code: 'SPRING-26', percent: 1, usesLeft: 1, endsAt: '2026-05-31T23:59:59Z' }), refused)
await assert.rejects(shop.redeemCoupon(db, { code: 'NONE' }), refused)
await assert.rejects(shop.changePrice(db, { sku: 'spoon' }), { name: 'UnfitError' })
assert.equal(await shop.couponByCode(db, { code: 'NONE' }), undefined)

// A page that is asked for by its cursor.
const first = await shop.customerWithOrders(db, { customerId }, { size: 2 })
const second = await shop.customerWithOrders(db, { customerId }, { size: 2, cursor: first.cursor })
assert.deepEqual([...first.items, ...second.items].map((i) => i.entity), ['Order', 'Order', 'Customer'])
console.log('ok')
