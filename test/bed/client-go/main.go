// client-go against one cluster of a merged view, by suffixed names, or against one API server by plain ones: typed (protobuf),
// dynamic and metadata clients, two writers of one object, informers, leader election and apply. Each step is a line of JSON on
// standard output.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

type bench struct {
	ctx       context.Context
	config    *rest.Config
	namespace string
	// `.clusterspace.m1`, put behind the names of objects; empty where names are plain.
	suffix string
	failed map[string]bool
	// How long what has to happen may take.
	patience time.Duration
}

// A step that needs what an earlier one of its client made is not tried after that one failed.
func (b *bench) step(client, name string, do func() error) {
	if b.failed[client] {
		return
	}
	line := map[string]string{"client": client, "step": name}
	if err := do(); err != nil {
		b.failed[client] = true
		line["error"] = err.Error()
	}
	if err := json.NewEncoder(os.Stdout).Encode(line); err != nil {
		log.Fatal(err)
	}
}

// Bodies in protobuf, as typed clients of controllers send them; answers in JSON where that is all there is.
func (b *bench) protobuf() *rest.Config {
	config := rest.CopyConfig(b.config)
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	return config
}

func (b *bench) named(name string) string { return name + b.suffix }

// What the client sent must be what it gets: kubectl wait, delete and apply compare the two.
func expect(what, got, wanted string) error {
	if got == wanted {
		return nil
	}
	return fmt.Errorf("%s is %q instead of %q", what, got, wanted)
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "how to reach the API server")
	cluster := flag.String("cluster", "", "the cluster that names carry; none where they are plain")
	wanted := flag.String("clients", "typed,eviction,dynamic,metadata,conflict", "what is run, in this order")
	namespace := flag.String("namespace", "default", "where objects are made")
	writes := flag.Int("writes", 20, "how often each of two writers changes one object")
	patience := flag.Duration("patience", 20*time.Second, "how long what has to happen may take")
	flag.Parse()

	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		log.Fatal(err)
	}
	config.QPS, config.Burst = 200, 200
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	suffix := ""
	if *cluster != "" {
		suffix = ".clusterspace." + *cluster
	}
	b := &bench{ctx, config, *namespace, suffix, map[string]bool{}, *patience}
	known := map[string]func(){
		"typed":     b.typed,
		"eviction":  b.eviction,
		"dynamic":   b.dynamic,
		"metadata":  b.metadata,
		"conflict":  func() { b.conflict(*writes) },
		"informers": b.informers,
		"election":  b.election,
		"apply":     b.apply,
		"clusters":  b.clusters,
	}
	for client := range strings.SplitSeq(*wanted, ",") {
		run, ok := known[client]
		if !ok {
			log.Fatalf("no client is called %q", client)
		}
		run()
	}
}
