package engine_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"github.com/dynmodel/dynmodel/engine"
)

// Every operation of the SDK's clients is answered, and nothing else is.
func TestOperationsOfTheSDK(t *testing.T) {
	var inSDK []string
	for prefix, client := range map[string]any{
		"DynamoDB_20120810.":        (*dynamodb.Client)(nil),
		"DynamoDBStreams_20120810.": (*dynamodbstreams.Client)(nil),
	} {
		typ := reflect.TypeOf(client)
		for i := range typ.NumMethod() {
			m := typ.Method(i)
			isOperation := m.Type.NumIn() == 4 && m.Type.In(1) == reflect.TypeFor[context.Context]() && strings.HasSuffix(m.Type.In(2).String(), m.Name+"Input")
			if isOperation {
				inSDK = append(inSDK, prefix+m.Name)
			}
		}
	}
	slices.Sort(inSDK)
	if answered := engine.Targets(); !slices.Equal(inSDK, answered) {
		t.Errorf("the SDK has\n%s\nthe engine answers\n%s", strings.Join(inSDK, "\n"), strings.Join(answered, "\n"))
	}
}
