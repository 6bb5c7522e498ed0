package main

import (
	"fmt"
	"math/rand"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/randfill"
)

// filler makes random objects; what Go's types cannot hold at random gets values with a meaning.
func filler(source rand.Source) *randfill.Filler {
	return randfill.New().RandSource(source).NilChance(0.4).NumElements(0, 2).Funcs(
		func(t *metav1.Time, c randfill.Continue) { t.Time = someTime(c) },
		func(t *metav1.MicroTime, c randfill.Continue) { t.Time = someTime(c) },
		func(q *resource.Quantity, c randfill.Continue) { *q = someQuantity(c) },
		func(v *intstr.IntOrString, c randfill.Continue) {
			if c.Bool() {
				*v = intstr.FromInt32(int32(c.Uint64()))
			} else {
				*v = intstr.FromString(c.String(10))
			}
		},
		func(r *runtime.RawExtension, c randfill.Continue) { r.Raw = someJSON(c) },
		func(r *runtime.Object, c randfill.Continue) {},
		func(f *metav1.FieldsV1, c randfill.Continue) { f.Raw = someJSON(c) },
		func(j *apiextensionsv1.JSON, c randfill.Continue) { j.Raw = someJSON(c) },
		func(j *apiextensionsv1beta1.JSON, c randfill.Continue) { j.Raw = someJSON(c) },
		func(s *apiextensionsv1.JSONSchemaProps, c randfill.Continue) {
			if s.Type = c.String(10); isRare(c) {
				c.FillNoCustom(s)
			}
		},
		func(s *apiextensionsv1beta1.JSONSchemaProps, c randfill.Continue) {
			if s.Type = c.String(10); isRare(c) {
				c.FillNoCustom(s)
			}
		},
		func(t *metav1.TypeMeta, c randfill.Continue) {},
		func(f *float64, c randfill.Continue) { *f = someFloat(c) },
		func(n *int64, c randfill.Continue) { *n = int64(c.Uint64()) >> c.Intn(64) },
		func(n *int32, c randfill.Continue) { *n = int32(c.Uint64()) >> c.Intn(32) },
	)
}

// isRare keeps schemas, which hold about eight others, from growing without end.
func isRare(c randfill.Continue) bool { return c.Intn(12) == 0 }

func someTime(c randfill.Continue) time.Time {
	switch c.Intn(8) {
	case 0:
		return time.Time{}
	case 1:
		return time.Unix(0, 0)
	case 2:
		return time.Unix(int64(c.Uint64())>>16, int64(c.Intn(1e9)))
	default:
		return time.Unix(c.Int63n(4e9), int64(c.Intn(1e9)))
	}
}

func someFloat(c randfill.Continue) float64 {
	switch c.Intn(3) {
	case 0:
		return float64(c.Intn(1000))
	case 1:
		return c.NormFloat64() * 1e-9
	default:
		return c.NormFloat64() * 1e25
	}
}

func someQuantity(c randfill.Continue) resource.Quantity {
	suffixes := []string{"", "n", "u", "m", "k", "M", "G", "T", "P", "Ki", "Mi", "Gi", "Ti", "e3", "E-2", ".5", ".25Mi"}
	return resource.MustParse(fmt.Sprint(int64(c.Uint64())>>(16+c.Intn(48)), suffixes[c.Intn(len(suffixes))]))
}

func someJSON(c randfill.Continue) []byte {
	switch c.Intn(4) {
	case 0:
		return nil
	case 1:
		return []byte(fmt.Sprintf(`{"a": [%d, null, {"ä\u2028": 1e3}], "__proto__": %q}`, c.Uint64(), "x"))
	case 2:
		return []byte(fmt.Sprint(c.Uint64()))
	default:
		return []byte(`{"f:metadata":{"f:labels":{".":{}}}}`)
	}
}
