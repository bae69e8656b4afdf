package plan

import (
	"strings"

	"github.com/dynmodel/dynmodel/model/expr"
)

// Statement is a PartiQL statement, run as written.
type Statement struct {
	// Text has a question mark for every parameter.
	Text string
	// Params are the parameters, or $now, in the order of the question marks.
	Params []expr.Operand
}

func (b *builder) statement() {
	s := &Statement{}
	var text strings.Builder
	each(b.pattern.Statement.Text, func(token string) {
		if len(token) < 2 || token[0] != '$' {
			text.WriteString(token)
			return
		}
		text.WriteByte('?')
		if token == "$now" {
			s.Params = append(s.Params, &expr.Now{})
		} else {
			s.Params = append(s.Params, &expr.Param{Name: token[1:]})
		}
	})
	s.Text = text.String()
	b.variant.Statement = s
}

// RenameTable is a PartiQL statement with another table in place of the one named from.
func RenameTable(statement, from, to string) string {
	var text strings.Builder
	each(statement, func(token string) {
		if token == from || token == `"`+from+`"` {
			token = `"` + to + `"`
		}
		text.WriteString(token)
	})
	return text.String()
}

// each visits the tokens of a statement: quoted texts, words, and single
// characters, which together are the statement.
func each(statement string, visit func(token string)) {
	for len(statement) > 0 {
		n := tokenLength(statement)
		visit(statement[:n])
		statement = statement[n:]
	}
}

func tokenLength(s string) int {
	if quote := s[0]; quote == '\'' || quote == '"' {
		for i := 1; i < len(s); i++ {
			if s[i] == quote {
				return i + 1
			}
		}
		return len(s)
	}
	n := 0
	if s[0] == '$' {
		n = 1
	}
	for n < len(s) && isWordByte(s[n]) {
		n++
	}
	return max(n, 1)
}

func isWordByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

func (t *Statement) requests(s *scope) ([]Request, error) {
	r := Request{API: ExecuteStatement, Statement: t.Text}
	for _, p := range t.Params {
		v, err := s.given(p, s.domain(p))
		if err != nil {
			return nil, err
		}
		r.Parameters = append(r.Parameters, v)
	}
	return []Request{r}, nil
}
