package expr

// Walk visits a node and everything inside it, from left to right, parents first.
func Walk(n Node, visit func(Node)) {
	if isNil(n) {
		return
	}
	visit(n)
	for _, child := range children(n) {
		Walk(child, visit)
	}
}

// isNil tells whether there is no node: a nil interface, or no *Update.
func isNil(n Node) bool {
	u, ok := n.(*Update)
	return n == nil || ok && u == nil
}

func children(n Node) []Node {
	switch n := n.(type) {
	case *And:
		return nodes(n.Terms)
	case *Or:
		return nodes(n.Terms)
	case *Not:
		return []Node{n.Term}
	case *Compare:
		return []Node{n.Left, n.Right}
	case *Between:
		return []Node{n.X, n.Low, n.High}
	case *In:
		return append([]Node{n.X}, nodes(n.List)...)
	case *Test:
		if n.Arg == nil {
			return []Node{n.X}
		}
		return []Node{n.X, n.Arg}
	case *Call:
		return nodes(n.Args)
	case *Arith:
		return []Node{n.Left, n.Right}
	case *Update:
		return n.children()
	}
	return nil
}

func nodes[N Node](list []N) []Node {
	out := make([]Node, len(list))
	for i, n := range list {
		out[i] = n
	}
	return out
}

func (u *Update) children() []Node {
	var out []Node
	for _, a := range u.Set {
		out = append(out, a.Target, a.Value)
	}
	out = append(out, nodes(u.Remove)...)
	for _, a := range u.Add {
		out = append(out, a.Target, a.Value)
	}
	for _, a := range u.Delete {
		out = append(out, a.Target, a.Value)
	}
	return out
}

// Attrs are the attributes in a node, targets of an update included, in the
// order they are written; one that is written twice is there twice.
func Attrs(n Node) []*Attr { return collect[*Attr](n) }

// Params are the parameters in a node in the order they are written; one that
// is written twice is there twice. `$now` is none.
func Params(n Node) []*Param { return collect[*Param](n) }

// Constant tells whether an operand has its value before anything is read.
func Constant(o Operand) bool { return len(Attrs(o)) == 0 }

func collect[N Node](n Node) []N {
	var out []N
	Walk(n, func(n Node) {
		if m, ok := n.(N); ok {
			out = append(out, m)
		}
	})
	return out
}

// Targets are the attributes an update writes or removes, in the order SET,
// REMOVE, ADD, DELETE.
func (u *Update) Targets() []*Attr {
	var out []*Attr
	for _, a := range u.Set {
		out = append(out, a.Target)
	}
	out = append(out, u.Remove...)
	for _, a := range u.Add {
		out = append(out, a.Target)
	}
	for _, a := range u.Delete {
		out = append(out, a.Target)
	}
	return out
}
