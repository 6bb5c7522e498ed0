package main

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
)

// The metadata client makes nothing, so another one does.
func (b *bench) metadata() {
	maps := metadata.NewForConfigOrDie(b.config).Resource(configMaps).Namespace(b.namespace)
	name := b.named("metadata")
	check := func(got *metav1.PartialObjectMetadata, err error) error {
		if err != nil {
			return err
		}
		return expect("the name", got.Name, name)
	}
	b.step("metadata", "create", func() error {
		all := dynamic.NewForConfigOrDie(b.config).Resource(configMaps).Namespace(b.namespace)
		_, err := all.Create(b.ctx, b.configMap(name, nil), metav1.CreateOptions{})
		return err
	})
	b.step("metadata", "get", func() error { return check(maps.Get(b.ctx, name, metav1.GetOptions{})) })
	b.step("metadata", "list", func() error {
		list, err := maps.List(b.ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for _, one := range list.Items {
			if one.Name == name {
				return nil
			}
		}
		return fmt.Errorf("%q is not in the list", name)
	})
	b.step("metadata", "patch", func() error {
		patch := []byte(`{"metadata":{"labels":{"a":"b"}}}`)
		return check(maps.Patch(b.ctx, name, types.MergePatchType, patch, metav1.PatchOptions{}))
	})
	b.step("metadata", "delete", func() error { return maps.Delete(b.ctx, name, metav1.DeleteOptions{}) })
}
