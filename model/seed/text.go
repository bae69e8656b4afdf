package seed

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/dynmodel/dynmodel/model"
)

func givenNames() []string {
	return strings.Fields("Ada Amir Ana Björn Carlos Chidi Dana Elif Emma Farid Grace Hana Ines Ivan Jamal Jun Kofi Lars Leila Linh Maya Mei Nadia Noah Olga Omar Priya Quentin Rosa Sven Tariq Uma Vera Wei Yusuf Zoë")
}

func familyNames() []string {
	return strings.Fields("Abebe Almeida Andersson Bauer Brown Castillo Chen Costa Dubois Eze Fischer García Hansen Hussein Ivanova Jensen Kaya Kim Kowalski Lopez Martin Mbeki Nakamura Nguyen Okafor Patel Rossi Sato Schmidt Silva Singh Smith Tanaka Weber Yilmaz Zhang")
}

func cities() []string {
	return strings.Fields("Accra Amsterdam Berlin Bogotá Cairo Chicago Delhi Dublin Hamburg Hanoi Istanbul Jakarta Kraków Lagos Leeds Lima Lisbon Lyon Madrid Manila Melbourne Milan Nairobi Osaka Oslo Paris Porto Quito Seoul Sofia Tampere Tokyo Toronto Turin Utrecht Vienna Warsaw Zürich")
}

func streets() []string {
	return strings.Split("Market Street,Mill Lane,Station Road,Hauptstraße,Rue de la Gare,Via Roma,Calle Mayor,Park Avenue,High Street,Church Road,Lindenallee,Harbour View", ",")
}

func adjectives() []string {
	return strings.Fields("blue bright calm compact crisp deep fine fresh golden grand light modern quiet rapid round sharp silver simple smooth solid steady swift warm wide")
}

func things() []string {
	return strings.Fields("anchor basket beacon bottle bridge camera candle carpet chair clock compass cup desk drum fence flute garden hammer jacket kettle ladder lamp mirror needle paper pencil piano pillow plate radio rope shelf stone table ticket tower wagon window")
}

func verbs() []string {
	return strings.Fields("arrived broke changed cleaned closed counted delivered fixed found kept left lifted moved opened ordered painted planned received replaced returned sent shipped tested turned")
}

func pick(dice *rand.Rand, words []string) string { return words[dice.IntN(len(words))] }

// text is a text such as an attribute of that name would hold.
func (d *drawer) text(a *model.Attribute) string {
	name := strings.ToLower(a.Name.Text)
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(name, w) {
				return true
			}
		}
		return false
	}
	switch {
	case a.Type == model.TypeEmail || has("email"):
		return d.email("")
	case a.Type == model.TypeURL || has("url", "link", "website"):
		return fmt.Sprintf("https://example.com/%s/%s", slug(pick(d.dice, adjectives())), slug(pick(d.dice, things())))
	case a.Type == model.TypeS3Object:
		return fmt.Sprintf("s3://example-bucket/%s/%016x", slug(pick(d.dice, things())), d.dice.Uint64())
	case a.Type == model.TypeSlug:
		return fmt.Sprintf("%s-%s", pick(d.dice, adjectives()), pick(d.dice, things()))
	case has("firstname", "first_name", "givenname"):
		return pick(d.dice, givenNames())
	case has("lastname", "last_name", "surname", "familyname"):
		return pick(d.dice, familyNames())
	case has("phone", "mobile"):
		return fmt.Sprintf("+%d %03d %07d", 1+d.dice.IntN(98), d.dice.IntN(1000), d.dice.IntN(10_000_000))
	case has("city", "town"):
		return pick(d.dice, cities())
	case has("street", "address"):
		return fmt.Sprintf("%s %d", pick(d.dice, streets()), 1+d.dice.IntN(200))
	case has("postcode", "zip", "postal"):
		return fmt.Sprintf("%05d", d.dice.IntN(100_000))
	case has("country"):
		return pick(d.dice, strings.Fields("AU BR CA DE ES FR GB IN IT JP KE MX NG NL PL SE US VN"))
	case has("version", "firmware"):
		return fmt.Sprintf("%d.%d.%d", 1+d.dice.IntN(5), d.dice.IntN(20), d.dice.IntN(50))
	case has("title", "product", "label", "subject", "topic"):
		return capital(pick(d.dice, adjectives()) + " " + pick(d.dice, things()))
	case has("name", "author", "owner", "customer", "user"):
		return pick(d.dice, givenNames()) + " " + pick(d.dice, familyNames())
	case has("text", "body", "message", "comment", "note", "description", "summary", "content", "reason"):
		return d.sentences(1 + d.dice.IntN(4))
	}
	return pick(d.dice, adjectives()) + " " + pick(d.dice, things())
}

// email is an address, with something in it that tells it from others.
func (d *drawer) email(tail string) string {
	who := slug(pick(d.dice, givenNames())) + "." + slug(pick(d.dice, familyNames()))
	if tail != "" {
		who += "." + tail
	}
	return who + "@example.com"
}

func (d *drawer) sentences(n int) string {
	var out []string
	for range n {
		out = append(out, capital(fmt.Sprintf("the %s %s %s the %s.", pick(d.dice, adjectives()), pick(d.dice, things()), pick(d.dice, verbs()), pick(d.dice, things()))))
	}
	return strings.Join(out, " ")
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// slug is a word of a-z, 0-9 and hyphens.
func slug(s string) string {
	folded := strings.NewReplacer("á", "a", "ö", "o", "ü", "u", "ë", "e", "í", "i", "ó", "o", "ß", "ss").Replace(strings.ToLower(s))
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, folded)
}

// fitted is a text in the declared length: cut, or filled up with more of it.
func fitted(a *model.Attribute, text string) string {
	r := a.Domain.Length
	if r == nil {
		return text
	}
	for int64(utf8.RuneCountInString(text)) < r.Min {
		text += text
	}
	if runes := []rune(text); int64(len(runes)) > r.Max {
		text = strings.TrimRight(string(runes[:r.Max]), "- ")
	}
	return text
}

// mostRepeats is how often a pattern's open end is repeated at most.
const mostRepeats = 6

// chooser chooses one of n.
type chooser func(n int) int

// counting makes other choices for every number: its digits, in a system whose
// base is the number of choices at each place.
func counting(number int) chooser {
	return func(n int) int {
		digit := number % n
		number /= n
		return digit
	}
}

// matching makes a text that a pattern matches, save for what the pattern asks of
// its surroundings.
func matching(choose chooser, pattern *regexp.Regexp) string {
	re, err := syntax.Parse(pattern.String(), syntax.Perl)
	if err != nil {
		return "" // a regexp.Regexp has parsed before
	}
	var b strings.Builder
	match(choose, re.Simplify(), &b)
	return b.String()
}

func match(choose chooser, re *syntax.Regexp, b *strings.Builder) {
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(oneOf(choose, re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteRune('a' + rune(choose(26)))
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			match(choose, sub, b)
		}
	case syntax.OpAlternate:
		match(choose, re.Sub[choose(len(re.Sub))], b)
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest:
		low, high := map[syntax.Op]int{syntax.OpPlus: 1}[re.Op], mostRepeats
		if re.Op == syntax.OpQuest {
			high = 1
		}
		for range low + choose(high-low+1) {
			match(choose, re.Sub[0], b)
		}
	}
}

// oneOf chooses from the ranges of a character class; plain letters and digits
// where it has any.
func oneOf(choose chooser, ranges []rune) rune {
	var plain []rune
	for i := 0; i < len(ranges); i += 2 {
		for r := max(ranges[i], '0'); r <= min(ranges[i+1], 'z'); r++ {
			if r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' {
				plain = append(plain, r)
			}
		}
	}
	if len(plain) > 0 {
		return plain[choose(len(plain))]
	}
	i := 2 * choose(len(ranges)/2)
	return ranges[i] + rune(choose(int(ranges[i+1]-ranges[i])+1))
}
