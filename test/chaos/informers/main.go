// Informers over a view of many clusters: typed, dynamic and metadata clients. Whether they list and watch or use
// WatchList is client-go's own feature gate (KUBE_FEATURE_WatchListClient). Standard output tells in lines of JSON what no
// informer should see, and what is asked for on standard input. They end with standard input.
package main

import (
	"context"
	"flag"
	"log"
	"os"
	"sync"

	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "how to reach the view")
	at := flag.String("at", "", "the view's path behind the server's address, such as /clusterspaces/member1")
	flag.Parse()

	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		log.Fatal(err)
	}
	config.Host += *at
	// Waiting for the client's own limits would look like a slow server.
	config.QPS = -1

	report := newReport(os.Stdout)
	watched := watchAll(config, report)
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, one := range watched {
		running.Go(func() { one.informer.RunWithContext(ctx) })
	}
	answer(os.Stdin, watched, report)
	stop()
	running.Wait()
}
