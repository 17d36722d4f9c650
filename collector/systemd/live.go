package systemd

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	systemdbus "github.com/coreos/go-systemd/v22/dbus"
	"github.com/godbus/dbus/v5"
	"golang.org/x/sync/errgroup"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/facts"
)

// mostAtOnce bounds the questions systemd is asked at one time: it answers them
// one by one anyway, and has a host to run.
const mostAtOnce = 8

type live struct {
	Options
	host host
}

func (l live) Name() string { return facts.SourceSystemd }

func (l live) Collect(ctx context.Context) collector.Result {
	if l.Address == "" {
		if report, gone := l.host.withoutSystemd(); gone {
			return collector.Result{Report: report}
		}
	}
	conn, via, err := l.connect(ctx)
	if err != nil {
		reason, detail := explain(ctx, via, err)
		return collector.Result{Report: facts.Missing(facts.SourceSystemd, via, reason, detail)}
	}
	defer conn.Close()
	names, err := list(ctx, conn, l.Named)
	if err != nil {
		reason, detail := explain(ctx, via+": listing the units", err)
		return collector.Result{Report: facts.Missing(facts.SourceSystemd, via, reason, detail)}
	}
	report := facts.Complete(facts.SourceSystemd, via)
	raws, gaps := readAll(ctx, conn, names, via)
	for _, g := range gaps {
		report.AddGap(g)
	}
	return result(report, version(ctx, conn), raws, l.Named)
}

// list names the service units to read: those systemd has loaded, those it will
// start at boot though it has not loaded them yet, and those that are wanted.
func list(ctx context.Context, conn *systemdbus.Conn, named []string) ([]string, error) {
	loaded, err := conn.ListUnitsContext(ctx)
	if err != nil {
		return nil, err
	}
	files, err := conn.ListUnitFilesContext(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, u := range loaded {
		names = append(names, u.Name)
	}
	for _, f := range files {
		if strings.HasPrefix(f.Type, "enabled") {
			names = append(names, f.Path[strings.LastIndexByte(f.Path, '/')+1:])
		}
	}
	for _, n := range named {
		names = append(names, serviceName(n))
	}
	names = slices.DeleteFunc(names, func(n string) bool {
		return !strings.HasSuffix(n, ".service") || strings.HasSuffix(n, "@.service") // a template is no unit yet
	})
	slices.Sort(names)
	return slices.Compact(names), nil
}

// readAll reads the properties of the units, several at once. What could not be
// read is a gap: of one unit, or of all when the connection is lost or time is
// up.
func readAll(ctx context.Context, conn *systemdbus.Conn, names []string, via string) ([]raw, []facts.Gap) {
	read := make([]*raw, len(names))
	errs := make([]error, len(names))
	var group errgroup.Group
	group.SetLimit(mostAtOnce)
	for i, name := range names {
		group.Go(func() error {
			if errs[i] = ctx.Err(); errs[i] != nil {
				return nil
			}
			properties, err := conn.GetAllPropertiesContext(ctx, name)
			if err != nil {
				errs[i] = err
				return nil
			}
			r := fromDBus(properties)
			read[i] = &r
			return nil
		})
	}
	_ = group.Wait() // the errors are kept by unit
	var raws []raw
	var gaps []facts.Gap
	for i, name := range names {
		if read[i] != nil {
			raws = append(raws, *read[i])
			continue
		}
		item, where := name, via+": reading "+name
		if answer := new(dbus.Error); ctx.Err() != nil || !errors.As(errs[i], answer) {
			item, where = "", via+": not every unit could be read"
		}
		reason, detail := explain(ctx, where, errs[i])
		gaps = append(gaps, facts.Gap{Path: gapPath, Item: item, Reason: reason, Detail: detail})
	}
	return raws, gaps
}

// version is systemd's own; it is not worth a gap.
func version(ctx context.Context, conn *systemdbus.Conn) string {
	if ctx.Err() != nil {
		return ""
	}
	quoted, err := conn.GetManagerProperty("Version")
	if err != nil {
		return ""
	}
	v, err := strconv.Unquote(quoted)
	if err != nil {
		return ""
	}
	return v
}
