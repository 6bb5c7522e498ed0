package main

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

var widgets = schema.GroupVersionResource{Group: "clients.example.dev", Version: "v1", Resource: "widgets"}
var definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// Names and versions.
type state map[string]string

// What the handlers of one informer were told, one after the other.
type told struct {
	sync.Mutex
	state  state
	wrongs []string
}

func (t *told) see(what string, object any, isKnown bool) {
	if gone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = gone.Obj
	}
	one, err := meta.Accessor(object)
	t.Lock()
	defer t.Unlock()
	if err != nil {
		t.wrongs = append(t.wrongs, err.Error())
		return
	}
	if _, known := t.state[one.GetName()]; known != isKnown {
		t.wrongs = append(t.wrongs, fmt.Sprintf("%s of %q, which is known: %t", what, one.GetName(), known))
	}
	if what == "delete" {
		delete(t.state, one.GetName())
	} else {
		t.state[one.GetName()] = one.GetResourceVersion()
	}
}

func (t *told) OnAdd(object any, _ bool) { t.see("add", object, false) }
func (t *told) OnUpdate(_, object any)   { t.see("update", object, true) }
func (t *told) OnDelete(object any)      { t.see("delete", object, true) }

type followed struct {
	name     string
	resource dynamic.ResourceInterface
	informer cache.SharedIndexInformer
	told     *told
}

// Informers of typed, dynamic and custom objects, by WatchList or by list and watch as the environment says. What they hold is
// what another client reads.
func (b *bench) informers() {
	untyped := dynamic.NewForConfigOrDie(b.config)
	typedFactory := informers.NewSharedInformerFactoryWithOptions(
		kubernetes.NewForConfigOrDie(b.protobuf()), 0, informers.WithNamespace(b.namespace))
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(untyped, 0, b.namespace, nil)
	all := []*followed{
		{"typed", untyped.Resource(configMaps).Namespace(b.namespace), typedFactory.Core().V1().ConfigMaps().Informer(), nil},
		{"dynamic", untyped.Resource(configMaps).Namespace(b.namespace), factory.ForResource(configMaps).Informer(), nil},
		{"custom", untyped.Resource(widgets).Namespace(b.namespace), factory.ForResource(widgets).Informer(), nil},
	}
	ctx, stop := context.WithCancel(b.ctx)
	defer stop()

	b.step("informers", "define", func() error { return b.define(untyped) })
	b.step("informers", "sync", func() error {
		for _, one := range all {
			if err := b.change(one.resource, one.name+"-before", 3); err != nil {
				return err
			}
			one.told = &told{state: state{}}
			if _, err := one.informer.AddEventHandler(one.told); err != nil {
				return err
			}
			go one.informer.RunWithContext(ctx)
		}
		deadline, cancel := context.WithTimeout(ctx, b.patience)
		defer cancel()
		for _, one := range all {
			if !cache.WaitForCacheSync(deadline.Done(), one.informer.HasSynced) {
				return fmt.Errorf("%s does not come to what is there", one.name)
			}
		}
		return nil
	})
	b.step("informers", "hold what is there", func() error { return b.agree(all) })
	b.step("informers", "hold what is changed", func() error {
		for _, one := range all {
			if err := b.change(one.resource, one.name+"-after", 10); err != nil {
				return err
			}
		}
		return b.agree(all)
	})
}

func (b *bench) define(untyped dynamic.Interface) error {
	definition := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1",
		"kind":       "CustomResourceDefinition",
		"metadata":   map[string]any{"name": widgets.Resource + "." + widgets.Group},
		"spec": map[string]any{
			"group": widgets.Group,
			"scope": "Namespaced",
			"names": map[string]any{"plural": widgets.Resource, "kind": "Widget"},
			"versions": []any{map[string]any{
				"name": widgets.Version, "served": true, "storage": true,
				"schema": map[string]any{"openAPIV3Schema": map[string]any{
					"type":       "object",
					"properties": map[string]any{"data": map[string]any{"type": "object", "additionalProperties": map[string]any{"type": "string"}}},
				}},
			}},
		},
	}}
	_, err := untyped.Resource(definitions).Create(b.ctx, definition, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	return b.until(func() error {
		_, err := untyped.Resource(widgets).Namespace(b.namespace).List(b.ctx, metav1.ListOptions{})
		return err
	})
}

// Makes some, changes all of them, deletes every second one.
func (b *bench) change(resource dynamic.ResourceInterface, name string, count int) error {
	for i := range count {
		object := b.configMap(fmt.Sprint(name, "-", i), map[string]any{"a": "1"})
		if name[0] == 'c' {
			object.SetAPIVersion(widgets.GroupVersion().String())
			object.SetKind("Widget")
		}
		if _, err := resource.Create(b.ctx, object, metav1.CreateOptions{}); err != nil {
			return err
		}
		patch := []byte(`{"data":{"a":"2"}}`)
		if _, err := resource.Patch(b.ctx, object.GetName(), types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
			return err
		}
		if i%2 == 1 {
			if err := resource.Delete(b.ctx, object.GetName(), metav1.DeleteOptions{}); err != nil {
				return err
			}
		}
	}
	return nil
}

// The store, and what the handlers were told, are what a list says.
func (b *bench) agree(all []*followed) error {
	for _, one := range all {
		if err := b.until(func() error {
			list, err := one.resource.List(b.ctx, metav1.ListOptions{})
			if err != nil {
				return err
			}
			there := state{}
			for _, object := range list.Items {
				there[object.GetName()] = object.GetResourceVersion()
			}
			held := state{}
			for _, object := range one.informer.GetStore().List() {
				accessor, err := meta.Accessor(object)
				if err != nil {
					return err
				}
				if typed, ok := object.(*corev1.ConfigMap); ok && typed.Name != "kube-root-ca.crt" && typed.Data["a"] != "2" {
					return fmt.Errorf("%s holds %v of %q", one.name, typed.Data, typed.Name)
				}
				held[accessor.GetName()] = accessor.GetResourceVersion()
			}
			one.told.Lock()
			defer one.told.Unlock()
			if len(there) == 0 || !maps.Equal(there, held) || !maps.Equal(there, one.told.state) {
				return fmt.Errorf("%s: there is %v, it holds %v, its handlers were told of %v", one.name, there, held, one.told.state)
			}
			if len(one.told.wrongs) > 0 {
				return fmt.Errorf("%s was told: %v", one.name, one.told.wrongs)
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// The last failure, if it does not end.
func (b *bench) until(done func() error) error {
	var last error
	err := wait.PollUntilContextTimeout(b.ctx, 50*time.Millisecond, b.patience, true, func(context.Context) (bool, error) {
		last = done()
		return last == nil, nil
	})
	if err != nil {
		return last
	}
	return nil
}
