package table_test

import (
	"testing"

	"github.com/dynmodel/dynmodel/generate/table"
	"github.com/dynmodel/dynmodel/model"
)

func TestKeyIn(t *testing.T) {
	for _, c := range []struct{ key, want string }{
		{"alias/shop", "alias/shop"},
		{"mrk-1234abcd12ab34cd56ef1234567890ab", "mrk-1234abcd12ab34cd56ef1234567890ab"},
		{"arn:aws:kms:eu-west-1:123456789012:alias/shop", "arn:aws:kms:us-east-1:123456789012:alias/shop"},
		{"arn:aws-cn:kms:cn-north-1:123456789012:key/mrk-1", "arn:aws-cn:kms:us-east-1:123456789012:key/mrk-1"},
		{"arn:aws:kms:eu-west-1:123456789012:key/1234abcd", ""},
		{"1234abcd-12ab-34cd-56ef-1234567890ab", ""},
		{"", ""},
	} {
		got, err := table.KeyIn("us-east-1", &model.Table{Encryption: model.Encryption{Kind: "kms_key", KMSKey: c.key}})
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s: got %q, %v", c.key, got, err)
		}
	}
}
