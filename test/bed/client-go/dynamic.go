package main

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
)

var configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}

func (b *bench) configMap(name string, data map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1",
		"kind":       "ConfigMap",
		"metadata":   map[string]any{"name": name, "namespace": b.namespace},
		"data":       data,
	}}
}

func (b *bench) dynamic() {
	maps := dynamic.NewForConfigOrDie(b.config).Resource(configMaps).Namespace(b.namespace)
	name := b.named("dynamic")
	check := func(got *unstructured.Unstructured, err error) error {
		if err != nil {
			return err
		}
		return expect("the name", got.GetName(), name)
	}
	b.step("dynamic", "create", func() error {
		return check(maps.Create(b.ctx, b.configMap(name, map[string]any{"a": "1"}), metav1.CreateOptions{}))
	})
	b.step("dynamic", "get", func() error { return check(maps.Get(b.ctx, name, metav1.GetOptions{})) })
	b.step("dynamic", "list by name", func() error {
		list, err := maps.List(b.ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + name})
		if err != nil {
			return err
		}
		if len(list.Items) != 1 {
			return fmt.Errorf("%d objects instead of one", len(list.Items))
		}
		return check(&list.Items[0], nil)
	})
	b.step("dynamic", "update", func() error {
		got, err := maps.Get(b.ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if err := unstructured.SetNestedField(got.Object, "2", "data", "a"); err != nil {
			return err
		}
		return check(maps.Update(b.ctx, got, metav1.UpdateOptions{}))
	})
	b.step("dynamic", "patch", func() error {
		return check(maps.Patch(b.ctx, name, types.MergePatchType, []byte(`{"data":{"b":"3"}}`), metav1.PatchOptions{}))
	})
	b.step("dynamic", "apply", func() error {
		applied := b.configMap(name, map[string]any{"c": "4"})
		return check(maps.Apply(b.ctx, name, applied, metav1.ApplyOptions{FieldManager: "client-go"}))
	})
	b.step("dynamic", "apply what is not there yet", func() error {
		fresh := b.named("dynamic-applied")
		got, err := maps.Apply(b.ctx, fresh, b.configMap(fresh, nil), metav1.ApplyOptions{FieldManager: "client-go"})
		if err != nil {
			return err
		}
		return expect("the name", got.GetName(), fresh)
	})
	b.step("dynamic", "delete", func() error { return maps.Delete(b.ctx, name, metav1.DeleteOptions{}) })
}
