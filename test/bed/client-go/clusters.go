package main

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
)

var kubesphereClusters = schema.GroupVersionResource{Group: "cluster.kubesphere.io", Version: "v1alpha1", Resource: "clusters"}
var karmadaClusters = schema.GroupVersionResource{Group: "cluster.karmada.io", Version: "v1alpha1", Resource: "clusters"}

// Clusters in KubeSphere's form and in Karmada's, which are the same objects: an informer of each holds what is written to either.
func (b *bench) clusters() {
	untyped := dynamic.NewForConfigOrDie(b.config)
	factory := dynamicinformer.NewDynamicSharedInformerFactory(untyped, 0)
	all := []*followed{
		{"kubesphere", untyped.Resource(kubesphereClusters), factory.ForResource(kubesphereClusters).Informer(), &told{state: state{}}},
		{"karmada", untyped.Resource(karmadaClusters), factory.ForResource(karmadaClusters).Informer(), &told{state: state{}}},
	}
	ctx, stop := context.WithCancel(b.ctx)
	defer stop()
	b.step("clusters", "sync", func() error {
		for _, one := range all {
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
	b.step("clusters", "hold what is there", func() error { return b.agree(all) })
	b.step("clusters", "hold what either face writes", func() error {
		for i := range 6 {
			object := &unstructured.Unstructured{Object: map[string]any{
				"apiVersion": "cluster.kubesphere.io/v1alpha1",
				"kind":       "Cluster",
				"metadata":   map[string]any{"name": fmt.Sprint("informed-", i)},
				"spec":       map[string]any{"connection": map[string]any{"type": "proxy"}},
			}}
			if _, err := all[0].resource.Create(b.ctx, object, metav1.CreateOptions{}); err != nil {
				return err
			}
			patch := []byte(`{"spec":{"provider":"changed"}}`)
			if _, err := all[i%2].resource.Patch(b.ctx, object.GetName(), types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
				return err
			}
			if i >= 3 {
				if err := all[i%2].resource.Delete(b.ctx, object.GetName(), metav1.DeleteOptions{}); err != nil {
					return err
				}
			}
		}
		return b.until(func() error {
			for _, one := range all {
				for _, object := range one.informer.GetStore().List() {
					provider, _, _ := unstructured.NestedString(object.(*unstructured.Unstructured).Object, "spec", "provider")
					if name := object.(*unstructured.Unstructured).GetName(); len(name) > 8 && name[:8] == "informed" && provider != "changed" {
						return fmt.Errorf("%s holds the provider %q of %q", one.name, provider, name)
					}
				}
				if held := len(one.informer.GetStore().ListKeys()); held < 3 {
					return fmt.Errorf("%s holds %d", one.name, held)
				}
			}
			return b.agree(all)
		})
	})
	b.step("clusters", "delete", func() error {
		for i := range 3 {
			if err := all[0].resource.Delete(b.ctx, fmt.Sprint("informed-", i), metav1.DeleteOptions{}); err != nil {
				return err
			}
		}
		return b.agree(all)
	})
}
