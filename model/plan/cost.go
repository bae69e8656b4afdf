package plan

// Cost is what one call is expected to take at the declared volume. Figures
// are averages; Known tells that the volumes they need are declared.
type Cost struct {
	Known     bool
	Items     float64 // items returned, or written
	ItemsRead float64 // items read before filters
	Bytes     float64 // bytes read before filters, or written
	RCU, WCU  float64 // read and write units
	Requests  float64 // at most
	Pages     float64 // pages of 1 MB, over all requests
}

// Cost is what one call of the variant is expected to take.
func (v *Variant) Cost() Cost { return Cost{} }
