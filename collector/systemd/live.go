package systemd

import (
	"context"
	"errors"
	"path"
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
	loaded, err := listLoaded(ctx, conn)
	if err != nil {
		reason, detail := explain(ctx, via+": listing the units", err)
		return collector.Result{Report: facts.Missing(facts.SourceSystemd, via, reason, detail)}
	}
	report := facts.Complete(facts.SourceSystemd, via)
	for _, n := range l.Named {
		loaded = append(loaded, serviceName(n))
	}
	first := services(loaded)
	raws, gaps := readAll(ctx, conn, first, via)
	if ctx.Err() == nil || len(gaps) == 0 { // else the gaps say already that time is up
		enabled, err := listEnabled(ctx, conn)
		if err != nil {
			reason, detail := explain(ctx, via+": listing the unit files, so what would start at boot without being loaded now is not known", err)
			gaps = append(gaps, facts.Gap{Path: gapPath, Reason: reason, Detail: detail})
		}
		more, moreGaps := readAll(ctx, conn, slices.DeleteFunc(services(enabled), func(n string) bool { return slices.Contains(first, n) }), via)
		raws, gaps = slices.Concat(raws, more), slices.Concat(gaps, moreGaps)
	}
	for _, g := range gaps {
		report.AddGap(g)
	}
	return result(report, version(ctx, conn), raws, l.Named)
}

// listLoaded names the units that systemd has loaded.
func listLoaded(ctx context.Context, conn *systemdbus.Conn) ([]string, error) {
	loaded, err := conn.ListUnitsContext(ctx)
	var names []string
	for _, u := range loaded {
		names = append(names, u.Name)
	}
	return names, err
}

// listEnabled names the services that are to start at boot, be they loaded or
// not. It makes systemd read its folders, so it is asked for no more than that.
func listEnabled(ctx context.Context, conn *systemdbus.Conn) ([]string, error) {
	files, err := conn.ListUnitFilesByPatternsContext(ctx, nil, []string{"*.service"})
	if answer := (dbus.Error{}); errors.As(err, &answer) && answer.Name == "org.freedesktop.DBus.Error.UnknownMethod" { // before systemd 230
		files, err = conn.ListUnitFilesContext(ctx)
	}
	var names []string
	for _, f := range files {
		if strings.HasPrefix(f.Type, "enabled") {
			names = append(names, path.Base(f.Path))
		}
	}
	return names, err
}

// services keeps the services among the units, each once, sorted. A template
// is no unit yet.
func services(names []string) []string {
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool {
		return !strings.HasSuffix(n, ".service") || strings.HasSuffix(n, "@.service")
	})
	slices.Sort(names)
	return slices.Compact(names)
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
				return nil //nolint:nilerr // kept in errs: each becomes a gap of its own
			}
			properties, err := conn.GetAllPropertiesContext(ctx, name)
			if err != nil {
				errs[i] = err
				return nil //nolint:nilerr // kept in errs, as above
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
		if r := read[i]; r != nil {
			raws = append(raws, *r)
			if r.scalars["LoadState"] == "" || r.scalars["ActiveState"] == "" {
				gaps = append(gaps, facts.Gap{Path: gapPath, Item: name, Reason: facts.ReasonFailed, Detail: via + ": systemd does not tell whether " + name + " runs"})
			}
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
