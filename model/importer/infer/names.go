package infer

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// splitWords are the words of a name in lower case: of userId, user_id, UserID
// and user-id alike. There is at least one, which may be "".
func splitWords(name string) []string {
	var words []string
	var current []rune
	flush := func() {
		if len(current) > 0 {
			words = append(words, strings.ToLower(string(current)))
			current = nil
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1])),
			unicode.IsUpper(r) && i > 0 && i+1 < len(runes) && unicode.IsUpper(runes[i-1]) && unicode.IsLower(runes[i+1]):
			flush()
		}
		current = append(current, r)
	}
	flush()
	if len(words) == 0 {
		words = []string{""}
	}
	return words
}

// style is how a table's attributes are written.
type style int

const (
	camel style = iota
	snake
	pascal
)

// styleOf is the style that most names have; camel when none has any.
func styleOf(names []string) style {
	var count [3]int
	for _, n := range names {
		switch words := splitWords(n); {
		case strings.Contains(n, "_"):
			count[snake]++
		case n != "" && unicode.IsUpper([]rune(n)[0]) && strings.ToUpper(n) != n:
			count[pascal]++
		case len(words) > 1:
			count[camel]++
		}
	}
	best := camel
	for s, n := range count {
		if n > count[best] {
			best = style(s)
		}
	}
	return best
}

// write makes a name of words.
func (s style) write(words ...string) string {
	if s == snake {
		return strings.Join(words, "_")
	}
	var b strings.Builder
	for i, w := range words {
		if i == 0 && s == camel {
			b.WriteString(w)
			continue
		}
		b.WriteString(capital(w))
	}
	return b.String()
}

func capital(w string) string {
	runes := []rune(w)
	if len(runes) > 0 {
		runes[0] = unicode.ToUpper(runes[0])
	}
	return string(runes)
}

// entityName makes a name of an entity out of any text: the words that it has in
// ASCII, each with a capital.
func entityName(text string) string {
	var b strings.Builder
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return r >= 0x80 || !isAlphanumeric(byte(r))
	}) {
		if strings.ToUpper(w) == w && len(w) > 1 {
			w = strings.ToLower(w)
		}
		b.WriteString(capital(w))
	}
	name := b.String()
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "Entity" + name
	}
	return name
}

// isEntityName tells whether the language takes a text as an entity's name.
func isEntityName(text string) bool {
	return text != "" && text[0] < 0x80 && isAlphanumeric(text[0]) && (text[0] < '0' || text[0] > '9') &&
		!strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 || !isAlphanumeric(byte(r)) && r != '_' })
}

func isAlphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// kebab makes a name of an access pattern of any text.
func kebab(text string) string {
	var words []string
	for _, w := range splitWords(text) {
		w = strings.Map(func(r rune) rune {
			if r < 0x80 && isAlphanumeric(byte(r)) {
				return r
			}
			return -1
		}, w)
		if w != "" {
			words = append(words, w)
		}
	}
	name := strings.Join(words, "-")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = strings.TrimSuffix("pattern-"+name, "-")
	}
	return name
}

// names hands out names that are not taken yet.
type names map[string]bool

// unused is a name like the wanted one that has not been given before.
func (n names) unused(want, join string) string {
	name := want
	for i := 2; n[name]; i++ {
		name = fmt.Sprintf("%s%s%d", want, join, i)
	}
	n[name] = true
	return name
}

// plural is a name for several of an entity.
func plural(word string) string {
	switch {
	case strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us"):
		return word // it is one already
	case strings.HasSuffix(word, "s") || strings.HasSuffix(word, "x") || strings.HasSuffix(word, "ch") || strings.HasSuffix(word, "sh"):
		return word + "es"
	case strings.HasSuffix(word, "y") && len(word) > 1 && !strings.ContainsRune("aeiou", rune(word[len(word)-2])):
		return word[:len(word)-1] + "ies"
	}
	return word + "s"
}

// keyWords are the words of names that say of an attribute only that it is a key.
var keyWords = []string{
	"pk", "sk", "key", "partition", "sort", "hash", "range", "primary", "partitionkey", "sortkey", "hashkey", "rangekey",
	"gsi", "lsi", "gs", "ls", "index", "idx",
}

// isGenericKey tells a name such as PK, GSI1SK, pk_2 or lsi1-sk: it says that the
// attribute is a key, and nothing of what is in it.
func isGenericKey(name string) bool {
	for _, w := range splitWords(name) {
		if !isKeyWord(w) {
			return false
		}
	}
	return true
}

// isKeyWord takes a word apart into key words and digits: gsi1pk.
func isKeyWord(w string) bool {
	w = strings.TrimLeft(w, "0123456789")
	if w == "" {
		return true
	}
	return slices.ContainsFunc(keyWords, func(k string) bool {
		rest, ok := strings.CutPrefix(w, k)
		return ok && isKeyWord(rest)
	})
}

// endsAsKey tells a name such as OpenPK or status_sk, of attributes that exist
// for the sake of an index.
func endsAsKey(name string) bool {
	words := splitWords(name)
	last := words[len(words)-1]
	return slices.Contains([]string{"pk", "sk", "hash", "range"}, last) || last != "key" && isKeyWord(last)
}
