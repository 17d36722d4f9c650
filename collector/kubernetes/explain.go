package kubernetes

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/redact"
)

// explain turns an error of the API or of the way to it into a reason and into
// words that are the same every time.
func explain(err error) (facts.Reason, string) {
	var status apierrors.APIStatus
	var timeout net.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return facts.ReasonTimeout, "no answer in time (raise it with --timeout)"
	case apierrors.IsForbidden(err):
		return facts.ReasonDenied, brief(err.Error())
	case apierrors.IsUnauthorized(err):
		return facts.ReasonDenied, "the API server does not accept the credentials of the kubeconfig (401)"
	case apierrors.IsTimeout(err), apierrors.IsServerTimeout(err):
		return facts.ReasonTimeout, brief(err.Error())
	case errors.As(err, &status):
		return facts.ReasonFailed, brief(err.Error())
	case errors.As(err, &timeout) && timeout.Timeout():
		return facts.ReasonTimeout, brief(plain(err))
	}
	return facts.ReasonFailed, brief(plain(err))
}

// plain drops from network errors what differs from run to run: the local end
// of the connection.
func plain(err error) string {
	var op *net.OpError
	if errors.As(err, &op) && op.Err != nil {
		if op.Op == "dial" && op.Addr != nil {
			return "dialling " + op.Addr.String() + ": " + op.Err.Error()
		}
		return op.Op + ": " + op.Err.Error()
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err.Error()
	}
	return err.Error()
}

// brief keeps messages to one line of bearable length, without credentials.
func brief(message string) string {
	const most = 400
	message = redact.Text(strings.Join(strings.Fields(message), " "))
	if r := []rune(message); len(r) > most {
		return string(r[:most]) + "…"
	}
	return message
}

// maxAnswerBytes bounds one answer. A page of 500 pods has some 15 MB.
const maxAnswerBytes = 128 << 20

var errTooLong = errors.New("the answer is longer than what is read (128 MiB)")

// limitAnswers keeps a broken server from filling the memory.
func limitAnswers(next http.RoundTripper) http.RoundTripper { return limiter{next} }

type limiter struct{ next http.RoundTripper }

func (l limiter) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := l.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	response.Body = &limitedBody{ReadCloser: response.Body, left: maxAnswerBytes}
	return response, nil
}

type limitedBody struct {
	io.ReadCloser
	left int64
}

func (b *limitedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLong
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}
