package systemd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/godbus/dbus/v5"

	"github.com/gpugate/gpugate/collector/facts"
)

// explain turns an error of reading systemd into a reason, and into words that
// are the same whenever the same happens.
func explain(ctx context.Context, where string, err error) (facts.Reason, string) {
	reason, what, help := classify(ctx, err)
	if help != "" {
		help = " (" + help + ")"
	}
	return reason, fmt.Sprintf("%s: %s%s", where, what, help)
}

func classify(ctx context.Context, err error) (reason facts.Reason, what, help string) {
	const asRoot = "run as root, or let this user talk to systemd over D-Bus"
	var answer dbus.Error
	answered := errors.As(err, &answer)
	if name, ok := strings.CutPrefix(answer.Name, "org.freedesktop.DBus.Error."); ok && answered {
		switch name {
		case "AccessDenied", "AuthFailed", "InteractiveAuthorizationRequired":
			return facts.ReasonDenied, "access denied: " + answer.Error(), asRoot
		case "NoReply", "Timeout", "TimedOut":
			return facts.ReasonTimeout, "no answer: " + answer.Error(), "systemctl is-system-running tells whether systemd answers"
		case "ServiceUnknown", "NameHasNoOwner":
			return facts.ReasonAbsent, "systemd is not on this bus: " + answer.Error(), "systemctl daemon-reexec connects it again"
		}
	}
	switch {
	case answered:
		return facts.ReasonFailed, answer.Error(), ""
	case ctx.Err() != nil, errors.Is(err, os.ErrDeadlineExceeded):
		return facts.ReasonTimeout, "no answer before the deadline", "systemctl is-system-running tells whether systemd answers; --timeout gives it longer"
	case errors.Is(err, fs.ErrPermission):
		return facts.ReasonDenied, "permission denied", asRoot
	case isRefused(err):
		return facts.ReasonDenied, "systemd did not accept this user", asRoot
	case errors.Is(err, fs.ErrNotExist):
		return facts.ReasonAbsent, "the socket is not there", "systemd may run all the same; within a container, mount the socket"
	case errors.Is(err, syscall.ECONNREFUSED):
		return facts.ReasonFailed, "connection refused: nobody listens on the socket", "systemctl status dbus.socket"
	case errors.Is(err, dbus.ErrClosed), errors.Is(err, syscall.EPIPE), errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return facts.ReasonFailed, "the other side ended the connection", ""
	}
	return facts.ReasonFailed, strings.TrimPrefix(err.Error(), "dbus: "), ""
}

// isRefused reports whether authentication failed; the library has no value
// for that.
func isRefused(err error) bool { return err.Error() == "dbus: authentication failed" }
