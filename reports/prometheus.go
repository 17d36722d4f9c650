package reports

import (
	"fmt"
	"io"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"

	"github.com/gpugate/gpugate/evaluator"
)

// WritePrometheus writes the assessment as metrics in Prometheus' text format,
// for node_exporter's textfile collector or any scraper of files. Every series
// names the host that was judged, which need not be the one that is scraped.
func WritePrometheus(w io.Writer, a *evaluator.Assessment, _ Options) error {
	registry := prometheus.NewRegistry()
	for _, add := range []func(*prometheus.Registry, *evaluator.Assessment) error{runMetrics, ruleMetrics, sourceMetrics, gpuMetrics} {
		if err := add(registry, a); err != nil {
			return fmt.Errorf("describing the metrics: %w", err)
		}
	}
	families, err := registry.Gather()
	if err != nil {
		return fmt.Errorf("gathering the metrics: %w", err)
	}
	for _, f := range families {
		if _, err := expfmt.MetricFamilyToText(w, f); err != nil {
			return fmt.Errorf("writing the metrics: %w", err)
		}
	}
	return nil
}

// gauge registers a gauge with these labels beside the host.
func gauge(r *prometheus.Registry, host, name, help string, labels ...string) (*prometheus.GaugeVec, error) {
	v := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "gpugate_" + name, Help: help, ConstLabels: prometheus.Labels{"host": clean(host)},
	}, labels)
	return v, r.Register(v)
}

func runMetrics(r *prometheus.Registry, a *evaluator.Assessment) error {
	info, err := gauge(r, a.Host.Name, "assessment_info", "The program and the policies that judged.", "version", "policies")
	if err != nil {
		return err
	}
	info.WithLabelValues(a.Tool.Version, a.Policies.SHA256).Set(1)
	for _, m := range []struct {
		name, help string
		value      float64
	}{
		{"facts_collected_timestamp_seconds", "When the facts that were judged were collected.", float64(a.Facts.CollectedAt.UnixMilli()) / 1000},
		{"gate_exit_code", "What the gate decided: 0 open, 1 violations, 3 evidence is missing.", float64(a.Gate.ExitCode)},
		{"judged_rules_ratio", "The share of the selected rules that could be judged on complete evidence.", ratio(a.Summary.Judged, a.Summary.Selected)},
	} {
		v, err := gauge(r, a.Host.Name, m.name, m.help)
		if err != nil {
			return err
		}
		v.WithLabelValues().Set(m.value)
	}
	return nil
}

// ratio is 0 where there is no whole: nothing was judged.
func ratio(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// ruleMetrics has a series for each verdict that a rule can have, so that an
// alert on one sees it come and go.
func ruleMetrics(r *prometheus.Registry, a *evaluator.Assessment) error {
	verdicts, err := gauge(r, a.Host.Name, "rule_subjects", "How many subjects the rule judged with this verdict.", "rule", "topic", "severity", "verdict")
	if err != nil {
		return err
	}
	waived, err := gauge(r, a.Host.Name, "rule_waived_subjects", "How many of the rule's subjects a waiver covers.", "rule", "topic", "severity")
	if err != nil {
		return err
	}
	for _, rule := range a.Rules {
		covered := waived.WithLabelValues(rule.ID, rule.Topic, string(rule.Severity))
		for _, s := range rule.Subjects {
			if s.Waived() {
				covered.Inc()
			}
		}
		for _, v := range []evaluator.Verdict{evaluator.Fail, evaluator.Unknown, evaluator.Pass, evaluator.NotApplicable} {
			verdicts.WithLabelValues(rule.ID, rule.Topic, string(rule.Severity), string(v)).Set(0)
		}
		for _, s := range rule.Subjects {
			verdicts.WithLabelValues(rule.ID, rule.Topic, string(rule.Severity), string(s.Verdict)).Inc()
		}
	}
	return nil
}

func sourceMetrics(r *prometheus.Registry, a *evaluator.Assessment) error {
	status, err := gauge(r, a.Host.Name, "source_status", "1 for the status that the source of facts ended with.", "source", "status")
	if err != nil {
		return err
	}
	gaps, err := gauge(r, a.Host.Name, "source_gaps", "How many parts of the facts are missing.", "source")
	if err != nil {
		return err
	}
	for _, s := range a.Sources {
		status.WithLabelValues(s.Name, string(s.Status)).Set(1)
		gaps.WithLabelValues(s.Name).Set(float64(len(s.Gaps)))
	}
	return nil
}

func gpuMetrics(r *prometheus.Registry, a *evaluator.Assessment) error {
	claims, err := gauge(r, a.Host.Name, "gpu_claims", "How many claims of this kind and manager there are on the GPU.", "gpu", "kind", "manager")
	if err != nil {
		return err
	}
	for _, g := range a.Ownership {
		for _, c := range g.Claims {
			claims.WithLabelValues(clean(g.GPU), c.Kind, c.Manager).Inc()
		}
	}
	return nil
}
