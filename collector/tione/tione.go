// Package tione reads what people exported from TI-ONE: the scheduling policy
// of a resource group, which only the console shows, and the answers of its
// API about the group's nodes. Nothing is asked of TI-ONE itself.
package tione

import (
	"context"
	"strings"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
)

// Paths of the parts of the section, as gaps name them.
const (
	policyPath    = "tione.policy"
	groupPath     = "tione.resourceGroup"
	instancesPath = "tione.resourceGroup.instances"
)

// Options says which files to read. A file that is not named is a gap.
type Options struct {
	// PolicyFile is the scheduling policy as copied from the console.
	PolicyFile string
	// GroupFile is the answer of DescribeBillingResourceGroup, or of
	// DescribeBillingResourceGroups.
	GroupFile string
	// ServiceFile is the answer of DescribeModelService, which alone says
	// whether work may be placed on the nodes of other groups. It is optional.
	ServiceFile string
	// Host tells which node of the group this server is.
	Host collector.Identity
}

// New reads the named files.
func New(o Options) collector.Source {
	return &source{
		via:    strings.Join(named(o.PolicyFile, o.GroupFile, o.ServiceFile), ", "),
		host:   o.Host,
		policy: func() input { return fromFile(o.PolicyFile, "no scheduling policy given (--tione policy.json)") },
		group: func() input {
			return fromFile(o.GroupFile, "no resource group given (--tione-group resource-group.json, the answer of DescribeBillingResourceGroup)")
		},
		service: func() input { return fromFile(o.ServiceFile, "") },
	}
}

// FromCapture reads the files of a capture.
func FromCapture(dir *capture.Dir) collector.Source {
	return &source{
		via:     "capture",
		host:    collector.CaptureIdentity(dir),
		policy:  func() input { return fromCapture(dir, "tione/policy.json") },
		group:   func() input { return fromCapture(dir, "tione/resource-group.json") },
		service: func() input { return fromCapture(dir, "tione/service.json") },
	}
}

type source struct {
	via                    string
	host                   collector.Identity
	policy, group, service func() input
}

func (s *source) Name() string { return facts.SourceTIONE }

// Collect reads the files and never fails; what cannot be read is a gap.
func (s *source) Collect(context.Context) collector.Result {
	var section facts.TIONE
	var origins []facts.Origin
	report := facts.Complete(facts.SourceTIONE, s.via)

	policy := s.policy()
	policy.reportTo(&report, policyPath)
	if policy.text != nil {
		read := readPolicy(policy.file, policy.text)
		section.Policy = read.policy
		origins = append(origins, read.origin)
		addAll(&report, read.gaps)
	}

	group := s.group()
	group.reportTo(&report, groupPath)
	found := readGroup(group, s.host)
	if service := s.service(); service.text != nil || service.err != nil && service.err.Reason != facts.ReasonSkipped {
		service.reportTo(&report, groupPath)
		found.addService(service)
	}
	section.ResourceGroup = found.group
	origins = append(origins, found.origins...)
	addAll(&report, found.gaps)

	report.Status = status(report.Gaps, section)
	return collector.Result{Report: report, Attach: func(d *facts.Document) {
		d.TIONE = section
		d.Origins = append(d.Origins, origins...)
	}}
}

// status is complete without gaps, partial when something was read, and else
// the reason why nothing was.
func status(gaps []facts.Gap, section facts.TIONE) facts.Status {
	if len(gaps) == 0 {
		return facts.StatusComplete
	}
	if section.Policy != nil || section.ResourceGroup != nil {
		return facts.StatusPartial
	}
	for _, g := range gaps {
		if g.Reason != facts.ReasonSkipped {
			return g.Reason.Status()
		}
	}
	return facts.StatusSkipped
}

func addAll(report *facts.Source, gaps []facts.Gap) {
	for _, g := range gaps {
		report.AddGap(g)
	}
}

func named(files ...string) []string {
	var given []string
	for _, f := range files {
		if f != "" {
			given = append(given, f)
		}
	}
	return given
}
