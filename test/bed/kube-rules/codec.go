package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

var (
	jsonForm, _     = runtime.SerializerInfoForMediaType(legacyscheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	protobufForm, _ = runtime.SerializerInfoForMediaType(legacyscheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
)

// decoded is the internal object with its defaults, as kube-apiserver's handlers decode a body.
func (p place) decoded(ctx context.Context, body json.RawMessage, fieldValidation string) (runtime.Object, error) {
	form := jsonForm.StrictSerializer
	if fieldValidation == metav1.FieldValidationIgnore {
		form = jsonForm.Serializer
	}
	hub := schema.GroupVersion{Group: p.kind.Group, Version: runtime.APIVersionInternal}
	kind := p.kind
	object, found, err := legacyscheme.Codecs.DecoderToVersion(form, hub).Decode(body, &kind, nil)
	if strict, ok := runtime.AsStrictDecodingError(err); ok && object != nil && fieldValidation == metav1.FieldValidationWarn {
		for _, err := range strict.Errors() {
			warning.AddWarning(ctx, "", err.Error())
		}
	} else if err != nil {
		if found == nil {
			found = &p.kind
		}
		text := fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", found.Kind, found.Version, p.kind.Kind, err)
		return nil, apierrors.NewBadRequest(text)
	}
	if found.GroupKind() != p.kind.GroupKind() {
		text := fmt.Sprintf("%s in version %q cannot be handled as a %s", found.Kind, found.Version, p.kind.Kind)
		return nil, apierrors.NewBadRequest(text)
	}
	return object, nil
}

// kept is the object as it comes back from the store: without empty lists, which protobuf does not know, and what is missing
// has its defaults again. The version that is stored is the first of its group.
func (p place) kept(object runtime.Object) (runtime.Object, error) {
	version := legacyscheme.Scheme.PrioritizedVersionsForGroup(p.kind.Group)[0]
	hub := schema.GroupVersion{Group: p.kind.Group, Version: runtime.APIVersionInternal}
	codec := legacyscheme.Codecs.CodecForVersions(protobufForm.Serializer, protobufForm.Serializer, version, hub)
	text, err := runtime.Encode(codec, object)
	if err != nil {
		return nil, err
	}
	return runtime.Decode(codec, text)
}

// encoded is the object in the version of the request.
func (p place) encoded(object runtime.Object) (json.RawMessage, error) {
	var text bytes.Buffer
	err := legacyscheme.Codecs.EncoderForVersion(jsonForm.Serializer, p.kind.GroupVersion()).Encode(object, &text)
	return bytes.TrimSpace(text.Bytes()), err
}
