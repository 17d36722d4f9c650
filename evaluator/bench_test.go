package evaluator

import (
	"fmt"
	"maps"
	"testing"
)

// BenchmarkLoad is what every start of the program pays.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := Load(b.Context(), nil, Selection{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLoadSteps shows where the time of loading goes.
func BenchmarkLoadSteps(b *testing.B) {
	all, err := builtIn()
	if err != nil {
		b.Fatal(err)
	}
	var modules []module
	for _, m := range all {
		if !isTest(m.File) {
			modules = append(modules, m)
		}
	}
	b.Run("parse", func(b *testing.B) {
		for b.Loop() {
			if _, err := parse(modules); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("compile", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			parsed, err := parse(modules)
			if err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			if _, err := compile(parsed); err != nil {
				b.Fatal(err)
			}
		}
	})
	p := builtInSet(b)
	b.Run("reads", func(b *testing.B) {
		for b.Loop() {
			read := newReaders(p.compiler)
			for _, r := range p.Rules {
				read.of(r.ref, "subjects", "fail", "unknown")
			}
		}
	})
	b.Run("prepare", func(b *testing.B) {
		for b.Loop() {
			if err := p.prepare(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkEvaluate judges a document of about 65 KB, as a busy server has it.
func BenchmarkEvaluate(b *testing.B) {
	d, err := decode(busy(scenarios(b, "good")["serving"]))
	if err != nil {
		b.Fatal(err)
	}
	text, err := d.Marshal()
	if err != nil {
		b.Fatal(err)
	}
	p := builtInSet(b)
	b.ReportMetric(float64(len(text)), "document-bytes")
	for b.Loop() {
		if _, err := p.Evaluate(b.Context(), d, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// busy adds containers, most of them stopped, and workers to a document.
func busy(doc map[string]any) map[string]any {
	daemon := doc["docker"].(map[string]any)["daemons"].([]any)[0].(map[string]any)
	containers := daemon["containers"].([]any)
	nvml, host := doc["nvml"].(map[string]any), doc["host"].(map[string]any)
	for i := range 20 {
		c := maps.Clone(containers[0].(map[string]any))
		c["id"], c["name"], c["state"] = fmt.Sprintf("id-%02d", i), fmt.Sprintf("job-%02d", i), "exited"
		daemon["containers"] = append(daemon["containers"].([]any), c)
	}
	for i := range 16 {
		p := maps.Clone(host["processes"].([]any)[0].(map[string]any))
		p["pid"] = 5000 + i
		host["processes"] = append(host["processes"].([]any), p)
		n := maps.Clone(nvml["processes"].([]any)[i%2].(map[string]any))
		n["pid"] = 5000 + i
		nvml["processes"] = append(nvml["processes"].([]any), n)
	}
	return doc
}
