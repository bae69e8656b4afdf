package infratest

import (
	"encoding/json"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// TestCreateTable reads the API's JSON as an SDK does.
func TestCreateTable(t *testing.T) {
	for _, s := range samples(t) {
		t.Run(s.name, func(t *testing.T) {
			want := wanted(s.in.Model.Table)
			got := description{create: &dynamodb.CreateTableInput{}, scaling: want.scaling}
			unmarshal(t, made(t, s.in, "create-table", "create-table.json", nil), got.create)
			if file := made(t, s.in, "create-table", "update-time-to-live.json", nil); file != nil {
				var in dynamodb.UpdateTimeToLiveInput
				unmarshal(t, file, &in)
				got.ttl = *in.TimeToLiveSpecification.AttributeName
			}
			if file := made(t, s.in, "create-table", "update-continuous-backups.json", nil); file != nil {
				var in dynamodb.UpdateContinuousBackupsInput
				unmarshal(t, file, &in)
				got.recovery = *in.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled
				if days := in.PointInTimeRecoverySpecification.RecoveryPeriodInDays; days != nil {
					got.days = *days
				}
			}
			files := []string{"add-replicas.json"}
			for _, region := range want.replicas {
				files = append(files, "add-replica-"+region+".json")
			}
			for _, name := range files {
				if file := made(t, s.in, "create-table", name, nil); file != nil {
					var in dynamodb.UpdateTableInput
					unmarshal(t, file, &in)
					got.strong = in.MultiRegionConsistency == "STRONG"
					for _, u := range in.ReplicaUpdates {
						got.replicas = append(got.replicas, *u.Create.RegionName)
					}
				}
			}
			compare(t, got, want)
		})
	}
}

func unmarshal(t *testing.T, text []byte, v any) {
	t.Helper()
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
}
