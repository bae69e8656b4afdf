package wire

import "github.com/dynmodel/dynmodel/engine/api"

// namespaces of error types: those of the service's front end differ from its
// own.
func namespace(code api.Code) string {
	switch code {
	case api.Validation:
		return "com.amazon.coral.validate#"
	case api.Serialization, api.UnknownOperation, api.MissingAuthenticationToken, api.IncompleteSignature, api.InvalidSignature:
		return "com.amazon.coral.service#"
	}
	return "com.amazonaws.dynamodb.v20120810#"
}

// AppendError appends the body of an answer that refuses a request. The
// service writes the message of some types with a capital letter.
func AppendError(dst []byte, err *api.Error) []byte {
	o := begin(dst)
	o.text("__type", namespace(err.Code)+string(err.Code))
	switch {
	case err.Message == "":
	case err.Code == api.Serialization, err.Code == api.TransactionCanceled:
		o.text("Message", err.Message)
	default:
		o.text("message", err.Message)
	}
	if err.Item != nil {
		o.item("Item", *err.Item)
	}
	if err.Reasons != nil {
		array(&o, "CancellationReasons", err.Reasons, appendReason)
	}
	if err.Throttled != nil {
		member := "ThrottlingReasons"
		if err.Code == api.Throttling {
			member = "throttlingReasons" // the service's own spelling
		}
		array(&o, member, err.Throttled, appendThrottled)
	}
	return o.end()
}

func appendThrottled(dst []byte, reason api.ThrottlingReason) []byte {
	o := begin(dst)
	o.text("reason", reason.Reason)
	o.text("resource", reason.Resource)
	return o.end()
}

func appendReason(dst []byte, reason api.CancellationReason) []byte {
	o := begin(dst)
	o.text("Code", reason.Code)
	if reason.Message != "" {
		o.text("Message", reason.Message)
	}
	if reason.Item != nil {
		o.item("Item", *reason.Item)
	}
	return o.end()
}
