package engine_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/engine"
)

// Every operation refuses an empty request, and one whose members are all
// empty objects, lists or of the wrong kind, without an internal error.
func TestPoorRequests(t *testing.T) {
	db := newDB(t, engine.WithBuckets(t.TempDir()))
	createTable(t, db, "pk")
	members := strings.Fields(`TableName Key Item Keys RequestItems TransactItems TransactStatements Statements Statement
		AttributeDefinitions KeySchema LocalSecondaryIndexes GlobalSecondaryIndexes GlobalSecondaryIndexUpdates ReplicaUpdates
		StreamSpecification SSESpecification ProvisionedThroughput OnDemandThroughput WarmThroughput TimeToLiveSpecification
		PointInTimeRecoverySpecification S3BucketSource TableCreationParameters InputFormatOptions Tags TagKeys ResourceArn
		TableArn BackupArn ExportArn ImportArn StreamArn ShardId ShardIterator Policy ReplicationGroup GlobalTableName
		ExclusiveStartKey Expected AttributeUpdates KeyConditions QueryFilter ScanFilter AttributesToGet
		ExpressionAttributeNames ExpressionAttributeValues Parameters Limit Segment TotalSegments`)
	object := func(value string) string {
		var b strings.Builder
		for i, m := range members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`"` + m + `":` + value)
		}
		return "{" + b.String() + "}"
	}
	bodies := []string{"{}", "[]", "null", `"x"`, "", "{", "\xff"}
	for _, value := range []string{"{}", "[]", "[{}]", "null", `""`, "0", "-1", "true", `"tab"`, `{"tab":{}}`, `{"tab":[{}]}`, `{"pk":{"S":"a"}}`} {
		bodies = append(bodies, object(value))
		for _, m := range members {
			bodies = append(bodies, `{"TableName":"tab","`+m+`":`+value+`}`)
		}
	}
	for _, target := range engine.Targets() {
		for _, body := range bodies {
			r := request("POST", "", body)
			r.Header["X-Amz-Target"] = []string{target}
			w := httptest.NewRecorder()
			db.ServeHTTP(w, r)
			if w.Code >= 500 {
				t.Errorf("%s %.300s: %d %s", target, body, w.Code, w.Body)
			}
		}
	}
}
