// Command gpugate answers one question with evidence: may this GPU server be
// registered with a cluster scheduler, and may its model service be opened?
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	// Libraries log what a peer sent; that is nothing for people to read.
	log.SetOutput(io.Discard)
	ctx, stop := untilInterrupted(context.Background())
	done := make(chan int, 1)
	go func() { done <- run(ctx, os.Args[1:], os.Stdin, standardOutput(), os.Stderr) }()
	var code int
	select {
	case code = <-done:
	case <-ctx.Done():
		code = windUp(ctx, done)
	}
	stop()
	os.Exit(code)
}

// grace is how long an interrupted command may take to clean up after itself.
const grace = time.Second

// windUp ends an interrupted command, also one that waits for a file or for
// standard input and hears nothing.
func windUp(ctx context.Context, done <-chan int) int {
	select {
	case code := <-done:
		return code
	case <-time.After(grace):
		return interrupted(ctx, os.Stderr)
	}
}

// interrupted says why the command ended, and returns its exit code.
func interrupted(ctx context.Context, stderr io.Writer) int {
	var by interruption
	if !errors.As(context.Cause(ctx), &by) {
		by = interruption{syscall.SIGTERM}
	}
	fmt.Fprintf(stderr, "gpugate: %v\n", by)
	return by.exitCode()
}

// interruption is the signal that ended the work before it was done.
type interruption struct{ signal syscall.Signal }

func (i interruption) Error() string {
	if i.signal == syscall.SIGINT {
		return "interrupted"
	}
	return i.signal.String()
}

// exitCode is what a shell reports of a program that the signal ended.
func (i interruption) exitCode() int { return 128 + int(i.signal) }

// untilInterrupted returns a context that the first SIGINT or SIGTERM ends. A
// second one ends the program there and then, as if nobody had listened.
func untilInterrupted(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		select {
		case s := <-signals:
			signal.Stop(signals)
			if s, ok := s.(syscall.Signal); ok {
				cancel(interruption{s})
			}
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(signals); cancel(nil) }
}
