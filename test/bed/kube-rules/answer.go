package main

import (
	"encoding/json"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
)

// request is a line of the input. Without an op it is a create.
type request struct {
	Op         string          `json:"op"`
	APIVersion string          `json:"apiVersion"` // of the request's path; the object's if missing
	Kind       string          `json:"kind"`
	Namespace  string          `json:"namespace"` // of the request's path; the object's or "default" if missing
	Object     json.RawMessage `json:"object"`
	// Old is the stored object. One without a uid is created first.
	Old             json.RawMessage       `json:"old"`
	Subresource     string                `json:"subresource"`
	FieldValidation string                `json:"fieldValidation"` // Warn if missing
	Options         *metav1.DeleteOptions `json:"options"`         // of a delete
}

// answer is a line of the output: an object in the version of the request, or a Status.
type answer struct {
	Object   json.RawMessage `json:"object,omitempty"`
	Status   *metav1.Status  `json:"status,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`
	// Of a delete: whether the object stays for a while, and whether it was to stay already.
	Graceful *bool `json:"graceful,omitempty"`
	Pending  *bool `json:"pending,omitempty"`
	// Error is what is wrong with the line itself.
	Error string `json:"error,omitempty"`
}

// AddWarning collects what kube-apiserver sends as Warning headers.
func (a *answer) AddWarning(_, text string) { a.Warnings = append(a.Warnings, text) }

func answerTo(line []byte) (result *answer) {
	result = &answer{}
	defer func() {
		// kube-apiserver answers a panic with 500 and goes on
		if cause := recover(); cause != nil {
			result.Error = fmt.Sprint("panic: ", cause)
		}
	}()
	asked := request{Op: "create", FieldValidation: metav1.FieldValidationWarn}
	if err := json.Unmarshal(line, &asked); err != nil {
		result.Error = err.Error()
		return result
	}
	at, err := placeOf(asked)
	if err != nil {
		result.Error = err.Error()
		return result
	}
	err = at.answer(asked, result)
	if refused := (oldRefused{}); errors.As(err, &refused) {
		result.Error = refused.Error()
	} else if err != nil {
		result.Status = responsewriters.ErrorToAPIStatus(err)
	}
	return result
}
