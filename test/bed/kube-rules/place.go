package main

import (
	"context"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/user"
	apirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/warning"
)

// place is where a request goes: the path of its URL.
type place struct {
	resource
	kind        schema.GroupVersionKind
	namespace   string
	subresource string
}

// placeOf takes what the line does not name from its object.
func placeOf(asked request) (place, error) {
	var head struct {
		metav1.TypeMeta `json:",inline"`
		Metadata        struct{ Namespace string }
	}
	object := asked.Object
	if object == nil {
		object = asked.Old
	}
	if asked.APIVersion == "" || asked.Kind == "" || asked.Namespace == "" {
		// an object that cannot be read is answered with a Status; a line that names all it needs gets there
		if err := json.Unmarshal(object, &head); err != nil && (asked.APIVersion == "" || asked.Kind == "") {
			return place{}, fmt.Errorf("apiVersion and kind are not in the line, and the object cannot be read: %w", err)
		}
	}
	group, err := schema.ParseGroupVersion(first(asked.APIVersion, head.APIVersion))
	if err != nil {
		return place{}, err
	}
	kind := group.WithKind(first(asked.Kind, head.Kind))
	found, ok := resources[kind.GroupKind().String()]
	if !ok {
		return place{}, fmt.Errorf("no strategy of %s", kind.GroupKind())
	}
	namespace := ""
	if found.strategy.NamespaceScoped() {
		namespace = first(asked.Namespace, head.Metadata.Namespace, metav1.NamespaceDefault)
	}
	return place{found, kind, namespace, asked.Subresource}, nil
}

func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// context is that of a request by a cluster's administrator.
func (p place) context(verb string, result *answer) context.Context {
	ctx := apirequest.WithNamespace(context.Background(), p.namespace)
	ctx = apirequest.WithUser(ctx, &user.DefaultInfo{Name: "admin", Groups: []string{user.SystemPrivilegedGroup}})
	ctx = apirequest.WithRequestInfo(ctx, &apirequest.RequestInfo{
		IsResourceRequest: true,
		Verb:              verb,
		APIGroup:          p.kind.Group,
		APIVersion:        p.kind.Version,
		Namespace:         p.namespace,
		Resource:          p.name,
		Subresource:       p.subresource,
	})
	return warning.WithWarningRecorder(ctx, result)
}
