package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
)

// What a rotated log would still hold.
const keptLines = 10_000

// containerLog is a line a second since the container's start: line N is computed, not stored.
type containerLog struct {
	name     string
	start    time.Time
	finished time.Time // zero while it runs
}

func newContainerLog(name string, state containerState) *containerLog {
	switch {
	case state.Running != nil:
		return &containerLog{name: name, start: state.Running.StartedAt}
	case state.Terminated != nil:
		return &containerLog{name: name, start: state.Terminated.StartedAt, finished: state.Terminated.FinishedAt}
	default:
		return nil
	}
}

func (l *containerLog) line(n int) string { return fmt.Sprintf("%s line %d\n", l.name, n) }
func (l *containerLog) writtenAt(n int) time.Time {
	return l.start.Add(time.Duration(n-1) * time.Second)
}

// last is the number of the newest line at a time.
func (l *containerLog) last(now time.Time) int {
	if !l.finished.IsZero() && l.finished.Before(now) {
		now = l.finished
	}
	if now.Before(l.start) {
		return 0
	}
	return int(now.Sub(l.start)/time.Second) + 1
}

// follow writes the lines after n as they come, until the container's end or the context's.
func (l *containerLog) follow(ctx context.Context, n int, write func(n int) error) error {
	for n++; l.finished.IsZero(); n++ {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Until(l.writtenAt(n))):
		}
		if err := write(n); err != nil {
			return err
		}
	}
	return nil
}

type logOptions struct {
	follow, timestamps bool
	first              int
	limit              int64 // negative: none
}

func parseLogOptions(query url.Values, l *containerLog, now time.Time) (logOptions, error) {
	last := l.last(now)
	options := logOptions{follow: query.Get("follow") == "true", timestamps: query.Get("timestamps") == "true", first: max(1, last-keptLines+1), limit: -1}
	since := time.Time{}
	number := func(name string) (value int64, given bool, err error) {
		if text := query.Get(name); text != "" {
			value, err = strconv.ParseInt(text, 10, 64)
			return value, true, err
		}
		return 0, false, nil
	}
	if seconds, given, err := number("sinceSeconds"); err != nil {
		return options, err
	} else if given {
		since = now.Add(-time.Duration(seconds) * time.Second)
	}
	if text := query.Get("sinceTime"); text != "" {
		parsed, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return options, err
		}
		since = parsed
	}
	for options.first <= last && l.writtenAt(options.first).Before(since) {
		options.first++
	}
	if tail, given, err := number("tailLines"); err != nil {
		return options, err
	} else if given {
		options.first = max(options.first, last-int(min(tail, keptLines))+1)
	}
	if limit, given, err := number("limitBytes"); err != nil {
		return options, err
	} else if given {
		options.limit = limit
	}
	return options, nil
}

var errLimit = errors.New("limit of bytes reached")

func (n *node) logs(w http.ResponseWriter, r *http.Request) {
	found, state, ok := n.find(w, r)
	if !ok {
		return
	}
	name := r.PathValue("container")
	if r.URL.Query().Get("previous") == "true" {
		http.Error(w, fmt.Sprintf("previous terminated container %q in pod %q not found", name, found.Metadata.Name), http.StatusBadRequest)
		return
	}
	l := newContainerLog(name, state)
	if l == nil {
		http.Error(w, fmt.Sprintf("container %q in pod %q is waiting to start: ContainerCreating", name, found.Metadata.Name), http.StatusBadRequest)
		return
	}
	now := time.Now()
	options, err := parseLogOptions(r.URL.Query(), l, now)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	write := func(number int) error {
		text := l.line(number)
		if options.timestamps {
			text = l.writtenAt(number).UTC().Format("2006-01-02T15:04:05.000000000Z07:00") + " " + text
		}
		if options.limit >= 0 {
			text = text[:min(int64(len(text)), options.limit)]
			options.limit -= int64(len(text))
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
		if options.limit == 0 {
			return errLimit
		}
		return nil
	}
	w.Header().Set("Content-Type", "text/plain")
	w.WriteHeader(http.StatusOK)
	last := l.last(now)
	for number := options.first; number <= last; number++ {
		if write(number) != nil {
			return
		}
	}
	if !options.follow {
		return
	}
	flusher := w.(http.Flusher)
	flusher.Flush()
	there, done := n.pods.whileThere(r.Context(), found)
	defer done()
	l.follow(there, max(last, options.first-1), func(number int) error {
		defer flusher.Flush()
		return write(number)
	})
}

// attached is the container's process seen through attach: its lines as they come, and its input written back.
type attached struct {
	there context.Context
	log   *containerLog
}

func (a *attached) AttachContainer(_ context.Context, _, _, _ string, in io.Reader, out, _ io.WriteCloser, _ bool, resize <-chan remotecommand.TerminalSize) error {
	go func() {
		for range resize {
		}
	}()
	if a.log == nil {
		return errors.New("container is waiting to start")
	}
	if out == nil {
		out = discard{}
	}
	if in != nil {
		go io.Copy(out, in)
	}
	return a.log.follow(a.there, a.log.last(time.Now()), func(n int) error {
		_, err := io.WriteString(out, a.log.line(n))
		return err
	})
}

type discard struct{}

func (discard) Write(data []byte) (int, error) { return len(data), nil }
func (discard) Close() error                   { return nil }
