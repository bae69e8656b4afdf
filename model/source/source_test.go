package source

import "testing"

func TestPositions(t *testing.T) {
	f := NewFile("m.yaml", "ab\né日x\r\n\nlast")
	tests := []struct {
		offset       int
		line, column int
	}{
		{-1, 1, 1}, {0, 1, 1}, {2, 1, 3}, {3, 2, 1}, {5, 2, 2}, {8, 2, 3}, {11, 3, 1}, {12, 4, 1}, {16, 4, 5}, {99, 4, 5},
	}
	for _, test := range tests {
		if got := f.Position(test.offset); got != (Position{test.line, test.column}) {
			t.Errorf("offset %d is at %v, want %d:%d", test.offset, got, test.line, test.column)
		}
		if test.offset < 0 || test.offset > len(f.Text()) {
			continue
		}
		if got := f.Offset(test.line, test.column); got != test.offset {
			t.Errorf("%d:%d is offset %d, want %d", test.line, test.column, got, test.offset)
		}
	}
	if f.Lines() != 4 || f.Line(2) != "é日x" || f.Line(3) != "" || f.Line(5) != "" || f.Offset(0, 1) != 0 || f.Offset(9, 1) != 16 || f.Offset(1, 9) != 2 {
		t.Errorf("lines %d, line 2 %q", f.Lines(), f.Line(2))
	}
	if NewFile("", "a\n").Lines() != 1 {
		t.Error("a final newline starts no line")
	}
}

func TestSpans(t *testing.T) {
	f, g := NewFile("a", "0123456789"), NewFile("b", "")
	s := Span{f, 2, 6}
	if s.Text() != "2345" || s.From() != (Position{1, 3}) || s.To() != (Position{1, 7}) {
		t.Errorf("%q from %v to %v", s.Text(), s.From(), s.To())
	}
	for _, test := range []struct {
		i, j int
		want string
	}{{0, 4, "2345"}, {1, 2, "3"}, {-5, 99, "2345"}, {3, 1, ""}} {
		if got := s.Sub(test.i, test.j).Text(); got != test.want {
			t.Errorf("Sub(%d, %d) is %q, want %q", test.i, test.j, got, test.want)
		}
	}
	var nowhere Span
	if nowhere.Known() || nowhere.Text() != "" || nowhere.From() != (Position{}) || nowhere.To() != (Position{}) {
		t.Error("the zero span is somewhere")
	}
	order := []Span{nowhere, {f, 0, 1}, {f, 0, 2}, {f, 1, 1}, {g, 0, 0}}
	for i, a := range order {
		for j, b := range order {
			if got := a.Compare(b); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("Compare(%d, %d) = %d", i, j, got)
			}
		}
	}
}
