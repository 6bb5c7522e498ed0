package main

import (
	"context"
	"errors"
	"maps"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const (
	infix = ".clusterspace."
	// On sources `true`, on copies `copy`.
	label = "mirror"
	// On copies: the name of the source, with its cluster.
	annotation = "mirror/source"
)

type mirror struct {
	client   client.Client
	clusters []string
}

// A copy that changes or goes is its source's concern.
func sourceOf(_ context.Context, object client.Object) []reconcile.Request {
	name := object.GetName()
	if object.GetLabels()[label] == "copy" {
		name = object.GetAnnotations()[annotation]
	}
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: object.GetNamespace(), Name: name}}}
}

func (m *mirror) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	at := strings.LastIndex(request.Name, infix)
	if at < 0 {
		return reconcile.Result{}, reconcile.TerminalError(errors.New("no cluster in " + request.Name))
	}
	name, home := request.Name[:at], request.Name[at+len(infix):]
	source := &corev1.ConfigMap{}
	err := m.client.Get(ctx, request.NamespacedName, source)
	if client.IgnoreNotFound(err) != nil {
		return reconcile.Result{}, err
	}
	isWanted := err == nil && source.Labels[label] == "true" && source.DeletionTimestamp == nil
	var failures []error
	for _, cluster := range m.clusters {
		if cluster == home {
			continue
		}
		copied := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
			Namespace:   request.Namespace,
			Name:        name + "-of-" + home + infix + cluster,
			Labels:      map[string]string{label: "copy"},
			Annotations: map[string]string{annotation: request.Name},
		}, Data: source.Data}
		if isWanted {
			failures = append(failures, m.make(ctx, copied))
		} else {
			failures = append(failures, m.remove(ctx, copied))
		}
	}
	// One that is away does not keep the others from theirs.
	return reconcile.Result{}, errors.Join(failures...)
}

func (m *mirror) make(ctx context.Context, wanted *corev1.ConfigMap) error {
	found := &corev1.ConfigMap{}
	err := m.client.Get(ctx, client.ObjectKeyFromObject(wanted), found)
	if apierrors.IsNotFound(err) {
		return m.client.Create(ctx, wanted)
	}
	if err != nil || maps.Equal(found.Data, wanted.Data) {
		return err
	}
	// With the version that the view showed: who writes on old knowledge is told so, and comes again.
	found.Data = wanted.Data
	return m.client.Update(ctx, found)
}

func (m *mirror) remove(ctx context.Context, copied *corev1.ConfigMap) error {
	if err := m.client.Get(ctx, client.ObjectKeyFromObject(copied), copied); err != nil {
		return client.IgnoreNotFound(err)
	}
	return client.IgnoreNotFound(m.client.Delete(ctx, copied, client.Preconditions{UID: &copied.UID}))
}
