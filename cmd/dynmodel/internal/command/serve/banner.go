package serve

import (
	"fmt"
	"net"
	"strconv"
)

// greet says where the endpoint is and how to point clients at it.
func (o *Options) greet(listening net.Addr, l loading) {
	w := o.streams.Out
	url := o.url(listening)
	if !isLoopback(listening) {
		fmt.Fprintf(o.streams.Err, "dynmodel: warning: %s is not a loopback address: whoever reaches it can read and change everything\n", o.host)
	}
	if o.quiet {
		fmt.Fprintln(w, url)
		return
	}
	where := "in memory"
	if o.data != "" {
		where = "kept in " + o.data
	}
	fmt.Fprintf(w, "DynamoDB at %s, %s\n", url, where)
	switch {
	case l.kept:
		fmt.Fprintf(w, "  table %s was there already and is as it was\n", l.table)
	case l.table != "":
		fmt.Fprintf(w, "  table %s with %s\n", l.table, count(l.samples, "sample"))
	}
	fmt.Fprintf(w, `
  AWS CLI     aws dynamodb list-tables --endpoint-url %[1]s
  any SDK     export AWS_ENDPOINT_URL_DYNAMODB=%[1]s
  Go          dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) { o.BaseEndpoint = aws.String("%[1]s") })
  JavaScript  new DynamoDBClient({ endpoint: "%[1]s" })
  Python      boto3.resource("dynamodb", endpoint_url="%[1]s")

  Any credentials and region will do. If you have none:
  export AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local AWS_REGION=us-east-1 AWS_DEFAULT_REGION=us-east-1

`, url)
}

// url is the endpoint's URL as clients on this machine use it.
func (o *Options) url(listening net.Addr) string {
	host, port := o.host, o.port
	if a, ok := listening.(*net.TCPAddr); ok {
		port = uint16(a.Port)
		if a.IP.IsUnspecified() {
			host = "127.0.0.1"
		}
	}
	return "http://" + net.JoinHostPort(host, strconv.Itoa(int(port)))
}

func isLoopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
