// The aggregation proxy proposal's first story: a controller of a service discovery of one's own. It lists and watches pods,
// keeps a route to the address of each, and marks the pods it is done with by a patch. Each change of a route is a line of JSON
// on standard output. It ends with standard input.
package main

import (
	"context"
	"flag"
	"io"
	"log"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func main() {
	at := flag.String("at", "", "path of the server behind its address, such as that of the aggregation endpoint")
	selector := flag.String("selector", "", "labels of the pods that have routes")
	// The flag kubeconfig is controller-runtime's own.
	flag.Parse()
	ctrl.SetLogger(zap.New(zap.WriteTo(os.Stderr)))

	config, err := clientcmd.BuildConfigFromFlags("", flag.Lookup("kubeconfig").Value.String())
	if err != nil {
		log.Fatal(err)
	}
	config.Host += *at
	config.QPS = -1
	selected, err := labels.Parse(*selector)
	if err != nil {
		log.Fatal(err)
	}
	// A reflector that waits between two tries does not hear that it should end.
	grace := 90 * time.Second
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Metrics:                 server.Options{BindAddress: "0"},
		GracefulShutdownTimeout: &grace,
		Cache:                   cache.Options{ByObject: map[client.Object]cache.ByObject{&corev1.Pod{}: {Label: selected}}},
	})
	if err != nil {
		log.Fatal(err)
	}
	err = ctrl.NewControllerManagedBy(manager).
		For(&corev1.Pod{}).
		WithOptions(controller.Options{
			RateLimiter: workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](50*time.Millisecond, 2*time.Second),
		}).
		Complete(newRoutes(manager.GetClient(), os.Stdout))
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	if err := manager.Start(ctx); err != nil {
		log.Fatal(err)
	}
}
