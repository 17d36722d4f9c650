//go:build cgo

package nvml

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/NVIDIA/go-nvml/pkg/dl"
	nvmlapi "github.com/NVIDIA/go-nvml/pkg/nvml"

	"github.com/gpugate/gpugate/collector/facts"
)

// readLibrary reads through the driver's library. No call into it can be
// interrupted, so all are made by a goroutine that is left behind when the
// deadline comes first; what it had read by then is used.
func (l *live) readLibrary(ctx context.Context) reading {
	if !l.stuck.CompareAndSwap(false, true) {
		return reading{trouble: &trouble{reason: facts.ReasonTimeout, detail: "a call of an earlier scan into the NVIDIA driver has not returned; the driver hangs"}}
	}
	p := &progress{calling: "the NVIDIA driver's library"}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer l.stuck.Store(false)
		defer func() {
			if fault := recover(); fault != nil {
				p.end(&trouble{reason: facts.ReasonFailed, detail: fmt.Sprintf("a fault of gpugate's own in %s: %v", p.call(), fault)})
			}
		}()
		l.openAndRead(ctx, p)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
	return p.result()
}

// progress is what the goroutine has read so far.
type progress struct {
	mu      sync.Mutex
	reading reading
	// ended is set when there is nothing more to come.
	ended   bool
	calling string
}

// update changes the reading; cards are only ever added whole.
func (p *progress) update(change func(*reading)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.reading)
}

// end says that all is read, or with trouble that nothing can be.
func (p *progress) end(t *trouble) {
	p.update(func(r *reading) { r.trouble, p.ended = t, true })
}

// result is what was read so far; if that is not all, the deadline came first.
func (p *progress) result() reading {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.reading
	r.snapshot.cards = slices.Clone(r.snapshot.cards)
	if !p.ended {
		r.snapshot.gaps = timeoutGaps(p.calling)
	}
	return r
}

func (p *progress) begin(call string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calling = call
}

func (p *progress) call() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calling
}

// openAndRead finds the library, starts it and reads all cards.
func (l *live) openAndRead(ctx context.Context, p *progress) {
	path, t := l.findLibrary(p)
	if t != nil {
		p.end(t)
		return
	}
	p.update(func(r *reading) { r.via = path })
	s := &session{ctx: ctx, api: nvmlapi.New(nvmlapi.WithLibraryPath(path)), progress: p}
	s.read()
}

// findLibrary returns the first library that can be loaded and has what no
// reading can do without. It looks before go-nvml does: that one calls
// functions without asking, and one that is missing ends the process.
func (l *live) findLibrary(p *progress) (string, *trouble) {
	var unusable *trouble
	for _, path := range l.options.Libraries {
		p.begin("loading " + path)
		handle := dl.New(path, dl.RTLD_LAZY|dl.RTLD_LOCAL)
		if err := handle.Open(); err != nil {
			if t := cannotLoad(path, err); t != nil && unusable == nil {
				unusable = t
			}
			continue
		}
		missing := missingFunctions(handle.Lookup)
		// Closing a handle of a library that nothing uses yet is safe; that it
		// fails would only leave the library mapped.
		_ = handle.Close()
		if len(missing) == 0 {
			return path, nil
		}
		if unusable == nil {
			unusable = &trouble{reason: facts.ReasonFailed, elsewhere: true,
				detail: fmt.Sprintf("%s is too old or no NVML: it lacks %s", path, strings.Join(missing, ", "))}
		}
	}
	if unusable != nil {
		return "", unusable
	}
	return "", &trouble{reason: facts.ReasonAbsent, elsewhere: true, notThere: true,
		detail: fmt.Sprintf("%s was not found (looked for %s)", "the NVIDIA driver's library", strings.Join(l.options.Libraries, ", "))}
}

// cannotLoad tells a library that is not there, for which it returns nil, from
// one that cannot be loaded.
func cannotLoad(path string, err error) *trouble {
	said := err.Error()
	if strings.Contains(path, "/") {
		_, statErr := os.Stat(path)
		if errors.Is(statErr, fs.ErrNotExist) {
			return nil
		}
		if errors.Is(statErr, fs.ErrPermission) {
			return &trouble{reason: facts.ReasonDenied, elsewhere: true, detail: fmt.Sprintf("%s cannot be read: %v", path, statErr)}
		}
	} else if strings.HasPrefix(said, path+":") && strings.Contains(said, "No such file or directory") {
		return nil
	}
	t := &trouble{reason: facts.ReasonFailed, elsewhere: true, detail: "the library cannot be loaded: " + said}
	if strings.Contains(said, "Permission denied") {
		t.reason = facts.ReasonDenied
	}
	return t
}

// missingFunctions lists what a library must have and has not.
func missingFunctions(lookup func(string) error) []string {
	var missing []string
	for _, f := range []function{{"nvmlInit", 2}, {"nvmlDeviceGetCount", 2}, {"nvmlDeviceGetHandleByIndex", 2}} {
		if !f.has(lookup) {
			missing = append(missing, f.name)
		}
	}
	return missing
}

// notStarted says why the library could not be initialized.
func notStarted(ret nvmlapi.Return) *trouble {
	t := &trouble{reason: reasonOfCode(ret)}
	switch ret {
	case nvmlapi.ERROR_LIBRARY_NOT_FOUND:
		t.elsewhere, t.detail = true, "the NVIDIA driver's library cannot be loaded"
	case nvmlapi.ERROR_DRIVER_NOT_LOADED:
		t.detail = "the NVIDIA driver is not loaded: load it (modprobe nvidia) or install it for the running kernel"
	case nvmlapi.ERROR_LIB_RM_VERSION_MISMATCH:
		t.detail = "the library and the loaded kernel module belong to different driver versions, as after an update: restart the host or reload the module"
	case nvmlapi.ERROR_NO_PERMISSION:
		t.detail = "the NVIDIA driver may not be used by this user: run as root or see who may open /dev/nvidiactl"
	case nvmlapi.ERROR_UNKNOWN:
		t.detail = "the NVIDIA driver does not start; in a container this often means that it lost its devices"
	default:
		t.detail = "the NVIDIA driver does not start"
	}
	t.detail += fmt.Sprintf(" (nvmlInit: %s)", codeName(ret))
	return t
}
