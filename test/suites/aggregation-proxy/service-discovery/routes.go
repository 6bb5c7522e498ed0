package main

import (
	"context"
	"encoding/json"
	"io"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// On pods that are done: the address that the route leads to.
const mark = "discovery/routed"

// A route that was made, or with no address one that was removed.
type line struct {
	Pod     string `json:"pod"`
	Address string `json:"address,omitempty"`
	UID     string `json:"uid,omitempty"`
}

// One reconciler works at a time, so nothing here is locked.
type routes struct {
	client client.Client
	lines  *json.Encoder
	known  map[string]bool
}

func newRoutes(client client.Client, to io.Writer) *routes {
	return &routes{client, json.NewEncoder(to), map[string]bool{}}
}

func (r *routes) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	name := request.String()
	pod := &corev1.Pod{}
	err := r.client.Get(ctx, request.NamespacedName, pod)
	if apierrors.IsNotFound(err) {
		if !r.known[name] {
			return reconcile.Result{}, nil
		}
		delete(r.known, name)
		return reconcile.Result{}, r.lines.Encode(line{Pod: name})
	}
	if err != nil || pod.Status.PodIP == "" || pod.Annotations[mark] != "" || pod.DeletionTimestamp != nil {
		return reconcile.Result{}, err
	}
	// With the version that was seen: a pod that changed meanwhile comes again.
	before := client.MergeFromWithOptions(pod.DeepCopy(), client.MergeFromWithOptimisticLock{})
	if pod.Annotations == nil {
		pod.Annotations = map[string]string{}
	}
	pod.Annotations[mark] = pod.Status.PodIP
	if err := r.client.Patch(ctx, pod, before); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	r.known[name] = true
	return reconcile.Result{}, r.lines.Encode(line{name, pod.Status.PodIP, string(pod.UID)})
}
