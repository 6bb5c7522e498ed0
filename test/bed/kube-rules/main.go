// kube-rules answers with Kubernetes' own Go code what kube-apiserver makes of an object before it is stored:
// decoding, defaults, and the rest strategy of its kind (what it drops, sets, validates and warns of).
// Each line of standard input is a request, each line of standard output its answer, in order:
//
//	{"op": "create", "object": {"apiVersion": "v1", "kind": "Pod", …}}
//
// README.md of the bed lists the fields. Admission, allocation of IP addresses and storage have no part in it.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log"
	"os"

	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/capabilities"
)

func main() {
	log.SetFlags(0)
	// what Go logs of objects (deprecated fields, unknown fields) is not part of an answer
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	// as the bed's members are started
	capabilities.Setup(true, 0)
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	answers := json.NewEncoder(os.Stdout)
	answers.SetEscapeHTML(false)
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if err := answers.Encode(answerTo(line)); err != nil {
				log.Fatal(err)
			}
		}
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			log.Fatal(err)
		}
	}
}
