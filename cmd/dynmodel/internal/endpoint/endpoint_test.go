package endpoint_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/endpoint"
	"github.com/dynmodel/dynmodel/engine"
)

// alone takes the AWS settings of whoever runs the tests out of the environment.
func alone(t *testing.T) {
	t.Helper()
	for _, name := range []string{"AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
		t.Setenv(name, "")
	}
	t.Setenv("AWS_CONFIG_FILE", "none")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", "none")
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
}

func TestClientOfAnEndpointNeedsNoConfiguration(t *testing.T) {
	alone(t)
	db := engine.New()
	defer db.Close()
	server := httptest.NewServer(http.HandlerFunc(db.ServeHTTP))
	defer server.Close()
	f := endpoint.Flags{URL: server.URL}
	client, err := f.Client(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	got, err := client.ListTables(context.Background(), &dynamodb.ListTablesInput{})
	if err != nil || len(got.TableNames) != 0 {
		t.Errorf("got %v, %v; want no tables", got, err)
	}
}

func TestExplain(t *testing.T) {
	alone(t)
	closed := httptest.NewServer(nil)
	closed.Close()
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		w.Write([]byte(`{"__type":"com.amazon.coral.service#AccessDeniedException","message":"not you"}`))
	}))
	defer refusing.Close()
	for _, test := range []struct{ url, want string }{
		{closed.URL, closed.URL + " cannot be reached: connect: connection refused; is it running?"},
		{refusing.URL, refusing.URL + ": AccessDeniedException: not you"},
		{"http://no-such-host.invalid:1", "http://no-such-host.invalid:1: no such host: no-such-host.invalid"},
	} {
		f := endpoint.Flags{URL: test.url}
		client, err := f.Client(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		_, err = client.ListTables(context.Background(), &dynamodb.ListTablesInput{}, func(o *dynamodb.Options) { o.RetryMaxAttempts = 1 })
		if got := f.Explain(err); got == nil || got.Error() != test.want {
			t.Errorf("%s: got %v, want %s", test.url, got, test.want)
		}
	}
}

func TestFlags(t *testing.T) {
	alone(t)
	for _, test := range []struct{ args, want string }{
		{"--endpoint localhost:8000", "--endpoint localhost:8000: must be a URL such as http://localhost:8000"},
		{"--endpoint http://", "--endpoint http://: must be a URL such as http://localhost:8000"},
		{"--region eu-west-1", "--region and --profile go with --aws"},
		{"--endpoint http://a --aws", "--endpoint and --aws name two places; give one of them"},
		{"--aws", "--aws: no region is set; give --region, or set AWS_REGION"},
		{"--aws --region eu-west-1", "--aws: no credentials were found; set AWS_PROFILE or AWS_ACCESS_KEY_ID, or log in with `aws sso login`"},
	} {
		var f endpoint.Flags
		cmd := &cobra.Command{SilenceErrors: true, SilenceUsage: true, RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.Validate(); err != nil {
				return err
			}
			_, err := f.Client(cmd.Context())
			return err
		}}
		f.Register(cmd)
		cmd.SetArgs(strings.Fields(test.args))
		if err := cmd.ExecuteContext(context.Background()); err == nil || err.Error() != test.want {
			t.Errorf("%s: got %v, want %s", test.args, err, test.want)
		}
	}
}

func TestRate(t *testing.T) {
	alone(t)
	db := engine.New()
	defer db.Close()
	var at []time.Time
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at = append(at, time.Now())
		db.ServeHTTP(w, r)
	}))
	defer server.Close()
	f := endpoint.Flags{URL: server.URL, Rate: 50}
	client, err := f.Client(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		if _, err := client.ListTables(context.Background(), &dynamodb.ListTablesInput{}); err != nil {
			t.Fatal(err)
		}
	}
	if took := at[3].Sub(at[0]); took < 50*time.Millisecond {
		t.Errorf("four requests at 50 a second within %v", took)
	}
}
