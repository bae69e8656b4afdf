package engine_test

import (
	"testing"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/engine/enginetest"
)

func TestConformance(t *testing.T) {
	db := engine.New()
	t.Cleanup(func() { db.Close() })
	enginetest.Run(t, enginetest.Endpoint{Client: db.Client(), Kind: enginetest.Embedded})
}
