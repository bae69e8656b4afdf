package table

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/dynmodel/dynmodel/model"
)

// keyARN is the ARN of a KMS key or alias: its beginning, the region, the rest.
var keyARN = regexp.MustCompile(`^(arn:[a-z-]+:kms:)([a-z0-9-]+)(:[0-9]{12}:(?:key/(mrk-)?|alias/).*)$`)

// KeyIn is the KMS key that encrypts the replica in a region. A key is in one
// region, unless it is a multi-Region key or goes by an alias.
func KeyIn(region string, t *model.Table) (string, error) {
	key := t.Encryption.KMSKey
	if strings.HasPrefix(key, "alias/") || strings.HasPrefix(key, "mrk-") {
		return key, nil
	}
	m := keyARN.FindStringSubmatch(key)
	if m != nil && (m[4] != "" || strings.HasPrefix(m[3][len(":123456789012:"):], "alias/")) {
		return m[1] + region + m[3], nil
	}
	return "", fmt.Errorf("the replica in %s cannot be encrypted with %s, which is in another region; name an alias, or a multi-Region key (mrk-…)", region, key)
}
