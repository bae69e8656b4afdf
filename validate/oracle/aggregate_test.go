package oracle

import (
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// products with reviews: a count, a sum, and a count of the good ones.
func products(t *testing.T, keptBy string) (product, review *model.Entity, w *World) {
	product = entity("Product", 1, attr("id", model.TypeString), attr("reviews", model.TypeInteger), attr("sum", model.TypeInteger), attr("good", model.TypeInteger))
	review = entity("Review", 2, attr("product", model.TypeString), attr("by", model.TypeString), attr("rating?", model.TypeInteger))
	belong := []model.RefPart{{Own: review.Attribute("product"), Target: product.Attribute("id")}}
	product.Attribute("reviews").Aggregate = &model.Aggregate{Source: review, By: belong}
	product.Attribute("sum").Aggregate = &model.Aggregate{Source: review, By: belong, Sum: review.Attribute("rating")}
	product.Attribute("good").Aggregate = &model.Aggregate{Source: review, By: belong, Where: condition(t, "rating >= 4")}
	product.Attribute("good").KeptBy = keptBy
	w = NewWorld(Tallied([]model.Instance{
		of(product, model.Item{"id": str("p")}), of(product, model.Item{"id": str("q")}),
		of(review, model.Item{"product": str("p"), "by": str("ada"), "rating": num(5)}),
		of(review, model.Item{"product": str("p"), "by": str("bob"), "rating": num(2)}),
		of(review, model.Item{"product": str("p"), "by": str("eve")}),
	}))
	return product, review, w
}

func TestTallied(t *testing.T) {
	_, _, w := products(t, "stream")
	for i, want := range []model.Item{
		{"id": str("p"), "reviews": num(3), "sum": num(7), "good": num(1)},
		{"id": str("q"), "reviews": num(0), "sum": num(0), "good": num(0)},
	} {
		expectItem(t, w.Instances()[i].Item, want)
	}
}

func expectItem(t *testing.T, got, want model.Item) {
	t.Helper()
	for name, v := range want {
		if !value.Equal(got[name], v) {
			t.Errorf("%s is %s, want %s", name, got[name], v)
		}
	}
}

func TestWritesKeepAggregates(t *testing.T) {
	rated := func(p, by string, rating int64) model.Args {
		return model.Args{"product": str(p), "by": str(by), "rating": num(rating), "id": str(p)}
	}
	for _, test := range []struct {
		name   string
		keptBy string
		steps  func(product, review *model.Entity) []*model.Step
		args   model.Args
		want   model.Item // of the product
		noted  bool       // the product is among what the write changes
	}{
		{"a new item counts", "", func(_, review *model.Entity) []*model.Step {
			return []*model.Step{{Operation: model.Create, Entity: review, Inputs: inputs(review, "product", "by", "rating")}}
		}, rated("p", "dan", 4), model.Item{"reviews": num(4), "sum": num(11), "good": num(2)}, true},
		{"what a stream keeps lags", "stream", func(_, review *model.Entity) []*model.Step {
			return []*model.Step{{Operation: model.Create, Entity: review, Inputs: inputs(review, "product", "by", "rating")}}
		}, rated("p", "dan", 4), model.Item{"reviews": num(4), "good": num(1)}, true},
		{"a changed item is summed up anew", "", func(_, review *model.Entity) []*model.Step {
			return []*model.Step{{Operation: model.UpdateItem, Entity: review, Inputs: inputs(review, "product", "by"), Change: change(t, "SET rating = $rating")}}
		}, rated("p", "bob", 5), model.Item{"reviews": num(3), "sum": num(10), "good": num(2)}, true},
		{"a deleted item no longer counts", "", func(_, review *model.Entity) []*model.Step {
			return []*model.Step{{Operation: model.Delete, Entity: review, Inputs: inputs(review, "product", "by")}}
		}, rated("p", "ada", 0), model.Item{"reviews": num(2), "sum": num(2), "good": num(0)}, true},
		{"deleting nothing changes nothing", "", func(_, review *model.Entity) []*model.Step {
			return []*model.Step{{Operation: model.Delete, Entity: review, Inputs: inputs(review, "product", "by")}}
		}, rated("p", "dan", 0), model.Item{"reviews": num(3), "sum": num(7), "good": num(1)}, false},
		{"what the pattern writes itself does not count", "", func(product, review *model.Entity) []*model.Step {
			return []*model.Step{
				{Operation: model.UpdateItem, Entity: product, Inputs: inputs(product, "id"), Change: change(t, "SET reviews = reviews + 7")},
				{Operation: model.Delete, Entity: review, Inputs: inputs(review, "product", "by")},
			}
		}, rated("p", "ada", 0), model.Item{"reviews": num(2)}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			product, review, w := products(t, test.keptBy)
			out := w.Write(Call{Pattern: &model.Pattern{Operation: model.TransactWrite, Steps: test.steps(product, review)}, Args: test.args, Now: testNow})
			if out.Refusal != "" {
				t.Fatal(out.Refusal)
			}
			expectItem(t, out.World.Instances()[0].Item, test.want)
			noted := false
			for _, c := range out.Changes {
				if c.After != nil && c.After.Entity == product {
					noted = true
					expectItem(t, c.After.Item, test.want)
				}
			}
			if noted != test.noted {
				t.Errorf("among the changes: %v", noted)
			}
			expectItem(t, w.Instances()[0].Item, model.Item{"reviews": num(3)}) // the world before stays
		})
	}
}
