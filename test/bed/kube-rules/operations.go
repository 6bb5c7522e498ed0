package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
)

// What kube-apiserver sets in the metadata of a new object, the same each time, so that answers can be compared.
const uid = "00000000-0000-4000-8000-000000000001"

var creation = metav1.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

func (p place) answer(asked request, result *answer) error {
	ctx := p.context(asked.Op, result)
	var object runtime.Object
	var err error
	switch asked.Op {
	case "default":
		object, err = p.decoded(ctx, asked.Object, asked.FieldValidation)
	case "create":
		object, err = p.created(ctx, asked.Object, asked.FieldValidation)
	case "updateStatus":
		p.subresource = "status"
		object, err = p.updated(p.context("update", result), asked)
	case "update":
		object, err = p.updated(ctx, asked)
	case "delete":
		object, err = p.deleted(ctx, asked, result)
	default:
		err = apierrors.NewBadRequest(fmt.Sprintf("no such op: %q", asked.Op))
	}
	if err != nil {
		return err
	}
	result.Object, err = p.encoded(object)
	return err
}

// created does what the handler and the store do before the object is stored.
func (p place) created(ctx context.Context, body json.RawMessage, fieldValidation string) (runtime.Object, error) {
	object, err := p.decoded(ctx, body, fieldValidation)
	if err != nil {
		return nil, err
	}
	metadata, err := meta.Accessor(object)
	if err != nil {
		return nil, err
	}
	rest.WipeObjectMetaSystemFields(metadata)
	if err := rest.EnsureObjectNamespaceMatchesRequestNamespace(p.namespace, metadata); err != nil {
		return nil, err
	}
	metadata.SetUID(uid)
	metadata.SetCreationTimestamp(creation)
	if metadata.GetGenerateName() != "" && metadata.GetName() == "" {
		metadata.SetName(metadata.GetGenerateName() + "xxxxx")
	}
	if err := rest.BeforeCreate(p.strategy, ctx, object); err != nil {
		return nil, err
	}
	return p.kept(object)
}

// oldRefused is of a line whose old object could not have been stored.
type oldRefused struct{ cause error }

func (e oldRefused) Error() string { return "old is refused: " + e.cause.Error() }

// stored is the object that a request finds. Warnings of its creation are none of the request's.
func (p place) stored(body json.RawMessage) (runtime.Object, error) {
	unheard := p.context("create", &answer{})
	object, err := p.decoded(unheard, body, metav1.FieldValidationIgnore)
	if err != nil {
		return nil, oldRefused{err}
	}
	metadata, err := meta.Accessor(object)
	if err != nil {
		return nil, err
	}
	if metadata.GetUID() == "" {
		if object, err = p.created(unheard, body, metav1.FieldValidationIgnore); err != nil {
			return nil, oldRefused{err}
		}
		metadata, err = meta.Accessor(object)
	}
	if metadata.GetResourceVersion() == "" {
		metadata.SetResourceVersion("1")
	}
	return object, err
}

func (p place) updated(ctx context.Context, asked request) (runtime.Object, error) {
	strategy, ok := rest.RESTUpdateStrategy(p.strategy), true
	if p.subresource != "" {
		strategy, ok = p.updates[p.subresource]
	}
	if !ok {
		return nil, apierrors.NewGenericServerResponse(404, "update", schema.GroupResource{Group: p.kind.Group, Resource: p.name}, "", "", 0, false)
	}
	old, err := p.stored(asked.Old)
	if err != nil {
		return nil, err
	}
	object, err := p.decoded(ctx, asked.Object, asked.FieldValidation)
	if err != nil {
		return nil, err
	}
	metadata, err := meta.Accessor(object)
	if err != nil {
		return nil, err
	}
	before, err := meta.Accessor(old)
	if err != nil {
		return nil, err
	}
	if name := before.GetName(); metadata.GetName() != name {
		text := fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)", metadata.GetName(), name)
		return nil, apierrors.NewBadRequest(text)
	}
	if metadata.GetResourceVersion() == "" {
		if !strategy.AllowUnconditionalUpdate() {
			missing := field.Invalid(field.NewPath("metadata", "resourceVersion"), 0, "must be specified for an update")
			// kube-apiserver has the resource stand where the kind should
			kind := schema.GroupKind{Group: p.kind.Group, Kind: p.name}
			return nil, apierrors.NewInvalid(kind, before.GetName(), field.ErrorList{missing})
		}
		metadata.SetResourceVersion(before.GetResourceVersion())
	}
	if err := rest.BeforeUpdate(strategy, ctx, object, old); err != nil {
		return nil, err
	}
	return p.kept(object)
}

func (p place) deleted(ctx context.Context, asked request, result *answer) (runtime.Object, error) {
	old, err := p.stored(asked.Old)
	if err != nil {
		return nil, err
	}
	options := asked.Options
	if options == nil {
		options = &metav1.DeleteOptions{}
	}
	graceful, pending, err := rest.BeforeDelete(p.strategy, ctx, old, options)
	result.Graceful, result.Pending = &graceful, &pending
	return old, err
}
