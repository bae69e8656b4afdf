// Package endpoint is the DynamoDB that a command is told to talk to: one at a
// URL, or AWS itself. Every command that takes one takes the same flags.
package endpoint

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/logging"
	"github.com/spf13/cobra"
)

// Flags say which DynamoDB is meant.
type Flags struct {
	URL     string
	AWS     bool
	Region  string
	Profile string
	// Rate is how many requests are sent a second at most; 0: as many as it takes.
	Rate float64
}

// Register adds --endpoint, --aws, --region and --profile to a command.
func (f *Flags) Register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.URL, "endpoint", "", "URL of a DynamoDB endpoint, such as http://localhost:8000")
	flags.BoolVar(&f.AWS, "aws", false, "use DynamoDB on AWS, with the credentials of the environment")
	flags.StringVar(&f.Region, "region", "", "region on AWS (default: that of the environment)")
	flags.StringVar(&f.Profile, "profile", "", "profile of the AWS configuration files")
}

// Given tells whether an endpoint is named at all.
func (f *Flags) Given() bool { return f.URL != "" || f.AWS }

// Validate says what is wrong with the flags, before anything is sent.
func (f *Flags) Validate() error {
	if f.URL != "" && f.AWS {
		return errors.New("--endpoint and --aws name two places; give one of them")
	}
	if f.URL == "" {
		if (f.Region != "" || f.Profile != "") && !f.AWS {
			return errors.New("--region and --profile go with --aws")
		}
		return nil
	}
	u, err := url.Parse(f.URL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return fmt.Errorf("--endpoint %s: must be a URL such as http://localhost:8000", f.URL)
	}
	return nil
}

// String says for a person where requests go.
func (f *Flags) String() string {
	switch {
	case !f.AWS:
		return f.URL
	case f.Region != "":
		return "AWS " + f.Region
	}
	return "AWS"
}

// localRegion and localKey are what an endpoint of one's own is signed for when
// the environment says nothing: such endpoints ask for a signature and do not check it.
const (
	localRegion = "us-east-1"
	localKey    = "local"
)

// Client makes the client. Nothing is sent yet. The error says what the AWS
// configuration lacks.
func (f *Flags) Client(ctx context.Context) (*dynamodb.Client, error) {
	if f.AWS {
		return f.onAWS(ctx)
	}
	env, err := config.NewEnvConfig()
	if err != nil {
		return nil, fmt.Errorf("the environment's AWS settings cannot be read: %w", err)
	}
	keys := env.Credentials
	if !keys.HasKeys() {
		keys = aws.Credentials{AccessKeyID: localKey, SecretAccessKey: localKey}
	}
	cfg := aws.Config{Region: env.Region, Credentials: credentials.StaticCredentialsProvider{Value: keys}, Logger: logging.Nop{}}
	if cfg.Region == "" {
		cfg.Region = localRegion
	}
	return dynamodb.NewFromConfig(cfg, f.limit, func(o *dynamodb.Options) {
		o.BaseEndpoint = aws.String(f.URL)
		o.DisableValidateResponseChecksum = true // DynamoDB Local sends wrong ones
	}), nil
}

func (f *Flags) onAWS(ctx context.Context) (*dynamodb.Client, error) {
	options := []func(*config.LoadOptions) error{config.WithLogger(logging.Nop{})}
	if f.Region != "" {
		options = append(options, config.WithRegion(f.Region))
	}
	if f.Profile != "" {
		options = append(options, config.WithSharedConfigProfile(f.Profile))
	}
	cfg, err := config.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return nil, fmt.Errorf("the AWS configuration cannot be read: %w", err)
	}
	if cfg.Region == "" {
		return nil, errors.New("--aws: no region is set; give --region, or set AWS_REGION")
	}
	if !resolves(ctx, cfg.Credentials) {
		return nil, errors.New("--aws: no credentials were found; set AWS_PROFILE or AWS_ACCESS_KEY_ID, or log in with `aws sso login`")
	}
	f.Region = cfg.Region
	return dynamodb.NewFromConfig(cfg, f.limit), nil
}

// limit keeps the client to the rate.
func (f *Flags) limit(o *dynamodb.Options) {
	if f.Rate > 0 {
		o.HTTPClient = &limited{client: o.HTTPClient, every: time.Duration(float64(time.Second) / f.Rate)}
	}
}

// limited sends one request in each interval at most.
type limited struct {
	client dynamodb.HTTPClient
	every  time.Duration

	mu   sync.Mutex
	next time.Time // when a request may be sent again
}

// Do waits for the request's turn and sends it.
func (l *limited) Do(r *http.Request) (*http.Response, error) {
	l.mu.Lock()
	now := time.Now()
	turn := now
	if l.next.After(now) {
		turn = l.next
	}
	l.next = turn.Add(l.every)
	l.mu.Unlock()
	select {
	case <-r.Context().Done():
		return nil, r.Context().Err()
	case <-time.After(turn.Sub(now)):
		return l.client.Do(r)
	}
}

// credentialsWithin is how long finding credentials may take: the lookup may ask
// a metadata service that is not there.
const credentialsWithin = 5 * time.Second

// resolves tells whether there are credentials.
func resolves(ctx context.Context, p aws.CredentialsProvider) bool {
	ctx, cancel := context.WithTimeout(ctx, credentialsWithin)
	defer cancel()
	_, err := p.Retrieve(ctx)
	return err == nil
}

// Explain says plainly why a request could not be sent or was refused, where
// that is known; other errors stay as they are.
func (f *Flags) Explain(err error) error {
	var dns *net.DNSError
	var op *net.OpError
	var api smithy.APIError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &dns):
		return fmt.Errorf("%s: no such host: %s", f, dns.Name)
	case errors.As(err, &op):
		return fmt.Errorf("%s cannot be reached: %w; is it running?", f, op.Err)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s does not answer", f)
	case errors.As(err, &api):
		return fmt.Errorf("%s: %s: %s", f, api.ErrorCode(), api.ErrorMessage())
	}
	return err
}
