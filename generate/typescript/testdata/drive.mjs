// Calls generated functions as it is told, line by line, and tells what they
// answer. Bytes and sets, which JSON has not, are marked.
import { createInterface } from 'node:readline'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'

const client = new DynamoDBClient({
  endpoint: process.argv[2],
  region: 'local',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  maxAttempts: 1,
})

const read = (_, v) => {
  if (v?.$bytes !== undefined) return new Uint8Array(Buffer.from(v.$bytes, 'base64'))
  return v?.$set === undefined ? v : new Set(v.$set)
}

const written = (v) => {
  if (v instanceof Uint8Array) return { $bytes: Buffer.from(v).toString('base64') }
  if (v instanceof Set) return { $set: [...v].map(written) }
  if (Array.isArray(v)) return v.map(written)
  if (v === null || typeof v !== 'object') return v
  return Object.fromEntries(Object.entries(v).map(([n, m]) => [n, written(m)]))
}

async function answer({ module, name, args, now, table, size }) {
  const code = await import(`./out/${module}/index.js`)
  const db = code.connect(client, { table, now: () => new Date(now), random: () => 0 })
  const all = args === null ? [db] : [db, args]
  if (size === 0) return code[name](...all)
  const items = []
  let cursor
  do {
    const page = await code[name](...all, { size, cursor })
    if (page.items.length > size) throw new Error('a page is too long')
    items.push(...page.items)
    cursor = page.cursor
  } while (cursor)
  return items
}

for await (const line of createInterface({ input: process.stdin })) {
  try {
    const result = await answer(JSON.parse(line, read))
    console.log(JSON.stringify({ result: written(result) ?? null }))
  } catch (error) {
    console.log(JSON.stringify({ error: `${error.name}: ${error.message}`, stack: error.stack }))
  }
}
