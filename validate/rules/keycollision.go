package rules

import (
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func keyCollision() *validate.Rule {
	return &validate.Rule{
		Name: diag.KeyCollision, Severity: diag.Error, FoundBy: validate.ByProof,
		LeadsTo: []string{diag.WrongResult, diag.WrongWrite},
		Title:   "two different items share a primary key",
		Text: "The table's keys do not tell all items apart: two items that differ in what identifies them come to the same partition and sort key. " +
			"The second write then replaces the first without a word or, with a condition, is refused although nothing is wrong with it. " +
			"The usual cause is a key made of nothing but what gives the order, a time or a score: two events in one tick, two players with one score are one item. Others are texts that run into each other.",
		Bad: `version: 1
table: game
entities:
  Score:
    attributes: {game: slug, player: slug, points: {type: integer, min: 0, max: 99999999}}
    keys: {PK: "GAME#{game}", SK: "SCORE#{points|pad(8)}"}
    identity: [game, player, points]
access_patterns:
  - {name: best-scores, query: Score, where: game = $game, order: points desc, limit: 10}
`,
		Good: `version: 1
table: game
entities:
  Score:
    attributes: {game: slug, player: slug, points: {type: integer, min: 0, max: 99999999}}
    keys: {PK: "GAME#{game}", SK: "SCORE#{points|pad(8)}#{player}"}
access_patterns:
  - {name: best-scores, query: Score, where: game = $game, order: points desc, limit: 10}
`,
		Fix: "put every attribute of the identity into the table's keys, after what gives the order, with delimiters that the values cannot contain",
	}
}
