package oracle

import (
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

func thing() *model.Entity {
	return entity("Thing", 1,
		attr("id", model.TypeString),
		attr("n", model.TypeNumber),
		attr("gone?", model.TypeString),
		attr("lost?", model.TypeString),
		attr("email", model.TypeEmail, stored(expr.Lower)),
		attr("tags", model.TypeStringSet),
		attr("list", model.TypeList),
		attr("map", model.TypeMap),
		attr("flag", model.TypeBoolean),
		attr("at", model.TypeDatetime),
		attr("day", model.TypeDate),
		attr("ttl", model.TypeEpoch),
		attr("ms", model.TypeEpochMS),
		attr("loose", model.TypeDatetime, precision(model.PrecisionVariable)),
		attr("zoned", model.TypeDatetime, anyZone),
		attr("minute", model.TypeDatetime, precision(model.PrecisionMinute)),
		attr("ulid", model.TypeULID),
		attr("null", model.TypeAny),
	)
}

func thingItem() model.Item {
	return model.Item{
		"id": str("a#b"), "n": num(10), "email": str("ada@example.com"), "flag": value.OfBool(true),
		"tags": value.OfSet(value.StringSet, strs("x", "y")...),
		"list": value.OfList(num(1), str("two")),
		"map":  value.OfMap(value.Field{Name: "city", Value: str("London")}),
		"at":   str("2026-01-05T09:00:00Z"), "day": str("2026-01-05"), "ttl": num(1767603600), "ms": num(1767603600000),
		"loose": str("2026-01-05T09:00:00.5Z"), "zoned": str("2026-01-05T10:00:00+01:00"), "minute": str("2026-01-05T09:00Z"),
		"ulid": str("01J8ZQ6V3N5T0K2R4M6P8S0A1B"), "null": value.OfNull(),
	}
}

func TestConditions(t *testing.T) {
	args := model.Args{
		"id": str("a#b"), "mail": str("ADA@Example.com"), "ten": num(10), "list": value.OfList(strs("z", "a#b")...),
		"mails": value.OfList(strs("Ada@EXAMPLE.com")...), "since": str("2026-01-05T09:00:00Z"),
	}
	for text, want := range map[string]bool{
		"id = $id": true, "id <> $id": false, "id = 'a'": false, "n = 10": true, "n = 10.0": true, "10 = n": true,
		"n < 11": true, "n <= 10": true, "n > 10": false, "n >= 10": true, "9 < n": true,
		// Numbers compare by value, texts by their bytes.
		"n > 9": true, "id > 'a!'": true, "id < 'a$'": true,
		// An attribute that is not there.
		"gone = 'x'": false, "gone <> 'x'": true, "NOT gone = 'x'": true, "gone < 'x'": false, "gone > 'x'": false,
		"gone <= 'x'": false, "gone >= 'x'": false, "gone = lost": false, "gone <> lost": true, "gone BETWEEN 'a' AND 'z'": false,
		"NOT gone BETWEEN 'a' AND 'z'": true, "gone IN ('x', 'y')": false, "NOT gone IN ('x')": true,
		"attribute_exists(gone)": false, "attribute_not_exists(gone)": true, "attribute_exists(id)": true,
		"begins_with(gone, 'x')": false, "contains(gone, 'x')": false, "attribute_type(gone, 'S')": false,
		"size(gone) = 0": false, "size(gone) <> 1": true, "size(gone) < 1": false,
		// Comparisons across types.
		"n = '10'": false, "n <> '10'": true, "n < 'z'": false, "n > ''": false, "id >= 0": false, "id BETWEEN 0 AND 9": false,
		"flag = true": true, "flag = false": false, "flag <> 1": true, "flag < true": false, "null <> 'x'": true,
		"null = $null": false, "attribute_exists(`null`)": true,
		// Ranges and lists.
		"n BETWEEN 10 AND 10": true, "n BETWEEN 11 AND 20": false, "n BETWEEN 20 AND 1": false, "n IN (1, 10)": true,
		"id IN $list": true, "id IN ('z')": false, "email IN $mails": true,
		// Functions.
		"begins_with(id, 'a#')": true, "begins_with(id, 'b')": false, "begins_with(n, '1')": false,
		"begins_with(email, 'ADA')": true, "contains(email, '@EX')": true, "contains(id, '#')": true, "contains(id, 1)": false,
		"contains(tags, 'x')": true, "contains(tags, 'z')": false, "contains(list, 'two')": true, "contains(list, 2)": false,
		"attribute_type(id, 'S')": true, "attribute_type(n, 'N')": true, "attribute_type(tags, 'SS')": true,
		"attribute_type(`null`, 'NULL')": true, "attribute_type(n, 'S')": false,
		"size(id) = 3": true, "size(tags) = 2": true, "size(list) > 2": false, "size(map) = 1": true, "size(n) >= 0": false,
		// Into documents.
		"map.city = 'London'": true, "map.country = 'GB'": false, "map.country <> 'GB'": true, "list[1] = 'two'": true,
		"list[2] = 'two'": false, "attribute_not_exists(map.city.x)": true, "id.x = 'a'": false,
		// Stored in one letter case: the other side is too.
		"email = $mail": true, "email = 'Ada@example.COM'": true, "$mail = email": true, "email <> $mail": false,
		"lower(email) = lower($mail)": true, "upper(email) = 'ADA@EXAMPLE.COM'": true, "lower(email) = $mail": false,
		// Template functions.
		"pad(n, 4) = '0010'": true, "invert(n, 4) = '9989'": true, "prefix(id, 2) = 'a#'": true, "pad(n, 1) = '10'": false, "pad(id, 9) = 'a#b'": false, "shard(id, 1) = 0": true,
		"year(at) = '2026'": true, "month(at) = '2026-01'": true, "day(at) = '2026-01-05'": true, "hour(at) = '2026-01-05T09'": true,
		"day(ttl) = '2026-01-05'": true, "hour(ms) = '2026-01-05T09'": true, "day(at) = day($now)": true, "day(ulid) = '2024-09-29'": true,
		"hour(zoned) = '2026-01-05T09'": true, "day(gone) = '2026-01-05'": false, "day(at) = day($since)": true,
		// The current time, in the form of what stands beside it.
		"at = $now": true, "ttl = $now": true, "ms = $now": true, "day = $now": true, "at < $now + 1s": true, "at <= $now - 1s": false,
		"ttl > $now - 5m": true, "ttl + 1h > $now": true, "at BETWEEN $now - 1d AND $now": true, "minute = $now": true,
		"ttl = at + 0s": true, "at + 7d > $now + 6d": true, "$now >= at": true,
		// Times whose text does not sort are compared as times.
		"loose > '2026-01-05T09:00:00Z'": true, "loose < '2026-01-05T09:00:01Z'": true, "zoned <= $now": true, "zoned >= $now": true,
		"zoned BETWEEN $now AND $now": true, "loose > at": true, "minute < '2026-01-05T09:00Z'": false, "minute <= at": true, "minute >= at": true,
		// Logic.
		"id = 'x' OR n = 10": true, "id = $id AND n = 11": false, "NOT (id = 'x' OR n = 11)": true, "NOT NOT n = 10": true,
		"n = $ten AND (gone <> 'x' OR id = 'q')": true, "n + 1 = 11": true, "n - $ten = 0": true, "gone + 1 = 1": false,
	} {
		e := thing()
		s := scope{entity: e, item: thingItem(), args: &bindings{args: args}, now: testNow}
		if got := s.holds(parseCond(t, text)); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

func TestWherePerEntity(t *testing.T) {
	order, line := entity("Order", 1, attr("id", model.TypeString), attr("at", model.TypeString)), entity("Line", 1, attr("id", model.TypeString))
	where := "id = $id AND Order.at >= $since AND id <> $not?"
	for _, test := range []struct {
		in   model.Instance
		args model.Args
		want bool
	}{
		{of(order, model.Item{"id": str("1"), "at": str("b")}), model.Args{"id": str("1"), "since": str("a")}, true},
		{of(order, model.Item{"id": str("1"), "at": str("b")}), model.Args{"id": str("1"), "since": str("c")}, false},
		{of(line, model.Item{"id": str("1")}), model.Args{"id": str("1"), "since": str("c")}, true},
		{of(line, model.Item{"id": str("1")}), model.Args{"id": str("2"), "since": str("c")}, false},
		{of(line, model.Item{"id": str("1")}), model.Args{"id": str("1"), "since": str("c"), "not": str("1")}, false},
	} {
		c := Call{Pattern: &model.Pattern{}, Args: test.args, Now: testNow}
		if got := c.Holds(parseCond(t, where, order, line), test.in); got != test.want {
			t.Errorf("%v with %v: %v, want %v", test.in.Item, test.args, got, test.want)
		}
	}
}
