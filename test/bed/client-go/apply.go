package main

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	appsapply "k8s.io/client-go/applyconfigurations/apps/v1"
	coreapply "k8s.io/client-go/applyconfigurations/core/v1"
	metaapply "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Two managers apply what is theirs, with client-go's own types for it.
func (b *bench) apply() {
	clients := kubernetes.NewForConfigOrDie(b.config)
	all := clients.CoreV1().ConfigMaps(b.namespace)
	name := b.named("applied")
	put := func(manager string, force bool, data map[string]string) (*corev1.ConfigMap, error) {
		return all.Apply(b.ctx, coreapply.ConfigMap(name, b.namespace).WithData(data), metav1.ApplyOptions{FieldManager: manager, Force: force})
	}
	// What was answered, and what another read says.
	has := func(got *corev1.ConfigMap, err error, wanted map[string]string) error {
		if err != nil {
			return err
		}
		read, err := all.Get(b.ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		return expect("the data", fmt.Sprint(got.Data, read.Data), fmt.Sprint(wanted, wanted))
	}

	b.step("apply", "create", func() error {
		got, err := put("one", false, map[string]string{"a": "1", "b": "1"})
		return has(got, err, map[string]string{"a": "1", "b": "1"})
	})
	b.step("apply", "beside another manager", func() error {
		got, err := put("two", false, map[string]string{"c": "1"})
		return has(got, err, map[string]string{"a": "1", "b": "1", "c": "1"})
	})
	b.step("apply", "a conflict", func() error {
		_, err := put("two", false, map[string]string{"a": "2", "c": "1"})
		if !apierrors.IsConflict(err) || !strings.Contains(err.Error(), `conflict with "one": .data.a`) {
			return fmt.Errorf("wanted a conflict with the other manager, got %v", err)
		}
		return nil
	})
	b.step("apply", "by force", func() error {
		got, err := put("two", true, map[string]string{"a": "2", "c": "1"})
		return has(got, err, map[string]string{"a": "2", "b": "1", "c": "1"})
	})
	b.step("apply", "what is left out is gone", func() error {
		got, err := put("one", false, nil)
		return has(got, err, map[string]string{"a": "2", "c": "1"})
	})
	b.step("apply", "what was extracted", func() error {
		got, err := all.Get(b.ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		own, err := coreapply.ExtractConfigMap(got, "two")
		if err != nil {
			return err
		}
		if err := expect("what it owns", fmt.Sprint(own.Data), "map[a:2 c:1]"); err != nil {
			return err
		}
		own.Data["c"] = "2"
		got, err = all.Apply(b.ctx, own, metav1.ApplyOptions{FieldManager: "two"})
		return has(got, err, map[string]string{"a": "2", "c": "2"})
	})
	b.applyDeployment(clients)
}

func (b *bench) applyDeployment(clients kubernetes.Interface) {
	all := clients.AppsV1().Deployments(b.namespace)
	name := b.named("applied")
	labels := map[string]string{"app": "applied"}
	whole := func(container string) *appsapply.DeploymentApplyConfiguration {
		containers := coreapply.Container().WithName(container).WithImage("example.dev/" + container + ":1")
		template := coreapply.PodTemplateSpec().WithLabels(labels).WithSpec(coreapply.PodSpec().WithContainers(containers))
		return appsapply.Deployment(name, b.namespace).WithSpec(appsapply.DeploymentSpec().
			WithReplicas(0).WithSelector(metaapply.LabelSelector().WithMatchLabels(labels)).WithTemplate(template))
	}

	b.step("apply", "lists by key", func() error {
		for _, container := range []string{"one", "two"} {
			if _, err := all.Apply(b.ctx, whole(container), metav1.ApplyOptions{FieldManager: container}); err != nil {
				return err
			}
		}
		got, err := all.Get(b.ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		var names []string
		for _, container := range got.Spec.Template.Spec.Containers {
			names = append(names, container.Name)
		}
		return expect("the containers", fmt.Sprint(names), "[one two]")
	})
	b.step("apply", "status", func() error {
		status := appsapply.Deployment(name, b.namespace).
			WithSpec(appsapply.DeploymentSpec().WithReplicas(7)).
			WithStatus(appsapply.DeploymentStatus().WithCollisionCount(5))
		got, err := all.ApplyStatus(b.ctx, status, metav1.ApplyOptions{FieldManager: "status"})
		if err != nil {
			return err
		}
		return expect("replicas and collisions", fmt.Sprint(*got.Spec.Replicas, *got.Status.CollisionCount), "0 5")
	})
}
