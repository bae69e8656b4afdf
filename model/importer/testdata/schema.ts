import {OneSchema, Entity} from 'dynamodb-onetable'

/* What a blog stores: {"indexes": not here} */
export const Schema = {
    format: 'onetable:1.1.0',
    version: '0.1.0',
    indexes: {
        primary: { hash: 'pk', sort: 'sk' },
        gs1: { hash: 'gs1pk', sort: 'gs1sk', project: ['title'], follow: true },
        ls1: { type: 'local', sort: 'created' },
    },
    models: {
        Account: {
            pk: { type: String, value: 'account#${id}' },
            sk: { type: String, value: 'account#' },
            id: { type: String, generate: 'ulid', validate: /^[0-9A-F]{32}$/i },
            name: { type: String, required: true, unique: true },
            role: { type: String, enum: ['user', 'admin'], required: true, default: 'user' },
            address: { type: Object, schema: { city: { type: String, required: true }, zip: { type: String } } },
            expires: { type: Date, ttl: true },
        },
        Post: {
            pk: { type: String, value: 'account#${accountId}' },
            sk: { type: String, value: 'post#${number:6:0}' },
            gs1pk: { type: String, value: 'post#${title}' },
            gs1sk: { type: String, value: 'post#${number:6:0}' },
            accountId: { type: String, required: true, reference: 'Account:primary:accountId' },
            number: { type: Number, required: true },
            title: { type: String, encode: () => 'x', },
            tags: { type: Array, items: { type: String } },
            slug: { type: String, value: '${title}-x' },
            odd: { type: Symbol },
        },
    } as const,
    params: { isoDates: true, timestamps: true, typeField: '_type' },
} satisfies OneSchema

export type Account = Entity<typeof Schema.models.Account>
