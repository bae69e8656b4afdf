package cdk

import "testing"

func TestClassName(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"shop", "ShopTable"}, {"online shop", "OnlineShopTable"}, {"ShopTable", "ShopTable"}, {"123", "Model123Table"},
		{"größe", "GrETable"}, {"日本", "Table"}, {"", "Table"}, {"class", "ClassTable"}, {"a.b-c", "ABCTable"}, {"Stack", "StackTable"},
	} {
		if got := className(c.name); got != c.want {
			t.Errorf("%q: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestQuote(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"PK", "'PK'"}, {"it's", `"it's"`}, {`"a"`, `"\"a\""`}, {`a\b`, `"a\\b"`}, {"a\nb", `"a\nb"`}, {"${x}", "'${x}'"}, {"größe", "'größe'"},
	} {
		if got := quote(c.text); got != c.want {
			t.Errorf("%q: got %s, want %s", c.text, got, c.want)
		}
	}
}
