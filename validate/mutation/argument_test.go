package mutation

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate/check"
)

// The arguments' names, as far as the tests need them.
const (
	toldApart    = "keys of other text that are told apart as well, same requests"
	filteredKeys = "keys that are told apart as well, with a filter for what they no longer say"
	pinnedSame   = "a pinned key that catches the same items"
	widerValues  = "wider values whose keys are told apart as well, same requests"
	notRead      = "an attribute that nothing reads through the index"
	fetchedLocal = "an attribute that a local index fetches from the table"
	elsewhere    = "patterns that another index serves as well"
	byFilter     = "patterns that another index serves, with a filter for what its keys do not say"
	question     = "another question"
	otherRule    = "another rule of when to write, on which nothing else rests"
	oldValues    = "old values that no key needs"
	moreItems    = "an index of more items, with a filter for what it no longer says"
	unrested     = "a rule on which no pattern rests"
)

// model puts entities and patterns into a model of a plain table.
func modelOf(indexes, entities, patterns string) string {
	return fmt.Sprintf("version: 1\nname: m\ntable:\n  name: models\n  partition_key: PK\n  sort_key: SK\n%sentities:\n%saccess_patterns:\n%s", indexes, entities, patterns)
}

// entity is an entity of some attributes and keys.
func entityOf(name, attributes, keys string) string {
	return fmt.Sprintf("  %s:\n    attributes: {%s}\n    keys: {%s}\n", name, attributes, keys)
}

const gsi = "  indexes:\n    GSI: {partition_key: GPK, sort_key: GSK}\n"

// TestArguments holds each argument to what it excuses, and above all to what it
// must not: the mutant of the operator whose text has the words given.
func TestArguments(t *testing.T) {
	all := func(entity string) string { return "  - {name: all, query: " + entity + ", where: a = $a}\n" }
	tests := []struct {
		name, model string
		op          Operator
		has, want   string
	}{
		{"a delimiter after a fixed width", modelOf("", entityOf("E", "a: slug, at: datetime, id: ulid", `PK: "A#{a}", SK: "{at}#{id}"`),
			"  - {name: q, query: E, where: a = $a AND at > $since, order: at desc}\n"), LostDelimiter, "{at}{id}", toldApart},
		{"a delimiter between texts of any length", modelOf("", entityOf("E", "a: slug, b: slug, id: ulid", `PK: "A#{a}#{b}", SK: "{id}"`),
			"  - {name: q, query: E, where: a = $a AND b = $b}\n"), LostDelimiter, "{a}{b}", ""},
		{"a delimiter whose loss lets a prefix catch more", modelOf("", entityOf("E", "a: slug, b: slug, id: ulid", `PK: "A#{a}", SK: "{b}#{id}"`),
			"  - {name: q, query: E, where: a = $a AND b = $b}\n"), LostDelimiter, "{b}{id}", ""},
		{"the same where nobody asks by the part", modelOf("", entityOf("E", "a: slug, b: slug, id: ulid", `PK: "A#{a}", SK: "X#{b}#{id}"`),
			all("E")), LostDelimiter, "{b}{id}", toldApart},
		{"a delimiter before a range of varying width", modelOf("", entityOf("E", "a: slug, b: slug, c: slug", `PK: "A#{a}", SK: "{b}#{c}"`),
			"  - {name: q, query: E, where: a = $a, order: b asc}\n"), LostDelimiter, "{b}{c}", ""},

		{"parts of a partition key swapped", modelOf("", entityOf("E", "a: slug, b: ulid", `PK: "{a}#{b}", SK: X`),
			"  - {name: q, query: E, where: a = $a AND b = $b}\n"), SwappedParts, "{b}#{a}", toldApart},
		{"parts of a sort key swapped under an order", modelOf("", entityOf("E", "a: slug, at: datetime, id: ulid", `PK: "A#{a}", SK: "{at}#{id}"`),
			"  - {name: q, query: E, where: a = $a, order: at asc}\n"), SwappedParts, "{id}#{at}", ""},

		{"a prefix that nobody else has", modelOf("", entityOf("E", "a: slug, id: ulid", `PK: "A#{a}", SK: "NOTE#{id}"`), all("E")), ShortenedPrefix, `"N#{id}"`, toldApart},
		{"a prefix of another entity's prefix", modelOf("", entityOf("E", "a: slug, id: ulid", `PK: "A#{a}", SK: "NOTE#{id}"`)+
			entityOf("F", "a: slug, id: ulid", `PK: "A#{a}", SK: "NEWS#{id}"`), all("E")), ShortenedPrefix, `SK: "{id}"`, ""},
		{"the same between digits", modelOf("", entityOf("E", "a: slug, at: datetime", `PK: "A#{a}", SK: "AT#{at}"`)+
			entityOf("F", "a: slug, id: ulid", `PK: "A#{a}", SK: "NEWS#{id}"`),
			"  - {name: q, query: E, where: a = $a AND at BETWEEN $from AND $to}\n"), ShortenedPrefix, `SK: "{at}"`, toldApart},
		{"and with an open end", modelOf("", entityOf("E", "a: slug, at: datetime", `PK: "A#{a}", SK: "AT#{at}"`)+
			entityOf("F", "a: slug, id: ulid", `PK: "A#{a}", SK: "NEWS#{id}"`),
			"  - {name: q, query: E, where: a = $a AND at >= $from}\n"), ShortenedPrefix, `SK: "{at}"`, ""},

		{"a part of an index that a filter stands in for", modelOf(gsi, entityOf("E", "a: slug, b: slug, id: ulid", `PK: "E#{id}", SK: E, GPK: "{a}#{b}", GSK: "{id}"`),
			"  - {name: q, query: E, where: a = $a AND b = $b}\n"), LostPart, `GPK: "{a}"`, filteredKeys},
		{"a filter that looks for a single item", modelOf(gsi, entityOf("E", "a: slug, b: slug, id: ulid", `PK: "E#{id}", SK: E, GPK: "{a}#{b}", GSK: "{id}"`),
			"  - {name: q, query: E, where: a = $a AND b = $b, one: true}\n"), LostPart, `GPK: "{a}"`, ""},
		{"a part that identifies", modelOf("", entityOf("E", "a: slug, b: slug, id: ulid", `PK: "A#{a}", SK: "{b}#{id}"`), all("E")), LostPart, `SK: "{b}"`, ""},

		{"a pinned range with nothing else in the partition", modelOf("", entityOf("E", "a: slug, id: ulid", `PK: "A#{a}", SK: "NOTE#{id}"`),
			`  - {name: q, query: E, where: a = $a, key: {PK: "A#{a}", SK: {begins_with: "NOTE#"}}}`+"\n"), LostKeyCondition, `key: {PK: "A#{a}"}`, pinnedSame},
		{"a pinned range beside others", modelOf("", entityOf("E", "a: slug, id: ulid", `PK: "A#{a}", SK: "NOTE#{id}"`)+
			entityOf("F", "a: slug, id: ulid", `PK: "A#{a}", SK: "NEWS#{id}"`),
			`  - {name: q, query: E, where: a = $a, key: {PK: "A#{a}", SK: {begins_with: "NOTE#"}}}`+"\n"), LostKeyCondition, `key: {PK: "A#{a}"}`, ""},
		{"a pinned prefix that others have too", modelOf("", entityOf("E", "a: slug, id: ulid", `PK: "A#{a}", SK: "NOTE#{id}"`)+
			entityOf("F", "a: slug, id: ulid", `PK: "A#{a}", SK: "NOTES#{id}"`),
			`  - {name: q, query: E, where: a = $a, key: {PK: "A#{a}", SK: {begins_with: "NOTE#"}}}`+"\n"), ShortenedPrefix, `begins_with: "NOTE"`, ""},

		{"a bound of an attribute in no key", modelOf("", entityOf("E", "a: slug, n: {type: integer, min: 0}", `PK: "A#{a}", SK: X`), all("E")), LooserDomain, "{type: number, min: 0}", widerValues},
		{"a wider text at the end of a key", modelOf("", entityOf("E", "a: slug, b: slug", `PK: "A#{a}", SK: "B#{b}"`), all("E")), LooserDomain, "b: string", widerValues},
		{"a wider text before a delimiter", modelOf("", entityOf("E", "a: slug, b: string", `PK: "{a}#{b}", SK: X`),
			"  - {name: q, query: E, where: a = $a AND b = $b}\n"), LooserDomain, "a: string", ""},
		{"a number wider than its padding", modelOf("", entityOf("E", "a: slug, n: {type: integer, min: 0, max: 99}", `PK: "A#{a}", SK: "{n|pad(2)}"`), all("E")), LooserDomain, "n: {type: integer, min: 0}", ""},

		{"an attribute that nothing reads", modelOf("  indexes:\n    GSI: {partition_key: GPK, sort_key: GSK, projection: [a, n]}\n", entityOf("E", "a: slug, n: integer, id: ulid", `PK: "E#{id}", SK: E, GPK: "{a}", GSK: "{id}"`),
			"  - {name: q, query: E, where: a = $a, select: [a]}\n"), LostProjection, "projection: [a]", notRead},
		{"an attribute that is selected", modelOf("  indexes:\n    GSI: {partition_key: GPK, sort_key: GSK, projection: [a, n]}\n", entityOf("E", "a: slug, n: integer, id: ulid", `PK: "E#{id}", SK: E, GPK: "{a}", GSK: "{id}"`),
			"  - {name: q, query: E, where: a = $a, select: [a, n]}\n"), LostProjection, "projection: [a]", ""},
		{"an attribute of a local index", modelOf("  indexes:\n    LSI: {sort_key: LSK, local: true, projection: [n]}\n", entityOf("E", "a: slug, n: integer, id: ulid", `PK: "A#{a}", SK: "{id}", LSK: "{n|pad(9)}"`),
			"  - {name: q, query: E, where: a = $a, order: n asc, index: LSI}\n"), LostProjection, "keys_only", fetchedLocal},

		{"an index beside its equal", modelOf("  indexes:\n    GSI: {partition_key: GPK, sort_key: GSK}\n    HSI: {partition_key: HPK, sort_key: HSK}\n", entityOf("E", "a: slug, id: ulid", `PK: "E#{id}", SK: E, GPK: "{a}", GSK: "{id}", HPK: "{a}", HSK: "{id}"`),
			all("E")), LostIndex, "keys: {PK: \"E#{id}\", SK: E, HPK", elsewhere},

		{"an index whose pattern another one serves with a filter", modelOf("  indexes:\n    GSI: {partition_key: GPK, sort_key: GSK}\n    HSI: {partition_key: HPK, sort_key: HSK}\n", entityOf("E", "a: slug, b: slug, id: ulid", `PK: "E#{id}", SK: E, GPK: "{a}", GSK: "{id}", HPK: "{a}", HSK: "{b}#{id}"`),
			"  - {name: q, query: E, where: a = $a, order: id asc}\n  - {name: r, query: E, where: a = $a AND b = $b}\n"), LostIndex, "keys: {PK: \"E#{id}\", SK: E, GPK: \"{a}\", GSK: \"{id}\"}", byFilter},
		{"an index by which a single item is found", modelOf("  indexes:\n    GSI: {partition_key: GPK, sort_key: GSK}\n    HSI: {partition_key: HPK, sort_key: HSK}\n", entityOf("E", "a: slug, b: slug, id: ulid", `PK: "E#{id}", SK: E, GPK: "{a}", GSK: "{id}", HPK: "{a}", HSK: "{b}#{id}"`),
			"  - {name: q, query: E, where: a = $a, order: id asc}\n  - {name: r, query: E, where: a = $a AND b = $b, one: true}\n"), LostIndex, "keys: {PK: \"E#{id}\", SK: E, GPK: \"{a}\", GSK: \"{id}\"}", ""},
		{"wider values in keys that two entities share, told apart by their type", modelOf("  entity_type: type\n"+gsi, entityOf("E", "c: {type: slug, length: 1..9}, id: ulid, d: date", `PK: "E#{id}", SK: E, GPK: "C#{c}", GSK: "{d}"`)+entityOf("F", "c: {ref: E}, id: ulid, d: date", `PK: "F#{id}", SK: F, GPK: "C#{c}", GSK: "{d}"`),
			"  - {name: q, query: E, where: c = $c, allow_filter: true}\n  - {name: r, query: F, where: c = $c, allow_filter: true}\n"), LooserDomain, "c: {type: string", widerValues},
		{"the same where one query takes all that is there", modelOf("  entity_type: type\n"+gsi, entityOf("E", "c: {type: slug, length: 1..9}, id: ulid, d: date", `PK: "E#{id}", SK: E, GPK: "C#{c}", GSK: "{d}"`)+entityOf("F", "c: {ref: E}, id: ulid, d: date", `PK: "F#{id}", SK: F, GPK: "C#{c}", GSK: "{d}"`),
			"  - {name: q, query: E, where: c = $c}\n  - {name: r, query: F, where: c = $c, allow_filter: true}\n"), LooserDomain, "c: {type: string", ""},
		{"a condition of an unpinned read", modelOf("", entityOf("E", "a: slug, n: integer", `PK: "A#{a}", SK: X`),
			"  - {name: q, query: E, where: a = $a AND n > 3}\n"), WeakerBound, "n >= 3", question},
		{"a condition of a pinned read", modelOf("", entityOf("E", "a: slug, n: integer", `PK: "A#{a}", SK: X`),
			`  - {name: q, query: E, where: a = $a AND n > 3, key: {PK: "A#{a}"}, filter: n > 3}`+"\n"), WeakerBound, "where: a = $a AND n >= 3", ""},
		{"a filter of a pinned read", modelOf("", entityOf("E", "a: slug, n: integer", `PK: "A#{a}", SK: X`),
			`  - {name: q, query: E, where: a = $a AND n > 3, key: {PK: "A#{a}"}, filter: n > 3}`+"\n"), WeakerBound, "filter: n >= 3", ""},

		{"a condition on which nothing rests", modelOf("", entityOf("E", "a: slug, n: integer, s: [x, y]", `PK: "A#{a}", SK: X`),
			"  - {name: u, update: E, change: SET n = n + 1, if: s = 'x' AND a <> 'b'}\n"), LostCondition, "if: a <> 'b'", otherRule},
		{"a condition that keeps a bound", modelOf("", entityOf("E", "a: slug, n: {type: integer, max: 9}, s: [x, y]", `PK: "A#{a}", SK: X`),
			"  - {name: u, update: E, change: SET n = n + 1, if: n < 9 AND s = 'x'}\n"), LostCondition, "if: s = 'x'", ""},
		{"a condition on a count of what the same call takes away", modelOf("", entityOf("E", "a: slug, n: {count_of: F}", `PK: "A#{a}", SK: X`)+entityOf("F", "a: {ref: E}, id: ulid", `PK: "A#{a}", SK: "F#{id}"`),
			"  - name: u\n    transact_write:\n      - {delete: F, must_exist: true}\n      - {update: E, change: SET n = n - 1, if: n > 1}\n"), LostCondition, "change: SET n = n - 1}", otherRule},
		{"the same on a sum", modelOf("", entityOf("E", "a: slug, n: {sum_of: F.w, min: 0}", `PK: "A#{a}", SK: X`)+entityOf("F", "a: {ref: E}, id: ulid, w: {type: integer, min: 1, max: 1}", `PK: "A#{a}", SK: "F#{id}"`),
			"  - name: u\n    transact_write:\n      - {delete: F, must_exist: true}\n      - {update: E, change: SET n = n - 1, if: n > 1}\n"), LostCondition, "change: SET n = n - 1}", ""},
		{"a condition that an amount keeps to", modelOf("", entityOf("E", "a: slug, n: integer, s: [x, y]", `PK: "A#{a}", SK: X`),
			"  - {name: u, update: E, change: SET n = n + $by, if: n > $by AND s = 'x'}\n"), LostCondition, "if: s = 'x'", ""},
		{"a condition that knows a part of a key", modelOf(gsi, entityOf("E", "a: slug, s: [x, y], b: slug", `PK: "A#{a}", SK: X, GPK: "{s}", GSK: "{s}#{b}"`),
			"  - {name: u, update: E, change: SET s = 'y', if: b = 'b' AND s = 'x'}\n  - {name: q, query: E, where: s = $s}\n"), LostCondition, "if: s = 'x'", ""},

		{"old values of no key", modelOf("", entityOf("E", "a: slug, n: integer", `PK: "A#{a}", SK: X`),
			"  - {name: u, update: E, change: SET n = $n, read_first: true}\n"), LostOldValue, "change: SET n = $n}", oldValues},
		{"old values of a key that is given", modelOf(gsi, entityOf("E", "a: slug, n: integer, m: integer", `PK: "A#{a}", SK: X, GPK: "{a}", GSK: "N#{n|pad(9)}"`),
			"  - {name: u, update: E, change: SET n = $n, read_first: true}\n  - {name: q, query: E, where: a = $a, index: GSI}\n"), LostOldValue, "change: SET n = $n}", oldValues},
		{"old values of a key", modelOf(gsi, entityOf("E", "a: slug, n: integer, m: integer", `PK: "A#{a}", SK: X, GPK: "{a}", GSK: "N#{n|pad(9)}#{m}"`),
			"  - {name: u, update: E, change: SET n = $n, read_first: true}\n  - {name: q, query: E, where: a = $a, index: GSI}\n"), LostOldValue, "change: SET n = $n}", ""},
		{"a when that a filter stands in for", modelOf(gsi, entityOf("E", "a: slug, s: [x, y], id: ulid", `PK: "E#{id}", SK: X, GPK: {template: "{a}", when: s = 'x'}, GSK: "{id}"`),
			"  - {name: q, query: E, where: a = $a AND s = 'x'}\n"), LostWhen, `GPK: {template: "{a}"}`, moreItems},
		{"a template of a guard", modelOf("", "  E:\n    attributes: {a: slug, mail: email}\n    keys: {PK: \"A#{a}\", SK: X}\n    unique:\n      - {of: [mail], key: {PK: \"MAIL#{mail}\", SK: GUARD}}\n",
			"  - {name: g, get: E}\n"), ShortenedPrefix, `"M#{mail}"`, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sound, mutant := mutantOf(t, test.model, test.op, test.has)
			broken := static(t, mutant.Text)
			if rule, refused := language(broken); refused {
				t.Fatalf("the mutant is refused by %s: %v", rule, broken.Report.Findings)
			}
			if got := excuse(mutant, sound, broken); got != test.want {
				t.Errorf("%s: excused as %q, want %q", mutant.After, got, test.want)
			}
		})
	}
}

// TestUniqueRests: what one: true rests on is no spare rule.
func TestUniqueRests(t *testing.T) {
	text := func(one string) string {
		return modelOf(gsi, "  E:\n    attributes: {a: slug, mail: email}\n    keys: {PK: \"A#{a}\", SK: X, GPK: \"M#{mail}\", GSK: X}\n    unique: [mail]\n",
			"  - {name: q, query: E, where: mail = $mail"+one+"}\n")
	}
	for one, want := range map[string]string{"": unrested, ", one: true": ""} {
		sound, mutant := mutantOf(t, text(one), LostUnique, "")
		if got := excuse(mutant, sound, static(t, mutant.Text)); got != want {
			t.Errorf("%q: excused as %q, want %q", one, got, want)
		}
	}
}

// mutantOf is a model, which has to be sound, and its mutant of an operator whose
// text has some words.
func mutantOf(t *testing.T, text string, op Operator, has string) (*check.Result, Mutant) {
	t.Helper()
	sound := static(t, text)
	if rule, refused := language(sound); refused {
		t.Fatalf("the model is refused by %s: %v\n%s", rule, sound.Report.Findings, text)
	}
	var others []string
	for _, m := range Mutants(sound.Model) {
		if m.Operator == op && strings.Contains(m.Text, has) {
			return sound, m
		}
		others = append(others, fmt.Sprintf("%s: %s", m.Operator, m.After))
	}
	t.Fatalf("no %s has %s among\n%s", op, has, strings.Join(others, "\n"))
	return nil, Mutant{}
}

func static(t *testing.T, text string) *check.Result {
	t.Helper()
	r, err := check.File(context.Background(), source.NewFile("m.yaml", text), nil, check.Options{Static: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
