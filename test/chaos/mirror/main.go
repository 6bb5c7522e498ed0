// A controller over a fleet, on the view of all clusters: a ConfigMap with the label mirror=true in one cluster has a copy
// in every other. It ends with standard input.
package main

import (
	"context"
	"flag"
	"io"
	"log"
	"os"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func main() {
	clusters := flag.String("clusters", "", "those that have copies, with commas between")
	// The flag kubeconfig is controller-runtime's own.
	flag.Parse()
	ctrl.SetLogger(zap.New(zap.WriteTo(os.Stderr)))

	kubeconfig := flag.Lookup("kubeconfig").Value.String()
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		log.Fatal(err)
	}
	config.QPS = -1
	labelled, err := labels.NewRequirement(label, selection.Exists, nil)
	if err != nil {
		log.Fatal(err)
	}
	// A reflector that waits between two tries of a WatchList, a minute at most, does not hear that it should end.
	grace := 90 * time.Second
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Metrics:                 server.Options{BindAddress: "0"},
		GracefulShutdownTimeout: &grace,
		Cache: cache.Options{ByObject: map[client.Object]cache.ByObject{
			&corev1.ConfigMap{}: {Label: labels.NewSelector().Add(*labelled)},
		}},
	})
	if err != nil {
		log.Fatal(err)
	}
	mirror := &mirror{manager.GetClient(), strings.Split(*clusters, ",")}
	err = ctrl.NewControllerManagedBy(manager).
		Named("mirror").
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(sourceOf)).
		WithOptions(controller.Options{
			MaxConcurrentReconciles: 4,
			// A cluster that was away for a while is not left alone for minutes.
			RateLimiter: workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](50*time.Millisecond, 2*time.Second),
		}).
		Complete(mirror)
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
