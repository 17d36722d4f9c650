package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/launch"
	"github.com/gpugate/gpugate/collector/tione"
)

// manifestFlags name the files a team keeps in its repository.
type manifestFlags struct {
	launch     string
	tione      string
	tioneGroup string
}

func (m *manifestFlags) register(f *pflag.FlagSet) {
	f.StringVar(&m.launch, "launch", "", "launch manifest `FILE`, such as launch.yaml (gpugate init writes a first one)")
	f.StringVar(&m.tione, "tione", "", "TI-ONE scheduling policy `FILE` (JSON)")
	f.StringVar(&m.tioneGroup, "tione-group", "", "TI-ONE resource group `FILE`: the answer of DescribeBillingResourceGroup (JSON)")
}

// inputs are the files that are named.
func (m *manifestFlags) inputs() []string { return []string{m.launch, m.tione, m.tioneGroup} }

// check reads what the flags name before any work is done: a file that was
// named and cannot be read is a wrong command, not missing evidence.
func (m *manifestFlags) check() (*facts.Manifest, error) {
	for _, given := range []struct{ flag, file string }{{"--tione", m.tione}, {"--tione-group", m.tioneGroup}} {
		if given.file == "" {
			continue
		}
		if err := checkReadable(given.file); err != nil {
			return nil, fmt.Errorf("%s: %w", given.flag, err)
		}
	}
	if m.launch == "" {
		return nil, nil
	}
	l, _, err := launch.Read(m.launch)
	if err != nil {
		return nil, fmt.Errorf("--launch: %w", err)
	}
	return l.Manifest, nil
}

func checkReadable(file string) error {
	// Opening a pipe would wait for its other end.
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", file)
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	return f.Close()
}

// replace puts the files that the flags name in the place of the sections that
// came with the document.
func (m *manifestFlags) replace(ctx context.Context, d *facts.Document) error {
	if _, err := m.check(); err != nil {
		return err
	}
	if m.launch != "" {
		r := launch.New(launch.Options{File: m.launch}).Collect(ctx)
		d.Launch = facts.Launch{}
		d.DropOrigins("/launch")
		d.SetSource(r.Report)
		r.Attach(d)
	}
	if m.tione != "" || m.tioneGroup != "" {
		m.replaceTIONE(ctx, d)
	}
	return nil
}

// replaceTIONE replaces the policy, the resource group, or both, and keeps what
// was not named together with its gaps.
func (m *manifestFlags) replaceTIONE(ctx context.Context, d *facts.Document) {
	identity := collector.Identity{Names: []string{d.Host.Name}, Addresses: d.Host.Addresses}
	r := tione.New(tione.Options{PolicyFile: m.tione, GroupFile: m.tioneGroup, Host: identity}).Collect(ctx)
	fresh := &facts.Document{}
	if r.Attach != nil {
		r.Attach(fresh)
	}
	report := facts.Complete(facts.SourceTIONE, r.Report.Via)
	take := func(from facts.Source, part string) {
		for _, g := range from.Gaps {
			if g.Touches(part) {
				report.AddGap(g)
			}
		}
	}
	old := d.Source(facts.SourceTIONE)
	if m.tione != "" {
		d.DropOrigins("/tione/policy")
		d.TIONE.Policy = fresh.TIONE.Policy
		d.Origins = append(d.Origins, fresh.Origins...)
		take(r.Report, "tione.policy")
	} else {
		take(old, "tione.policy")
	}
	if m.tioneGroup != "" {
		d.TIONE.ResourceGroup = fresh.TIONE.ResourceGroup
		take(r.Report, "tione.resourceGroup")
	} else {
		take(old, "tione.resourceGroup")
	}
	d.SetSource(report)
}
