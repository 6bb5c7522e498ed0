package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"math/rand"

	"k8s.io/apimachinery/pkg/runtime"
	jsonserializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

const magic = "k8s\x00"

var (
	protobufForm = protobuf.NewSerializer(scheme, scheme)
	jsonForm     = jsonserializer.NewSerializerWithOptions(jsonserializer.DefaultMetaFactory, scheme, scheme, jsonserializer.SerializerOptions{})
)

// sample is a body, and either its JSON or why Go does not decode it; neither if it decodes to what JSON cannot say.
type sample struct {
	Kind     string `json:"kind"`
	Damaged  bool   `json:"damaged"`
	Protobuf string `json:"protobuf"`
	JSON     string `json:"json,omitempty"`
	Error    string `json:"error,omitempty"`
}

// writeSamples prints a sample a line: of each kind count objects, and each of them damaged.
func writeSamples(out io.Writer, seed int64, count int) {
	random := rand.New(rand.NewSource(seed))
	fill := filler(random)
	lines := json.NewEncoder(out)
	for _, kind := range kinds() {
		for range count {
			object, err := scheme.New(kind.GroupVersionKind)
			must(err)
			fill.Fill(object)
			object.GetObjectKind().SetGroupVersionKind(kind.GroupVersionKind)
			var body bytes.Buffer
			must(protobufForm.Encode(object, &body))
			must(lines.Encode(judged(kind.GroupVersionKind.String(), false, body.Bytes())))
			must(lines.Encode(judged(kind.GroupVersionKind.String(), true, damaged(random, body.Bytes()))))
		}
	}
}

// judged is what Go makes of the bytes: not of the object that they were made of, which may hold what protobuf cannot.
func judged(kind string, isDamaged bool, body []byte) sample {
	result := sample{Kind: kind, Damaged: isDamaged, Protobuf: hex.EncodeToString(body)}
	object, gvk, err := protobufForm.Decode(body, nil, nil)
	if err != nil {
		result.Error = err.Error()
		return result
	}
	object.GetObjectKind().SetGroupVersionKind(*gvk)
	var text bytes.Buffer
	if err := encode(object, &text); err != nil {
		log.Print(kind, ": ", err)
	} else {
		result.JSON = text.String()
	}
	return result
}

func encode(object runtime.Object, out io.Writer) error { return jsonForm.Encode(object, out) }

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
