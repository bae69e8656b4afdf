package parse

import (
	"strings"

	"github.com/dynmodel/dynmodel/model/diag"
)

// meant is the end of a message about an unknown word: the nearest one, or all
// of them when there are few and none is near. It is nothing once there have
// been very many words to compare.
func (r *reader) meant(word string, words []string, list string) string {
	if r.compared += len(words); r.compared > maxCompared {
		return ""
	}
	if near := diag.Nearest(word, words); near != "" {
		return "; did you mean `" + near + "`?"
	}
	switch {
	case len(words) == 0 || len(words) > 12:
		return ""
	case strings.HasSuffix(list, "write "):
		return list + enumerate(words, "or")
	}
	return list + enumerate(words, "and")
}

// enumerate writes words as `a`, `b` or `c`.
func enumerate(words []string, last string) string {
	var b strings.Builder
	for i, w := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			b.WriteString(" " + last + " ")
		default:
			b.WriteString(", ")
		}
		b.WriteString("`" + w + "`")
	}
	return b.String()
}

// clip shortens a text for a message.
func clip(s string) string {
	s = strings.ReplaceAll(s, "\n", " ")
	if runes := []rune(s); len(runes) > 40 {
		return string(runes[:39]) + "…"
	}
	return s
}

// foreign is the key that says what a word of DynamoDB's API or of another
// library says, with the end of a message about it; both are "" for other words.
// Of a word that may mean several things, it is the first key among fields.
func foreign(word string, fields []field) (key, advice string) {
	normal := strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(word))
	first := len(fields)
	for _, said := range foreignWords[normal] {
		name, _, _ := strings.Cut(said, ":")
		if i := find(fields, name); i >= 0 && i < first {
			first, key, advice = i, name, "; here it is `"+said+"`"
		}
	}
	if key != "" {
		return key, advice
	}
	if advice := foreignAdvice[normal]; advice != "" {
		return "", "; " + advice
	}
	return "", ""
}

// foreignWords are words of DynamoDB's API and of other libraries, in lower case
// without separators, and the keys that say the same here.
var foreignWords = map[string][]string{
	"hashkey":                          {"partition_key"},
	"hash":                             {"partition_key"},
	"pk":                               {"partition_key"},
	"partitionkeyname":                 {"partition_key"},
	"primarykey":                       {"partition_key", "identity"},
	"rangekey":                         {"sort_key"},
	"range":                            {"sort_key", "span"},
	"sk":                               {"sort_key"},
	"gsi":                              {"indexes"},
	"gsis":                             {"indexes"},
	"lsi":                              {"local: true", "indexes"},
	"lsis":                             {"indexes"},
	"globalsecondaryindexes":           {"indexes"},
	"localsecondaryindexes":            {"indexes"},
	"secondaryindexes":                 {"indexes"},
	"indices":                          {"indexes"},
	"tablename":                        {"name"},
	"indexname":                        {"index"},
	"projectiontype":                   {"projection"},
	"nonkeyattributes":                 {"projection"},
	"project":                          {"select", "projection"},
	"projectionexpression":             {"select"},
	"projections":                      {"projection"},
	"fields":                           {"attributes", "select"},
	"properties":                       {"attributes"},
	"columns":                          {"attributes", "select"},
	"attributestoget":                  {"select"},
	"billingmode":                      {"capacity"},
	"billing":                          {"capacity"},
	"throughput":                       {"capacity"},
	"provisionedthroughput":            {"capacity"},
	"payperrequest":                    {"capacity: on_demand"},
	"timetolive":                       {"ttl"},
	"ttlattribute":                     {"ttl"},
	"streams":                          {"stream"},
	"streamspecification":              {"stream"},
	"streamviewtype":                   {"stream", "view"},
	"pitr":                             {"point_in_time_recovery"},
	"backup":                           {"point_in_time_recovery"},
	"pointintimerecoveryspecification": {"point_in_time_recovery"},
	"tableclass":                       {"class"},
	"deletionprotectionenabled":        {"deletion_protection"},
	"ssespecification":                 {"encryption"},
	"sse":                              {"encryption"},
	"globaltable":                      {"replicas"},
	"typeattribute":                    {"entity_type"},
	"discriminator":                    {"entity_type", "type"},
	"entitytypeattribute":              {"entity_type"},
	"models":                           {"entities"},
	"schemas":                          {"entities"},
	"items":                            {"entities", "samples"},
	"patterns":                         {"access_patterns"},
	"accesspattern":                    {"access_patterns"},
	"queries":                          {"access_patterns"},
	"operations":                       {"access_patterns"},
	"imports":                          {"include"},
	"includes":                         {"include"},
	"enum":                             {"values"},
	"oneof":                            {"values"},
	"choices":                          {"values"},
	"allowed":                          {"values"},
	"allowedvalues":                    {"values"},
	"regex":                            {"pattern"},
	"regexp":                           {"pattern"},
	"match":                            {"pattern"},
	"minimum":                          {"min"},
	"maximum":                          {"max"},
	"minlength":                        {"length: 1..64"},
	"maxlength":                        {"length: 1..64"},
	"maxsize":                          {"size: 1KB..300KB"},
	"nullable":                         {"optional"},
	"references":                       {"ref"},
	"reference":                        {"ref"},
	"foreignkey":                       {"ref"},
	"normalize":                        {"stored"},
	"transform":                        {"stored"},
	"readonly":                         {"immutable"},
	"computed":                         {"derive"},
	"autogenerate":                     {"minted"},
	"generated":                        {"minted"},
	"format":                           {"type"},
	"value":                            {"template", "default"},
	"condition":                        {"if", "where", "when"},
	"conditionexpression":              {"if"},
	"conditions":                       {"if", "where"},
	"keycondition":                     {"where"},
	"keyconditionexpression":           {"where"},
	"keyconditions":                    {"where"},
	"filterexpression":                 {"where"},
	"updateexpression":                 {"change"},
	"set":                              {"change"},
	"add":                              {"change"},
	"remove":                           {"change"},
	"expressionattributevalues":        {"params"},
	"parameters":                       {"params"},
	"args":                             {"params", "with"},
	"arguments":                        {"params", "with"},
	"scanindexforward":                 {"order: attribute desc"},
	"sort":                             {"order"},
	"orderby":                          {"order"},
	"reverse":                          {"order: attribute desc"},
	"consistentread":                   {"consistent"},
	"stronglyconsistent":               {"consistent"},
	"returnvalues":                     {"returns"},
	"pagesize":                         {"page"},
	"exclusivestartkey":                {"page"},
	"single":                           {"one"},
	"unique":                           {"one"},
	"getitem":                          {"get"},
	"putitem":                          {"put"},
	"insert":                           {"create"},
	"updateitem":                       {"update"},
	"deleteitem":                       {"delete"},
	"removeitem":                       {"delete"},
	"batchgetitem":                     {"batch_get"},
	"batchwriteitem":                   {"batch_write"},
	"transaction":                      {"transact_write"},
	"transactwriteitems":               {"transact_write"},
	"transactgetitems":                 {"transact_get"},
	"conditioncheck":                   {"check"},
	"foreach":                          {"for_each"},
	"clientrequesttoken":               {"token"},
	"rps":                              {"rate"},
	"frequency":                        {"rate"},
	"cardinality":                      {"volume"},
	"replicaregions":                   {"replicas"},
}

const keysAdvice = "the entity's `keys` say what the key attributes are made of"

// foreignAdvice is for words that no single key replaces.
var foreignAdvice = map[string]string{
	"required":                 "attributes are required unless they are `optional: true`, or their type ends in `?`",
	"attributedefinitions":     "key attributes are strings unless `partition_key: {name: , type: }` says otherwise, or an entity has an attribute of that name",
	"keyschema":                "name the keys with `partition_key` and `sort_key`",
	"expressionattributenames": "attributes are named as they are in expressions, reserved words included",
	"primarykey":               keysAdvice,
	"hashkey":                  keysAdvice,
	"rangekey":                 keysAdvice,
	"partitionkey":             keysAdvice,
	"sortkey":                  keysAdvice,
	"readcapacityunits":        "write `capacity: {provisioned: {read: , write: }}`",
	"writecapacityunits":       "write `capacity: {provisioned: {read: , write: }}`",
	"filter":                   "say what is wanted in `where`; the tool decides what becomes a filter",
	"select":                   "name the attributes wanted in `select` of a read",
}
