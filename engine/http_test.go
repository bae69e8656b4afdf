package engine_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/engine"
)

func request(method, target, body string, headers ...string) *http.Request {
	r := httptest.NewRequest(method, "/", strings.NewReader(body))
	r.Header.Set("Content-Type", engine.ContentType)
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+target)
	r.Header.Set("X-Amz-Date", "20261129T000000Z")
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=a/20261129/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

func bare(method, url, body string, headers ...string) *http.Request {
	r := httptest.NewRequest(method, url, strings.NewReader(body))
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

// The form of a signature is checked as the service does it.
func TestSignatures(t *testing.T) {
	const missing, incomplete, invalid = "MissingAuthenticationTokenException", "IncompleteSignatureException", "InvalidSignatureException"
	const header, query = "Authorization header requires ", "AWS query-string parameters must include "
	db := newDB(t)
	for _, c := range []struct{ query, authorization, date, code, message string }{
		{"", "AWS4-HMAC-SHA256 Credential=a, SignedHeaders=b, Signature=c", "X-Amz-Date", "", ""},
		{"", "AWS4-HMAC-SHA256 Credential=a SignedHeaders=b Signature=c", "Date", "", ""},
		{"?X-Amz-Algorithm=a&X-Amz-Credential=b&X-Amz-Signature=c&X-Amz-SignedHeaders=d&X-Amz-Date=e", "", "", "", ""},
		{"", "", "", missing, "Request is missing Authentication Token"},
		{"", "Basic eDp5", "Date", missing, "Request is missing Authentication Token"},
		{"?a=b", "", "", missing, "Request is missing Authentication Token"},
		{"", "AWS4-", "Date", incomplete, header + "'Credential' parameter. " + header + "'Signature' parameter. " + header + "'SignedHeaders' parameter. Authorization=AWS4-"},
		{"", "AWS4-HMAC-SHA256 Credential=, SignedHeaders=b, Signature=c", "Date", incomplete, header + "'Credential' parameter. Authorization=AWS4-HMAC-SHA256 Credential=, SignedHeaders=b, Signature=c"},
		{"", "AWS4- Credential=a, SignedHeaders=b, Signature=c", "", incomplete, header + "existence of either a 'X-Amz-Date' or a 'Date' header. Authorization=AWS4- Credential=a, SignedHeaders=b, Signature=c"},
		{"?X-Amz-Algorithm=a&X-Amz-Credential=b&X-Amz-Signature=", "", "", incomplete, query + "'X-Amz-Signature'. " + query + "'X-Amz-SignedHeaders'. " + query + "'X-Amz-Date'. Re-examine the query-string parameters."},
		{"?X-Amz-Algorithm", "", "Date", incomplete, query + "'X-Amz-Algorithm'. " + query + "'X-Amz-Credential'. " + query + "'X-Amz-Signature'. " + query + "'X-Amz-SignedHeaders'. " + query + "'X-Amz-Date'. Re-examine the query-string parameters."},
		{"?X-Amz-Algorithm=a", "AWS4-HMAC-SHA256 Credential=a, SignedHeaders=b, Signature=c", "Date", invalid, "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."},
	} {
		r := bare("POST", "/"+c.query, "{}", "Content-Type", engine.ContentType, "X-Amz-Target", "DynamoDB_20120810.ListTables")
		if c.authorization != "" {
			r.Header.Set("Authorization", c.authorization)
		}
		if c.date != "" {
			r.Header.Set(c.date, "20261129T000000Z")
		}
		want := `{"TableNames":[]}`
		if c.code != "" {
			want = `{"__type":"com.amazon.coral.service#` + c.code + `","message":"` + c.message + `"}`
		}
		w := httptest.NewRecorder()
		db.ServeHTTP(w, r)
		if got := w.Body.String(); got != want {
			t.Errorf("%q, %q: got  %s\nwant %s", c.query, c.authorization, got, want)
		}
	}
}

func TestHTTPAnswers(t *testing.T) {
	db := newDB(t)
	createTable(t, db, "pk")
	put(t, db, `{"pk":{"S":"a"},"v":{"S":"`+strings.Repeat("x", 2000)+`"}}`)
	get := `{"TableName":"tab","Key":{"pk":{"S":"a"}}}`
	for _, c := range []struct {
		name   string
		r      *http.Request
		status int
		header map[string]string
		body   string // a part of it
	}{
		{"answer", request("POST", "GetItem", get), 200, map[string]string{"Content-Type": "application/x-amz-json-1.0"}, `{"Item":{"pk":{"S":"a"}`},
		{"compressed", request("POST", "GetItem", get, "Accept-Encoding", "gzip"), 200, map[string]string{"Content-Encoding": "gzip"}, `{"Item":{"pk":{"S":"a"}`},
		{"short answers are not compressed", request("POST", "ListTables", "{}", "Accept-Encoding", "gzip"), 200, map[string]string{"Content-Encoding": ""}, `["tab"]`},
		{"compressed request", request("POST", "GetItem", zipped(get), "Content-Encoding", "gzip"), 200, nil, `{"Item":`},
		{"broken compression", request("POST", "GetItem", get, "Content-Encoding", "gzip"), 400, nil, "SerializationException"},
		{"plain JSON", request("POST", "GetItem", get, "Content-Type", "application/json; charset=utf-8"), 200, map[string]string{"Content-Type": "application/json"}, `{"Item":`},
		{"other dialect", request("POST", "GetItem", get, "Content-Type", "application/x-amz-json-1.1"), 404, map[string]string{"Content-Type": ""}, "<UnknownOperationException/>\n"},
		{"a form", request("POST", "GetItem", get, "Content-Type", "application/x-www-form-urlencoded"), 404, nil, "<UnknownOperationException/>\n"},
		{"nothing at all", bare("POST", "/", ""), 400, map[string]string{"Content-Type": "application/json"}, "UnknownOperationException"},
		{"unknown operation", request("POST", "GetItems", get), 400, nil, "UnknownOperationException"},
		{"no JSON for an unknown operation", request("POST", "GetItems", "{"), 400, nil, "SerializationException"},
		{"no JSON without a signature", request("POST", "GetItem", "{", "Authorization", ""), 400, nil, "SerializationException"},
		{"from a page", request("POST", "GetItem", get, "Origin", "https://example.com"), 200, map[string]string{"Access-Control-Allow-Origin": "*"}, `{"Item":`},
		{"before a page asks", request("OPTIONS", "", "", "Origin", "https://example.com", "Access-Control-Request-Headers", "x-amz-target", "Access-Control-Request-Method", "POST"), 200,
			map[string]string{"Access-Control-Allow-Headers": "x-amz-target", "Access-Control-Allow-Methods": "POST"}, ""},
		{"options without a page", request("OPTIONS", "", ""), 404, nil, "<UnknownOperationException/>\n"},
		{"health", request("GET", "", ""), 200, map[string]string{"Content-Type": "text/plain; charset=utf-8"}, "healthy: dynamodb."},
		{"other method", request("PUT", "GetItem", get), 404, nil, "<UnknownOperationException/>\n"},
		{"too large", request("POST", "GetItem", strings.Repeat(" ", 16<<20+1)), 413, nil, "larger than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			db.ServeHTTP(w, c.r)
			if w.Code != c.status {
				t.Errorf("status %d, want %d: %s", w.Code, c.status, w.Body)
			}
			for k, want := range c.header {
				if got := w.Header().Get(k); got != want {
					t.Errorf("%s: %q, want %q", k, got, want)
				}
			}
			if sum := w.Header().Get("X-Amz-Crc32"); sum != "" && sum != strconv.Itoa(int(crc32.ChecksumIEEE(w.Body.Bytes()))) {
				t.Errorf("checksum %s is not that of the body", sum)
			}
			if len(w.Header().Get("X-Amzn-Requestid")) != 52 {
				t.Errorf("request id %q", w.Header().Get("X-Amzn-Requestid"))
			}
			if got := unzipped(t, w); !strings.Contains(got, c.body) {
				t.Errorf("body %.200s lacks %s", got, c.body)
			}
		})
	}
}

func zipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, s)
	z.Close()
	return b.String()
}

func unzipped(t *testing.T, w *httptest.ResponseRecorder) string {
	if w.Header().Get("Content-Encoding") != "gzip" {
		return w.Body.String()
	}
	z, err := gzip.NewReader(bytes.NewReader(w.Body.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// FuzzRequest sends any body to any operation: the answer is JSON, and an
// error is never an internal one.
func FuzzRequest(f *testing.F) {
	for _, s := range []struct{ target, body string }{
		{"GetItem", `{"TableName":"tab","Key":{"pk":{"S":"a"}},"ProjectionExpression":"a.b[0]"}`},
		{"PutItem", `{"TableName":"tab","Item":{"pk":{"S":"a"},"n":{"N":"1e10"},"l":{"L":[{"M":{"x":{"NS":["1","2"]}}}]}},"ReturnValues":"ALL_OLD","ReturnConsumedCapacity":"INDEXES"}`},
		{"UpdateItem", `{"TableName":"tab","Key":{"pk":{"S":"a"}},"UpdateExpression":"SET #a = if_not_exists(#a, :v) + :v REMOVE l[0]","ExpressionAttributeNames":{"#a":"n"},"ExpressionAttributeValues":{":v":{"N":"1"}},"ReturnValues":"UPDATED_NEW"}`},
		{"UpdateItem", `{"TableName":"tab","Key":{"pk":{"S":"a"}},"AttributeUpdates":{"n":{"Action":"ADD","Value":{"N":"1"}},"l":{"Action":"ADD","Value":{"L":[]}}},"Expected":{"x":{"Exists":false}}}`},
		{"DeleteItem", `{"TableName":"tab","Key":{"pk":{"S":"a"}},"ConditionExpression":"attribute_exists(pk) AND size(l) < :n","ExpressionAttributeValues":{":n":{"N":"3"}}}`},
		{"Query", `{"TableName":"tab","IndexName":"byKind","KeyConditionExpression":"kind = :k","FilterExpression":"contains(pk, :k)","ExpressionAttributeValues":{":k":{"S":"x"}},"Limit":1,"ExclusiveStartKey":{"pk":{"S":"a"},"kind":{"S":"x"}}}`},
		{"Query", `{"TableName":"tab","KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]}},"QueryFilter":{"n":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"N":"1"},{"N":"2"}]}}}`},
		{"Scan", `{"TableName":"tab","Segment":3,"TotalSegments":7,"Select":"COUNT","ReturnConsumedCapacity":"TOTAL"}`},
		{"BatchGetItem", `{"RequestItems":{"tab":{"Keys":[{"pk":{"S":"a"}},{"pk":{"S":"b"}}],"AttributesToGet":["pk"]}}}`},
		{"BatchWriteItem", `{"RequestItems":{"tab":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}},{"DeleteRequest":{"Key":{"pk":{"S":"b"}}}}]},"ReturnItemCollectionMetrics":"SIZE"}`},
		{"TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"tab","Item":{"pk":{"S":"a"}}}},{"ConditionCheck":{"TableName":"tab","Key":{"pk":{"S":"b"}},"ConditionExpression":"attribute_exists(pk)"}}],"ClientRequestToken":"t"}`},
		{"TransactGetItems", `{"TransactItems":[{"Get":{"TableName":"tab","Key":{"pk":{"S":"a"}}}}]}`},
		{"ExecuteStatement", `{"Statement":"SELECT * FROM \"tab\".\"byKind\" WHERE kind IN ['x', ?] ORDER BY kind","Parameters":[{"S":"y"}]}`},
		{"ExecuteStatement", `{"Statement":"UPDATE tab SET n = n + 1 REMOVE l[0] WHERE pk = 'a' RETURNING ALL NEW *"}`},
		{"BatchExecuteStatement", `{"Statements":[{"Statement":"INSERT INTO tab VALUE {'pk':'z'}"},{"Statement":"DELETE FROM tab WHERE pk = 'z'"}]}`},
		{"ExecuteTransaction", `{"TransactStatements":[{"Statement":"EXISTS(SELECT * FROM tab WHERE pk = 'a' AND n = 1)"}]}`},
		{"CreateTable", `{"TableName":"new","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"BillingMode":"PAY_PER_REQUEST","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}}`},
		{"UpdateTable", `{"TableName":"tab","AttributeDefinitions":[{"AttributeName":"n","AttributeType":"N"}],"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"byN","KeySchema":[{"AttributeName":"n","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}}]}`},
		{"UpdateTable", `{"TableName":"tab","StreamSpecification":{}}`},
		{"CreateTable", `{"TableName":"new","KeySchema":[],"AttributeDefinitions":[{}],"StreamSpecification":{},"SSESpecification":{},"LocalSecondaryIndexes":[{}],"GlobalSecondaryIndexes":[{"IndexName":"abc","KeySchema":[{}]}]}`},
		{"UpdateTimeToLive", `{"TableName":"tab","TimeToLiveSpecification":{}}`},
		{"UpdateContinuousBackups", `{"TableName":"tab","PointInTimeRecoverySpecification":{}}`},
		{"ImportTable", `{"S3BucketSource":{},"InputFormat":"CSV","TableCreationParameters":{}}`},
		{"ExportTableToPointInTime", `{"TableArn":"x"}`},
		{"UpdateTableReplicaAutoScaling", `{"TableName":"tab","ReplicaUpdates":[{}],"GlobalSecondaryIndexUpdates":[{}]}`},
		{"CreateGlobalTable", `{"GlobalTableName":"tab","ReplicationGroup":[{}]}`},
		{"TransactWriteItems", `{"TransactItems":[{},{"Update":{}},{"Put":{"TableName":"tab"}}]}`},
		{"BatchWriteItem", `{"RequestItems":{"tab":[{},{"PutRequest":{}}]}}`},
		{"RestoreTableToPointInTime", `{"SourceTableName":"tab","TargetTableName":"copy","UseLatestRestorableTime":true}`},
	} {
		f.Add(s.target, s.body)
	}
	f.Fuzz(func(t *testing.T, target, body string) {
		db := newDB(t)
		createTable(t, db, "pk", indexSpec{name: "byKind", key: "kind", projects: "ALL"})
		put(t, db, `{"pk":{"S":"a"},"kind":{"S":"x"},"n":{"N":"1"},"l":{"L":[{"S":"y"}]}}`)
		r := request("POST", "", body)
		r.Header["X-Amz-Target"] = []string{"DynamoDB_20120810." + target}
		w := httptest.NewRecorder()
		db.ServeHTTP(w, r)
		if !json.Valid(w.Body.Bytes()) || w.Code >= 500 {
			t.Errorf("%s %s: %d %s", target, body, w.Code, w.Body)
		}
	})
}
