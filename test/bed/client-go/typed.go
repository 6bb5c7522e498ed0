package main

import (
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	appsapply "k8s.io/client-go/applyconfigurations/apps/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"
)

func container() corev1.Container {
	return corev1.Container{Name: "main", Image: "example.dev/image:1"}
}

func podTemplate() corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "typed"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{container()}},
	}
}

func (b *bench) typed() {
	deployments := kubernetes.NewForConfigOrDie(b.protobuf()).AppsV1().Deployments(b.namespace)
	name := b.named("typed")
	var made *appsv1.Deployment
	// None, so that no controller writes between two steps.
	none := int32(0)

	b.step("typed", "create", func() (err error) {
		made, err = deployments.Create(b.ctx, &appsv1.Deployment{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: appsv1.DeploymentSpec{
				Paused:   true,
				Replicas: &none,
				Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "typed"}},
				Template: podTemplate(),
			},
		}, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		return expect("the name", made.Name, name)
	})
	b.step("typed", "create again", func() error {
		_, err := deployments.Create(b.ctx, &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: made.Spec}, metav1.CreateOptions{})
		if !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("wanted AlreadyExists, got %v", err)
		}
		return nil
	})
	b.step("typed", "get", func() error {
		got, err := deployments.Get(b.ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		return expect("the name", got.Name, name)
	})
	b.step("typed", "list", func() error {
		list, err := deployments.List(b.ctx, metav1.ListOptions{LabelSelector: "app!=other"})
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
	b.step("typed", "update what a get gave", func() error {
		// The controller of Deployments writes them, too.
		return retry.RetryOnConflict(retry.DefaultRetry, func() error {
			got, err := deployments.Get(b.ctx, name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			got.Labels = map[string]string{"turn": "1"}
			got, err = deployments.Update(b.ctx, got, metav1.UpdateOptions{})
			if err != nil {
				return err
			}
			return expect("the label", got.Labels["turn"], "1")
		})
	})
	b.step("typed", "update with the version of a list that is older than the object", func() error {
		list, err := deployments.List(b.ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		later := []byte(`{"metadata":{"labels":{"turn":"later"}}}`)
		if _, err = deployments.Patch(b.ctx, name, types.MergePatchType, later, metav1.PatchOptions{}); err != nil {
			return err
		}
		made.ResourceVersion = list.ResourceVersion
		_, err = deployments.Update(b.ctx, made, metav1.UpdateOptions{})
		if !apierrors.IsConflict(err) {
			return fmt.Errorf("wanted a conflict, got %v", err)
		}
		return nil
	})
	for kind, patch := range map[types.PatchType]string{
		types.StrategicMergePatchType: `{"metadata":{"labels":{"turn":"2"}}}`,
		types.MergePatchType:          `{"metadata":{"name":"` + name + `","labels":{"turn":"3"}}}`,
		types.JSONPatchType:           `[{"op":"test","path":"/metadata/name","value":"` + name + `"},{"op":"add","path":"/metadata/labels/turn","value":"4"}]`,
	} {
		b.step("typed", "patch by "+string(kind), func() error {
			got, err := deployments.Patch(b.ctx, name, kind, []byte(patch), metav1.PatchOptions{})
			if err != nil {
				return err
			}
			return expect("the name", got.Name, name)
		})
	}
	b.step("typed", "apply", func() error {
		applied, err := deployments.Apply(b.ctx,
			appsapply.Deployment(name, b.namespace).WithLabels(map[string]string{"applied": "yes"}),
			metav1.ApplyOptions{FieldManager: "client-go", Force: true})
		if err != nil {
			return err
		}
		return expect("the name", applied.Name, name)
	})
	b.step("typed", "scale", func() error {
		scale, err := deployments.GetScale(b.ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		scale.Spec.Replicas = 3
		if scale, err = deployments.UpdateScale(b.ctx, name, scale, metav1.UpdateOptions{}); err != nil {
			return err
		}
		return expect("the scale", fmt.Sprint(scale.Name, scale.Spec.Replicas), fmt.Sprint(name, 3))
	})
	b.step("typed", "delete what was not seen", func() error {
		uid := types.UID("11111111-1111-4111-8111-111111111111")
		err := deployments.Delete(b.ctx, name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid}})
		if !apierrors.IsConflict(err) {
			return fmt.Errorf("wanted a conflict, got %v", err)
		}
		return nil
	})
	b.step("typed", "delete", func() error {
		if err := deployments.Delete(b.ctx, name, metav1.DeleteOptions{}); err != nil {
			return err
		}
		_, err := deployments.Get(b.ctx, name, metav1.GetOptions{})
		var status apierrors.APIStatus
		if !apierrors.IsNotFound(err) || !errors.As(err, &status) {
			return fmt.Errorf("wanted NotFound, got %v", err)
		}
		return expect("the name in the error", status.Status().Details.Name, name)
	})
}

func (b *bench) eviction() {
	pods := kubernetes.NewForConfigOrDie(b.protobuf()).CoreV1().Pods(b.namespace)
	name := b.named("evicted")
	b.step("typed", "create a pod", func() error {
		// Nobody schedules it, so that it is gone at once.
		spec := corev1.PodSpec{SchedulerName: "nobody", Containers: []corev1.Container{container()}}
		_, err := pods.Create(b.ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: spec}, metav1.CreateOptions{})
		return err
	})
	b.step("typed", "evict", func() error {
		eviction := &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: b.namespace}}
		if err := pods.EvictV1(b.ctx, eviction); err != nil {
			return err
		}
		if _, err := pods.Get(b.ctx, name, metav1.GetOptions{}); !apierrors.IsNotFound(err) {
			return fmt.Errorf("wanted NotFound, got %v", err)
		}
		return nil
	})
}
