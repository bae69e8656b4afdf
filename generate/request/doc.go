// Package request writes a plan's requests in the forms in which people send
// them: as the input that every AWS SDK and the API take, as a command of the
// AWS CLI, and as PartiQL.
package request
