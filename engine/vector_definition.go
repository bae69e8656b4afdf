package engine

import (
	"slices"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/expr"
	"github.com/dynmodel/dynmodel/engine/store"
)

// Limits of vector indexes (service quotas, DynamoDB developer guide).
const (
	maxVectorIndexes = 5
	maxDimensions    = 4096
	maxInlineFilters = 18
)

// inlineFilter is the kind of an attribute of a search schema that is not the
// HASH attribute.
const inlineFilter = "INLINE_FILTER"

// checkVectorMembers checks a vector index by itself.
func checkVectorMembers(at string, x api.VectorIndex) error {
	dimensions := at + ".dimensions"
	errs := []error{
		checkIndexName(at+".indexName", x.IndexName),
		checkVectorAttribute(at+".vectorAttribute", x.VectorAttribute),
		notNull(dimensions, x.Dimensions),
		atLeast(dimensions, x.Dimensions, 1),
		atMost(dimensions, x.Dimensions, maxDimensions),
		required(at+".distanceFunction", x.DistanceFunction),
		oneOf(at+".distanceFunction", x.DistanceFunction, string(cosine), string(dotProduct), string(euclidean)),
		checkProjectionMembers(at+".projection", x.Projection),
	}
	for i, e := range x.SearchSchema {
		at := element(at+".searchSchema", i)
		errs = append(errs,
			checkKeyName(at, e.AttributeName),
			required(at+".searchSchemaElementType", e.SearchSchemaElementType),
			oneOf(at+".searchSchemaElementType", e.SearchSchemaElementType, string(api.Hash), inlineFilter))
	}
	return api.First(errs...)
}

func checkVectorAttribute(at string, a *api.VectorAttribute) error {
	if a == nil {
		return api.Required(at)
	}
	return checkKeyName(at, a.AttributeName)
}

func checkVectorBilling(mode string, vectors []api.VectorIndex) error {
	if len(vectors) > 0 && mode != payPerRequest {
		return api.InvalidParameter("Vector indexes are only supported for PAY_PER_REQUEST tables")
	}
	return nil
}

func (d *definition) checkVectors() error {
	switch {
	case d.vectors == nil:
		return nil
	case len(d.vectors) == 0:
		return api.InvalidParameter("List of VectorIndexes is empty")
	case len(d.vectors) > maxVectorIndexes:
		return api.InvalidParameter("VectorIndex count exceeds the per-table limit of %d", maxVectorIndexes)
	}
	for i, x := range d.vectors {
		if err := first(d.checkVector(x), checkSameDimensions(x, d.vectors[:i])); err != nil {
			return err
		}
	}
	return nil
}

func (d *definition) checkVector(x api.VectorIndex) error {
	if d.typeOf(x.VectorAttribute.AttributeName) != "" {
		return api.InvalidParameter("The vector attribute %s must not be in AttributeDefinitions", x.VectorAttribute.AttributeName)
	}
	hashes, filters := 0, 0
	for i, e := range x.SearchSchema {
		switch {
		case d.typeOf(e.AttributeName) == "":
			return api.Invalid("One element in SearchSchema is not defined in attribute definitions")
		case slices.ContainsFunc(x.SearchSchema[:i], func(o api.SearchSchemaElement) bool { return o.AttributeName == e.AttributeName }):
			return api.InvalidParameter("SearchSchema has the attribute %s more than once", e.AttributeName)
		case e.SearchSchemaElementType == inlineFilter:
			filters++
		default:
			hashes++
		}
	}
	switch {
	case hashes > 1:
		return api.InvalidParameter("SearchSchema can have at most one HASH element")
	case filters > maxInlineFilters:
		return api.InvalidParameter("SearchSchema can have at most %d INLINE_FILTER elements", maxInlineFilters)
	}
	return checkProjection(x.Projection)
}

// checkSameDimensions checks that indexes of one attribute agree about it.
func checkSameDimensions(x api.VectorIndex, others []api.VectorIndex) error {
	for _, o := range others {
		if o.VectorAttribute.AttributeName == x.VectorAttribute.AttributeName && *o.Dimensions != *x.Dimensions {
			return api.InvalidParameter("Vector indexes %s and %s of the attribute %s must have the same number of dimensions", o.IndexName, x.IndexName, x.VectorAttribute.AttributeName)
		}
	}
	return nil
}

// vectorProjected counts the attributes that an index projects beside keys: the
// vector and the inline filters are among them.
func vectorProjected(x api.VectorIndex) int {
	n := 1 + len(x.Projection.NonKeyAttributes)
	for _, e := range x.SearchSchema {
		if e.SearchSchemaElementType == inlineFilter {
			n++
		}
	}
	return n
}

// vector returns the index for item operations; it has no space yet.
func (d *definition) vector(x api.VectorIndex) *vectorIndex {
	var hash []api.KeySchemaElement
	made := &vectorIndex{attribute: x.VectorAttribute.AttributeName, dimensions: int(*x.Dimensions), distance: distance(x.DistanceFunction)}
	for _, e := range x.SearchSchema {
		if e.SearchSchemaElementType == inlineFilter {
			typ, _ := attr.ParseType(d.typeOf(e.AttributeName))
			made.filters = append(made.filters, expr.KeyAttribute{Name: e.AttributeName, Type: typ})
		} else {
			hash = append(hash, api.KeySchemaElement{AttributeName: e.AttributeName, KeyType: api.Hash})
		}
	}
	made.index = *d.newIndex(x.IndexName, hash, x.Projection)
	if !made.projection.all {
		made.projection.names[made.attribute] = true
		for _, f := range made.filters {
			made.projection.names[f.Name] = true
		}
	}
	return made
}

func describeVector(tableARN string, x api.VectorIndex) api.VectorIndexDescription {
	return api.VectorIndexDescription{VectorIndex: x, IndexStatus: api.StatusActive, IndexArn: tableARN + "/index/" + x.IndexName}
}

func checkVectorUpdateMembers(updates []api.VectorIndexUpdate) error {
	var errs []error
	for i, u := range updates {
		at := element("vectorIndexUpdates", i)
		if u.Create != nil {
			errs = append(errs, checkVectorMembers(at+".create", *u.Create))
		}
		if u.Delete != nil {
			errs = append(errs, checkIndexName(at+".delete.indexName", u.Delete.IndexName))
		}
	}
	return api.First(errs...)
}

// checkVectorUpdates checks the changes that a request makes to vector indexes
// by themselves.
func checkVectorUpdates(updates []api.VectorIndexUpdate) error {
	if len(updates) > 1 {
		return api.Errorf(api.LimitExceeded, "Subscriber limit exceeded: Only 1 vector index can be created or deleted simultaneously per table")
	}
	for _, u := range updates {
		if (u.Create == nil) == (u.Delete == nil) {
			return api.InvalidParameter("One of VectorIndexUpdate.Create, VectorIndexUpdate.Delete must not be null")
		}
	}
	return nil
}

// checkVectorUpdate checks a change to the vector indexes against the table.
func (t *table) checkVectorUpdate(in *api.UpdateTableInput, u api.VectorIndexUpdate) error {
	s := t.schema.Load()
	switch {
	case len(in.GlobalSecondaryIndexUpdates) > 0:
		return errOneOnlineIndex
	case u.Delete != nil && s.vector(u.Delete.IndexName) == nil:
		return api.Errorf(api.ResourceNotFound, "Requested resource not found")
	case u.Delete != nil:
		return nil
	case s.index(u.Create.IndexName) != nil || s.vector(u.Create.IndexName) != nil:
		return api.Invalid("Attempting to create an index which already exists")
	case !t.onDemand():
		return checkVectorBilling(provisioned, []api.VectorIndex{*u.Create})
	case len(s.vectors) == maxVectorIndexes:
		return api.Errorf(api.LimitExceeded, "VectorIndex count exceeds the per-table limit of %d", maxVectorIndexes)
	}
	if err := t.checkRedefined(in.AttributeDefinitions); err != nil {
		return err
	}
	d := t.definition(in.AttributeDefinitions)
	d.vectors = append(d.vectors, *u.Create)
	return first(d.checkVectors(), d.checkProjected())
}

// updateVector makes one change to the vector indexes of a table, which is
// locked.
func (db *DB) updateVector(t *table, in *api.UpdateTableInput, u api.VectorIndexUpdate) error {
	if u.Create != nil {
		return db.createVector(t, t.definition(in.AttributeDefinitions), *u.Create)
	}
	s := t.schema.Load()
	gone := s.vector(u.Delete.IndexName)
	next := *s
	next.vectors = slices.DeleteFunc(slices.Clone(s.vectors), func(x *vectorIndex) bool { return x == gone })
	t.schema.Store(&next)
	t.description.VectorIndexes = slices.DeleteFunc(slices.Clone(t.description.VectorIndexes), func(x api.VectorIndexDescription) bool {
		return x.IndexName == gone.name
	})
	t.description.AttributeDefinitions = t.definition(nil).used()
	return db.dropIndexSpace(t, gone.space)
}

// createVector adds an index and fills it with the items that can be in it.
func (db *DB) createVector(t *table, d *definition, x api.VectorIndex) error {
	s := t.schema.Load()
	made := d.vector(x)
	made.space, made.readable = t.newSpace(&db.spaces), db.now().Add(db.transitions)
	if err := db.backfill(t, s, made.space, made.fitting); err != nil {
		return err
	}
	next := *s
	next.vectors = append(slices.Clip(s.vectors), made)
	t.schema.Store(&next)
	t.description.AttributeDefinitions = d.attributes
	t.description.VectorIndexes = append(slices.Clip(t.description.VectorIndexes), describeVector(t.description.TableArn, x))
	return nil
}

// dropIndexSpace forgets the entries of an index that the schema no longer has.
func (db *DB) dropIndexSpace(t *table, space store.Space) error {
	delete(t.sizes, space)
	var b store.Batch
	t.note(&b)
	return db.dropSpaces(&b, space)
}
