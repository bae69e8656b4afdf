// Package plan decides how DynamoDB serves each access pattern: which index,
// key condition, filter, projection and requests, as plain data for the check,
// the documents, the IAM policy and the code generators alike.
//
// A Planner turns a pattern into a Plan. A Plan has one Variant for every
// combination of optional parameters, since leaving one out can call for
// another index. A Variant is symbolic: keys are Recipes over parameters and
// conditions are expression trees; Variant.Requests fills in a call's arguments
// and gives concrete requests, which name no SDK type.
//
// Nothing here runs anything or knows what a right answer is. Where a pattern
// cannot be served soundly the plan says so in its Findings; the variant then
// still holds the requests that come closest, if there are any, so that a proof
// can show what goes wrong.
package plan
