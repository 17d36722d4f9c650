package systemd

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"time"

	systemdbus "github.com/coreos/go-systemd/v22/dbus"
	"github.com/godbus/dbus/v5"
)

// Where systemd answers on a host.
const (
	systemBus     = "unix:path=/run/dbus/system_bus_socket"
	privateSocket = "unix:path=/run/systemd/private"
)

// connect connects to the given address, else to the first of the host's that
// answers, and tells which. When none does, the error of the one that matters
// more is returned: a refusal says more than a socket that is not there.
func (l live) connect(ctx context.Context) (*systemdbus.Conn, string, error) {
	addresses := []string{systemBus, privateSocket}
	if set := os.Getenv("DBUS_SYSTEM_BUS_ADDRESS"); set != "" {
		addresses[0] = set
	}
	if l.Address != "" {
		addresses = []string{l.Address}
	}
	var worst error
	via := ""
	for _, address := range addresses {
		conn, err := dial(ctx, address)
		if err == nil {
			return conn, address, nil
		}
		if worst == nil || errors.Is(worst, fs.ErrNotExist) {
			worst, via = err, address
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, via, worst
}

// dial connects to one address, a bus or systemd itself. It returns when ctx
// ends, whatever the other side does.
func dial(ctx context.Context, address string) (*systemdbus.Conn, error) {
	type dialed struct {
		conn *systemdbus.Conn
		err  error
	}
	done := make(chan dialed, 1)
	go func() {
		conn, err := systemdbus.NewConnection(func() (*dbus.Conn, error) { return open(ctx, address) })
		done <- dialed{conn, err}
	}()
	select {
	case d := <-done:
		return d.conn, d.err
	case <-ctx.Done():
		go func() { // connecting to a socket cannot be broken off
			if d := <-done; d.conn != nil {
				d.conn.Close()
			}
		}()
		return nil, ctx.Err()
	}
}

// open connects and authenticates. Whoever is no bus refuses the greeting that
// every bus must be sent first; that is no error.
func open(ctx context.Context, address string) (*dbus.Conn, error) {
	conn, err := dbus.Dial(address, dbus.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	err = conn.Auth([]dbus.Auth{dbus.AuthExternal(strconv.Itoa(os.Geteuid()))})
	if err == nil {
		if err = greet(ctx, conn); isNoBus(err) {
			err = nil
		}
	}
	if err != nil {
		_ = conn.Close() // what went wrong before is what matters
		return nil, err
	}
	return conn, nil
}

// nudgeAfter is how long a greeting may go unanswered before it is followed up.
const nudgeAfter = 50 * time.Millisecond

// greet sends the greeting and waits for its answer. systemd's own socket may
// receive the end of authentication and the greeting at once; it then leaves
// the greeting lying until more comes in, for ever where nothing does. So more
// is sent, of a kind that needs no answer.
func greet(ctx context.Context, conn *dbus.Conn) error {
	call := conn.BusObject().GoWithContext(ctx, "org.freedesktop.DBus.Hello", 0, make(chan *dbus.Call, 1))
	nudge := time.NewTicker(nudgeAfter)
	defer nudge.Stop()
	for {
		select {
		case <-call.Done:
			return call.Err
		case <-ctx.Done():
			return ctx.Err()
		case <-nudge.C:
			conn.BusObject().Go("org.freedesktop.DBus.Peer.Ping", dbus.FlagNoReplyExpected, nil)
		}
	}
}

// isNoBus reports whether the greeting failed since the other side is systemd
// itself.
func isNoBus(err error) bool {
	var answer dbus.Error
	return errors.As(err, &answer) && answer.Name != "org.freedesktop.DBus.Error.AccessDenied" && answer.Name != "org.freedesktop.DBus.Error.LimitsExceeded"
}
