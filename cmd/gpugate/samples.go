package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/samples"
)

// sampleFlags name answers of the services' APIs that somebody saved.
type sampleFlags struct{ samples []string }

func (s *sampleFlags) register(f *pflag.FlagSet) {
	f.StringArrayVar(&s.samples, "sample", nil, "an answer of a service's API, saved in `FILE` with or without its head (curl -i), or a folder of them; no text of it is kept; repeatable")
}

// check refuses what was named and is not there, or may not be read.
func (s *sampleFlags) check() error {
	for _, named := range s.samples {
		info, err := os.Stat(named)
		if err == nil && !info.IsDir() {
			err = checkReadable(named)
		} else if err == nil {
			_, err = os.ReadDir(named)
		}
		if err != nil {
			return fmt.Errorf("--sample: %w", err)
		}
	}
	if len(s.samples) > 0 && samples.Count(s.samples) == 0 {
		return errors.New("--sample: there is no file in what was named")
	}
	return nil
}

// replace puts the answers that the flags name in the place of those that came
// with the document.
func (s *sampleFlags) replace(ctx context.Context, d *facts.Document) error {
	if len(s.samples) == 0 {
		return nil
	}
	if err := s.check(); err != nil {
		return err
	}
	r := samples.New(samples.Options{Files: s.samples, Services: servicesOf(d.Launch.Manifest)}).Collect(ctx)
	d.SetSource(r.Report)
	if r.Attach != nil {
		r.Attach(d)
	}
	return nil
}

// servicesOf are the names of the services in a manifest.
func servicesOf(m *facts.Manifest) (names []string) {
	if m == nil {
		return nil
	}
	for _, s := range m.Services {
		names = append(names, s.Name)
	}
	return names
}
