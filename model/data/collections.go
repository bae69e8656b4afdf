package data

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// membersMax is the most members of a collection that declares no number.
const membersMax = 5

// memberCounts are the least and greatest number of members to generate.
func memberCounts(d *model.Domain, least int) (low, high int) {
	low, high = least, membersMax
	if d.Members != nil {
		low = max(low, int(d.Members.Min))
		high = int(min(d.Members.Max, int64(max(low, membersMax))))
	}
	return low, max(low, high)
}

// members are the values that a list or set is made of.
func members(a *model.Attribute, h *hints) []value.Value {
	if a.Domain.Items != nil {
		return pool(a.Domain.Items, h)
	}
	switch a.Type {
	case model.TypeNumberSet:
		return pool(&model.Attribute{Type: model.TypeNumber}, h)
	case model.TypeBinarySet:
		return pool(&model.Attribute{Type: model.TypeBinary}, h)
	}
	return pool(&model.Attribute{Type: model.TypeString}, h)
}

// cut takes n members beginning at a place, going round.
func cut(all []value.Value, from, n int) []value.Value {
	var out []value.Value
	for i := 0; i < n && len(all) > 0; i++ {
		out = append(out, all[(from+i)%len(all)])
	}
	return out
}

// listsOf are lists of one member, of several, of none, and of the most.
func listsOf(a *model.Attribute, h *hints) []value.Value {
	low, high := memberCounts(&a.Domain, 0)
	all := members(a, h)
	var out []value.Value
	for _, n := range []int{max(low, 1), max(low, 2), low, high} {
		out = append(out, value.OfList(cut(all, 0, n)...), value.OfList(cut(all, 1, n)...))
	}
	return out
}

// setsOf are sets of one member, of several, and of the most.
func setsOf(a *model.Attribute, h *hints) []value.Value {
	low, high := memberCounts(&a.Domain, 1)
	all := members(a, h)
	var out []value.Value
	for _, n := range []int{low, min(low+1, high), min(low+2, high), high} {
		for from := range min(3, len(all)) {
			if n <= len(all) {
				out = append(out, value.OfSet(a.Type.Kind(), cut(all, from, n)...))
			}
		}
	}
	return out
}

// mapsOf are maps with the plainest members, with each member varied alone, and
// with each optional member left out. The values of a member are given by a
// function.
func mapsOf(a *model.Attribute, values func(*model.Attribute) []value.Value) []value.Value {
	declared := a.Domain.Attributes
	pools := make([][]value.Value, len(declared))
	for i, member := range declared {
		if pools[i] = values(member); len(pools[i]) == 0 && !member.Optional {
			return nil
		}
	}
	build := func(changed int, to value.Value) value.Value {
		var fields []value.Field
		for i, member := range declared {
			v := to
			if i != changed {
				v = first(pools[i])
			}
			if v.Exists() {
				fields = append(fields, value.Field{Name: member.Name.Text, Value: v})
			}
		}
		return value.OfMap(fields...)
	}
	out := []value.Value{build(-1, value.Value{})}
	for variant := 1; variant < poolMax; variant++ {
		for i, member := range declared {
			if variant < len(pools[i]) {
				out = append(out, build(i, pools[i][variant]))
			}
			if variant == 1 && member.Optional {
				out = append(out, build(i, value.Value{}))
			}
		}
	}
	return out[:min(len(out), poolMax)]
}

func first(all []value.Value) value.Value {
	if len(all) == 0 {
		return value.Value{}
	}
	return all[0]
}

// typedMaps are maps whose names and values are each of one kind: with one
// member of every value, and with several, and none.
func typedMaps(a *model.Attribute, h *hints) []value.Value {
	low, high := memberCounts(&a.Domain, 0)
	names, values := ofStrings(texts(&hints{now: h.now}, 1, slugMax)), pool(a.Domain.Items, h)
	if a.Domain.Keys != nil {
		names = pool(a.Domain.Keys, &hints{now: h.now})
	}
	high = min(high, len(names))
	if low > high || len(values) == 0 {
		return nil
	}
	of := func(count, from int) value.Value {
		var fields []value.Field
		for i := range count {
			fields = append(fields, value.Field{Name: names[i].Text(), Value: values[(from+i)%len(values)]})
		}
		return value.OfMap(fields...)
	}
	out := []value.Value{of(max(low, min(1, high)), 0), of(low, 0), of(high, 0)}
	for from := range values {
		out = append(out, of(max(low, min(1+from%3, high)), from))
	}
	return out
}

// freeMaps are maps of an attribute that declares no members.
func freeMaps(a *model.Attribute) []value.Value {
	low, high := memberCounts(&a.Domain, 0)
	var out []value.Value
	for _, n := range []int{max(low, 1), low, high} {
		var fields []value.Field
		for i := range n {
			fields = append(fields, value.Field{Name: string(rune('a' + i)), Value: value.OfInt(int64(i))})
		}
		out = append(out, value.OfMap(fields...))
	}
	return out
}

// anything is a value of each kind.
func anything() []value.Value {
	return []value.Value{
		value.OfString("a"), value.OfInt(1), value.OfBool(true), value.OfString("1"),
		value.OfList(value.OfString("a")), value.OfMap(value.Field{Name: "a", Value: value.OfInt(1)}),
		value.OfSet(value.StringSet, value.OfString("a")), value.OfBinary("a"), value.OfString("A"),
	}
}
