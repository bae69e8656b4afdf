package plan

// Text is the plan on one line, as the check shows it:
// `query table: PK = "C#{customerId}" AND begins_with(SK, "ORDER#")`.
func (v *Variant) Text() string { return "" }

// KeyConditionText is the key condition with parameters in braces, or "".
func (r *Read) KeyConditionText() string { return "" }

// FilterText is the whole filter in the language's syntax, or "".
func (r *Read) FilterText() string { return "" }
