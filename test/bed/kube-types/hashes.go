package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"math/rand"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	safe "k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/utils/dump"
	"sigs.k8s.io/randfill"
)

// writeHashes prints random pod templates and the hash that controllers name ReplicaSets by, as ComputeHash of
// pkg/controller/controller_utils.go makes it of what it reads from the API server in protobuf.
func writeHashes(out io.Writer, seed int64, count int) {
	source := rand.NewSource(seed)
	fill := filler(source).Funcs(
		func(m *metav1.ObjectMeta, c randfill.Continue) { c.Fill(&m.Labels); c.Fill(&m.Annotations) },
		// JavaScript reads no larger numbers.
		func(n *int64, c randfill.Continue) { *n = int64(int32(c.Uint64()) >> c.Intn(32)) },
		func(q *resource.Quantity, c randfill.Continue) { *q = smallQuantity(c) },
	)
	encoder := json.NewEncoder(out)
	for range count {
		var filled, read corev1.PodTemplateSpec
		fill.Fill(&filled)
		bytes, err := filled.Marshal()
		if err == nil {
			err = read.Unmarshal(bytes)
		}
		if err != nil {
			log.Fatal(err)
		}
		hasher := fnv.New32a()
		fmt.Fprintf(hasher, "%v", dump.ForHash(read))
		hash := safe.SafeEncodeString(fmt.Sprint(hasher.Sum32()))
		if err := encoder.Encode(map[string]any{"template": read, "hash": hash}); err != nil {
			log.Fatal(err)
		}
	}
}

// smallQuantity is one that fits 64 bits, as those of pods do.
func smallQuantity(c randfill.Continue) resource.Quantity {
	suffixes := []string{"", "n", "u", "m", "k", "M", "G", "Ki", "Mi", "Gi", "Ti", "e3", ".5", ".25Mi"}
	return resource.MustParse(fmt.Sprint(c.Intn(5000), suffixes[c.Intn(len(suffixes))]))
}
