// Package sdk says in the AWS SDK's types what a model says: the table as a
// request that creates it, and items as attribute values.
package sdk
