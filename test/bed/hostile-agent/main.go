// An agent that has a token, or none, and breaks the rules; and a server that agents should not trust. With Go's own SSH, so that
// what the tunnel refuses is judged by an implementation that it shares nothing with.
//
// Facts are printed as lines of JSON: what was tried, and what came of it.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"sync"
)

var (
	address = flag.String("address", "", "host:port of the fleet; of serve: where to listen")
	from    = flag.String("from", "127.0.0.1", "the loopback address to connect from")
	user    = flag.String("user", "", "the cluster to log in as")
	secret  = flag.String("secret", "", "the secret of a token")
	target  = flag.String("target", "", "host:port that streams lead to, or that nobody must reach")
	handed  = flag.String("credentials", "", "a file with the credentials to hand over, as JSON")
	hostKey = flag.String("host-key", "", "serve: a private key; a new one without it")
	count   = flag.Int("count", 1, "how many")
	exact   = flag.Bool("exact", false, "overrun: after the last byte of a window")
	size    = flag.Int("size", 32*1024, "bytes of a packet or message")
)

var attacks = map[string]func() error{
	"agent":         agent,
	"channels":      channels,
	"sessions":      sessions,
	"names":         names,
	"logins":        logins,
	"silent":        silent,
	"overrun":       overrun,
	"small-packets": smallPackets,
	"flood":         flood,
	"unread":        unread,
	"flicker":       flicker,
	"credentials":   credentialFlood,
	"malformed":     malformed,
	"many":          many,
	"serve":         serve,
}

var printing sync.Mutex

// fact prints one line.
func fact(what string, answer any) {
	printing.Lock()
	defer printing.Unlock()
	line, err := json.Marshal(map[string]any{"what": what, "answer": fmt.Sprint(answer)})
	if err == nil {
		_, err = os.Stdout.Write(append(line, '\n'))
	}
	if err != nil {
		// Whoever reads it is gone.
		os.Exit(1)
	}
}

func main() {
	if len(os.Args) < 2 || attacks[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: hostile-agent ATTACK [flags]")
		os.Exit(2)
	}
	if err := flag.CommandLine.Parse(os.Args[2:]); err != nil {
		os.Exit(2)
	}
	if err := attacks[os.Args[1]](); err != nil {
		fact("failed", err)
		os.Exit(1)
	}
}
