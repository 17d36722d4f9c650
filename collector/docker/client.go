package docker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	cerrdefs "github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/client"
	"github.com/go-json-experiment/json"

	"github.com/gpugate/gpugate/collector/facts"
)

// api is what is asked of a daemon. All of it reads; answers are JSON as the
// daemon gave them.
type api interface {
	// version tells the engine ("docker" or "podman") and the version of the
	// API that was agreed on.
	version(ctx context.Context) (engine, apiVersion string, err error)
	info(ctx context.Context) ([]byte, error)
	// list gives the ids of all containers, in any state.
	list(ctx context.Context) ([]string, error)
	// inspect gives one container; it is errGone when there is none any more.
	inspect(ctx context.Context, id string) ([]byte, error)
	image(ctx context.Context, id string) ([]byte, error)
	close()
}

// errGone says that what was listed a moment ago exists no more.
var errGone = errors.New("it does not exist any more")

// engineAPI asks through Docker's own client library. It is the only user of
// that library.
type engineAPI struct {
	client *client.Client
	podman bool
}

// connect prepares a client; nothing is sent yet.
func connect(endpoint string) (api, error) {
	options := []client.Opt{client.WithHost(endpoint), client.WithAPIVersionNegotiation()}
	if strings.HasPrefix(endpoint, "tcp://") {
		options = append([]client.Opt{client.WithTLSClientConfigFromEnv()}, options...)
	}
	c, err := client.NewClientWithOpts(options...)
	if err != nil {
		return nil, fmt.Errorf("preparing to ask %s: %w", endpoint, err)
	}
	return &engineAPI{client: c}, nil
}

func (e *engineAPI) close() { _ = e.client.Close() } // only idle connections

func (e *engineAPI) version(ctx context.Context) (engine, apiVersion string, err error) {
	ping, err := e.client.Ping(ctx)
	if err != nil {
		return "", "", err
	}
	e.client.NegotiateAPIVersionPing(ping)
	v, err := e.client.ServerVersion(ctx)
	if err != nil {
		return "", e.client.ClientVersion(), err
	}
	engine = "docker"
	for _, c := range v.Components {
		if strings.HasPrefix(c.Name, "Podman") {
			engine, e.podman = "podman", true
		}
	}
	return engine, e.client.ClientVersion(), nil
}

func (e *engineAPI) info(ctx context.Context) ([]byte, error) {
	i, err := e.client.Info(ctx)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(i)
	if err != nil {
		return nil, fmt.Errorf("keeping the answer to GET /info: %w", err)
	}
	return text, nil
}

func (e *engineAPI) list(ctx context.Context) ([]string, error) {
	summaries, err := e.client.ContainerList(ctx, container.ListOptions{All: true})
	if err != nil {
		return nil, err
	}
	if summaries == nil {
		return nil, errors.New("the answer is null, not a list of containers")
	}
	ids := make([]string, 0, len(summaries))
	for _, s := range summaries {
		if s.ID == "" {
			return nil, errors.New("the answer lists a container without an id")
		}
		ids = append(ids, s.ID)
	}
	return ids, nil
}

func (e *engineAPI) inspect(ctx context.Context, id string) ([]byte, error) {
	if e.podman {
		// Podman's own form also holds the command that created the
		// container, without which its CDI devices cannot be seen.
		if text, err := e.inspectPodman(ctx, id); err == nil {
			return text, nil
		}
	}
	_, text, err := e.client.ContainerInspectWithRaw(ctx, id, false)
	switch {
	case cerrdefs.IsNotFound(err):
		return nil, errGone
	case err != nil && len(text) == 0:
		return nil, err
	}
	return text, nil // what the library could not read, we may
}

// maxAnswerBytes bounds Podman's answer for one container.
const maxAnswerBytes = 16 << 20

func (e *engineAPI) inspectPodman(ctx context.Context, id string) (text []byte, err error) {
	u := "http://podman/v4.0.0/libpod/containers/" + url.PathEscape(id) + "/json"
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u, http.NoBody)
	if err != nil {
		return nil, err
	}
	response, err := e.client.HTTPClient().Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the answer is %s", response.Status)
	}
	return io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes))
}

func (e *engineAPI) image(ctx context.Context, id string) ([]byte, error) {
	var raw bytes.Buffer
	_, err := e.client.ImageInspect(ctx, id, client.ImageInspectWithRawResponse(&raw))
	if err != nil && raw.Len() == 0 {
		return nil, err
	}
	return raw.Bytes(), nil
}

// reasonOf tells why a daemon did not answer.
func reasonOf(ctx context.Context, err error) facts.Reason {
	var network net.Error
	switch {
	case ctx.Err() != nil, errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return facts.ReasonTimeout
	case errors.Is(err, fs.ErrPermission), cerrdefs.IsPermissionDenied(err), cerrdefs.IsUnauthorized(err):
		return facts.ReasonDenied
	}
	return facts.ReasonFailed
}

// explain says why in a way that is the same each time.
func explain(reason facts.Reason, err error) string {
	if reason == facts.ReasonTimeout {
		return "no answer within the deadline (raise it with --timeout)"
	}
	message, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	if len(message) > 300 {
		message = strings.ToValidUTF8(message[:300], "") + "…"
	}
	return message
}

// reach opens and closes a connection. Docker's client would tell all failures
// to connect as one, and they mean different things.
func reach(ctx context.Context, endpoint string) error {
	u, err := client.ParseHostURL(endpoint)
	if err != nil {
		return err
	}
	if u.Scheme != "unix" && u.Scheme != "tcp" {
		return fmt.Errorf("%s:// is not an endpoint that can be asked (unix:// and tcp:// are); run gpugate on that host", u.Scheme)
	}
	var d net.Dialer
	connection, err := d.DialContext(ctx, u.Scheme, u.Host)
	if err != nil {
		return err
	}
	return connection.Close()
}

func nobodyListens(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
