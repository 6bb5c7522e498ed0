package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

var configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
var widgets = schema.GroupVersionResource{Group: "example.fleet", Version: "v1", Resource: "widgets"}

// One informer, and what is noted of it.
type watched struct {
	name     string
	informer cache.SharedIndexInformer
	history  *history
}

func watchAll(config *rest.Config, report *report) []*watched {
	typed := kubernetes.NewForConfigOrDie(config)
	untyped := dynamic.NewForConfigOrDie(config)
	slim := metadata.NewForConfigOrDie(config)
	return []*watched{
		newWatched("typed", report, typed, &corev1.ConfigMap{},
			func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
				return typed.CoreV1().ConfigMaps("").List(ctx, options)
			}, typed.CoreV1().ConfigMaps("").Watch),
		newWatched("dynamic", report, untyped, &unstructured.Unstructured{},
			func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
				return untyped.Resource(configMaps).List(ctx, options)
			}, untyped.Resource(configMaps).Watch),
		newWatched("metadata", report, slim, &metav1.PartialObjectMetadata{},
			func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
				return slim.Resource(configMaps).List(ctx, options)
			}, slim.Resource(configMaps).Watch),
		newWatched("custom", report, untyped, &unstructured.Unstructured{},
			func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
				return untyped.Resource(widgets).List(ctx, options)
			}, untyped.Resource(widgets).Watch),
	}
}

// An informer as client-go's factories make it, but for the stream, which is looked at on its way.
func newWatched(name string, report *report, client any, example runtime.Object, list cache.ListWithContextFunc, open cache.WatchFuncWithContext) *watched {
	lists := &cache.ListWatch{
		ListWithContextFunc: list,
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			stream, err := open(ctx, options)
			if err != nil {
				return nil, err
			}
			order := newOrder(options)
			return watch.Filter(stream, func(event watch.Event) (watch.Event, bool) {
				for _, wrong := range order.see(event) {
					report.wrong(name, wrong)
				}
				return event, true
			}), nil
		},
	}
	informer := cache.NewSharedIndexInformer(
		cache.ToListWatcherWithWatchListSemantics(lists, client), example, 0, cache.Indexers{})
	one := &watched{name, informer, newHistory(name, report)}
	if _, err := informer.AddEventHandler(one.history); err != nil {
		panic(err)
	}
	return one
}
