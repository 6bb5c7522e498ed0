// client-go against one cluster of a merged view, by suffixed names: typed (protobuf), dynamic and metadata clients, and
// two writers of one object. Each step is a line of JSON on standard output.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

type bench struct {
	ctx       context.Context
	config    *rest.Config
	namespace string
	// `.clusterspace.m1`, put behind the names of objects.
	suffix string
	failed map[string]bool
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

func (b *bench) named(name string) string { return name + b.suffix }

// What the client sent must be what it gets: kubectl wait, delete and apply compare the two.
func expect(what, got, wanted string) error {
	if got == wanted {
		return nil
	}
	return fmt.Errorf("%s is %q instead of %q", what, got, wanted)
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "how to reach the merged view")
	cluster := flag.String("cluster", "", "the cluster that names carry")
	namespace := flag.String("namespace", "default", "where objects are made")
	writes := flag.Int("writes", 20, "how often each of two writers changes one object")
	flag.Parse()

	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		log.Fatal(err)
	}
	config.QPS, config.Burst = 200, 200
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	b := &bench{ctx, config, *namespace, ".clusterspace." + *cluster, map[string]bool{}}
	b.typed()
	b.dynamic()
	b.metadata()
	b.conflict(*writes)
}
