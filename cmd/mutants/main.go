// Command mutants puts one small fault at a time into the policies and reports
// those that no Rego test notices. It is run from the root of the repository:
//
//	go run ./cmd/mutants                     every policy
//	go run ./cmd/mutants OWN001 lib/claims   a rule by its id, files by a part of their path
//	go run ./cmd/mutants -sample 300 -seed 7 some of them
//
// Exit code: 0 if at least -least percent are noticed, 1 if fewer, 2 if it could
// not be run.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/evaluator/mutants"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	// Compilers come and go by the thousand; memory is cheaper than collecting it.
	debug.SetGCPercent(400)
	code, err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		code = 2
	}
	os.Exit(code) //nolint:forbidigo // this is main, of a tool of its own
}

func run(ctx context.Context) (int, error) {
	dir := flag.String("policies", "policies", "the folder of the policies")
	schemaFile := flag.String("schema", "collector/facts/schema.json", "the schema of the facts")
	least := flag.Float64("least", 95, "the share of mutants, in percent, that the tests must notice")
	verbose := flag.Bool("v", false, "tell of every mutant what became of it")
	var o mutants.Options
	flag.IntVar(&o.Sample, "sample", 0, "judge so many mutants only (0: all)")
	flag.Uint64Var(&o.Seed, "seed", 1, "which mutants a sample takes")
	flag.IntVar(&o.Jobs, "jobs", runtime.GOMAXPROCS(0), "how many are judged at once")
	flag.Parse()

	schema, err := os.ReadFile(*schemaFile)
	if err != nil {
		return 2, fmt.Errorf("%w (run it from the root of the repository, or name the schema with -schema)", err)
	}
	p, err := mutants.Read(os.DirFS(*dir), schema)
	if err != nil {
		return 2, err
	}
	if o.Files, err = chosen(p, flag.Args()); err != nil {
		return 2, err
	}
	if info, err := os.Stderr.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		o.Done = func(done, all int) { fmt.Fprintf(os.Stderr, "\r%d of %d ", done, all) }
	}
	results, err := p.Run(ctx, o)
	if err != nil {
		return 2, err
	}
	report := mutants.NewReport(results, *dir)
	if err := report.Write(os.Stdout, *verbose); err != nil {
		return 2, err
	}
	if report.Score() < *least {
		return 1, fmt.Errorf("%.1f %% are noticed, fewer than %g %%", report.Score(), *least)
	}
	return 0, nil
}

// chosen are the files that the arguments name: rules by id, others by a part of
// their path. An argument that names nothing is an error.
func chosen(p *mutants.Policies, args []string) ([]string, error) {
	var files []string
	for _, a := range args {
		before := len(files)
		for _, f := range p.Files() {
			if strings.EqualFold(p.ID(f), a) || strings.Contains("policies/"+f, a) {
				files = append(files, f)
			}
		}
		if len(files) == before {
			return nil, fmt.Errorf("no policy has the id %q or a path with %q in it", a, a)
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}
