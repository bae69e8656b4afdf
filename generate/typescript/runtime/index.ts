export * from './database.js';
export * from './expression.js';
export * from './keys.js';
export * from './neighbours.js';
export * from './values.js';
